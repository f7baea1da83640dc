"""Drawn replicates: blocks of a plan over threads.

Conventions
-----------
A block is 256 replicates, four tiles of 64 lanes, with streams of its own. The numbers depend on
the seed alone: not on the number of threads, nor on how many replicates follow.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES
from fastmetrics.engine.plans.sorted_plan import SortedPlan
from fastmetrics.engine.plans.tile_plan import TilePlan

INTERRUPT_SECONDS = 0.1

Plan = SortedPlan | TilePlan


def draw_replicates(
    plan: Plan,
    n_resamples: int,
    root: np.random.SeedSequence,
    *,
    first: int = 0,
    data_set: int = 0,
    n_jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """Sums (n_resamples - first, columns) of the replicates of a plan.

    Parameters
    ----------
    plan : what is drawn and what is read of it
    n_resamples : number of replicates
    root : seed
    first : replicates that are there already and are not drawn again
    data_set : number of the data set in a study
    n_jobs : threads
    advance : called with the number of replicates done after each block
    """
    plan.prepare()
    sums = np.full((n_resamples - first, plan.columns), np.nan)
    first_block = first // BLOCK_REPLICATES

    def block(place: int) -> None:
        k = first_block + place
        start = k * BLOCK_REPLICATES
        size = min(BLOCK_REPLICATES, n_resamples - start)
        drawn = plan.block(root, data_set, k, size)
        skipped = max(first - start, 0)
        sums[start + skipped - first : start + size - first] = drawn[skipped:size]
        if advance is not None:
            advance(size - skipped)

    run_blocks(block, -(-n_resamples // BLOCK_REPLICATES) - first_block, n_jobs)
    return sums


def run_blocks(block: Callable[[int], None], blocks: int, n_jobs: int) -> None:
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
