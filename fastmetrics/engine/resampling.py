"""Drawn replicates: totals per class, blocks of replicates over threads.

Conventions
-----------
A block is 256 replicates, four tiles of 64 lanes, with streams of its own. The numbers depend on
the seed alone: not on the number of threads, nor on how many replicates follow.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.merged import prepare_units
from fastmetrics.engine.seeds import DRAWS, TOTALS, lane_generators, stream
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.tiles import prepare_rows
from fastmetrics.engine.units import Integers, Units
from fastmetrics.kernels.random import LANES

Resampling = Literal["multinomial", "poisson"]

BLOCK_REPLICATES = 256
INTERRUPT_SECONDS = 0.1


@dataclass(frozen=True)
class Design:
    """How the draws of a replicate are shared out between the classes."""

    resampling: Resampling
    by_class: bool

    def totals(self, class_rows: tuple[int, int], generator: np.random.Generator) -> Integers:
        """Draws (256, 2) of negatives and positives in each replicate of a block."""
        negatives, positives = class_rows
        n = negatives + positives
        if self.resampling == "poisson":
            return generator.poisson(class_rows, (BLOCK_REPLICATES, 2))
        if self.by_class:
            return np.tile(np.array(class_rows), (BLOCK_REPLICATES, 1))
        drawn = generator.binomial(n, positives / n, BLOCK_REPLICATES)
        return np.stack([n - drawn, drawn], axis=1)


def draw_replicates(
    units: Units,
    request: SweepRequest,
    design: Design,
    n_resamples: int,
    root: np.random.SeedSequence,
    *,
    first: int = 0,
    data_set: int = 0,
    n_jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """Sums (n_resamples - first, columns) of replicates, drawn as units or rows, whichever is less.

    Parameters
    ----------
    units : the data
    request : what each replicate computes
    design : how draws are shared out
    n_resamples : number of replicates
    root : seed
    first : replicates that are there already and are not drawn again
    data_set : number of the data set in a study
    n_jobs : threads
    advance : called with the number of replicates done after each block
    """
    run = (prepare_units if units.merged else prepare_rows)(units, request)
    sums = np.full((n_resamples - first, request.columns), np.nan)
    first_block = first // BLOCK_REPLICATES

    def block(place: int) -> None:
        k = first_block + place
        generator = np.random.Generator(np.random.PCG64(stream(root, TOTALS, data_set, k)))
        totals = design.totals(units.class_rows, generator)
        start = k * BLOCK_REPLICATES
        size = min(BLOCK_REPLICATES, n_resamples - start)
        tiles = -(-size // LANES) * LANES
        drawn = run(totals[:tiles], lane_generators(stream(root, DRAWS, data_set, k)))
        skipped = max(first - start, 0)
        sums[start + skipped - first : start + size - first] = drawn[skipped:size]
        if advance is not None:
            advance(size - skipped)

    _run_blocks(block, -(-n_resamples // BLOCK_REPLICATES) - first_block, n_jobs)
    return sums


def _run_blocks(block: Callable[[int], None], blocks: int, n_jobs: int) -> None:
    """Run the blocks, over threads where there are several of both; Ctrl-C drops the rest."""
    threads = min(n_jobs, blocks)
    if threads <= 1:
        for k in range(blocks):
            block(k)
        return
    waiting: SimpleQueue[int] = SimpleQueue()
    for k in range(blocks):
        waiting.put(k)
    ended: SimpleQueue[None] = SimpleQueue()
    stopped = threading.Event()

    def work() -> None:
        try:
            while not stopped.is_set():
                block(waiting.get_nowait())
        except Empty:  # no block is left
            pass
        except BaseException:
            stopped.set()
            raise
        finally:
            ended.put(None)

    with ThreadPoolExecutor(threads, thread_name_prefix="fastmetrics") as pool:
        try:
            workers = [pool.submit(work) for _ in range(threads)]
            for _ in workers:
                _get(ended)
        finally:
            stopped.set()
        for worker in workers:
            worker.result()


def _get(queue: SimpleQueue[None]) -> None:
    """Wait for an item; an interrupt comes through, and leaves nothing locked.

    ``concurrent.futures.wait`` does not do: interrupted while it holds the locks of its futures, it
    keeps them, and the threads wait for ever. Windows needs the timeout.
    """
    while True:
        try:
            return queue.get(timeout=INTERRUPT_SECONDS)
        except Empty:
            continue
