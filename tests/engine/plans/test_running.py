"""Runs under way: threads, forked processes, joblib, interrupts, errors."""

import concurrent.futures
import itertools
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.engine.plans import running
from tests import processes
from tests.engine.plans.test_replicates import METRICS, problem, replicates


def test_eight_threads_may_call_at_once():
    data = problem(3000, digits=9)
    expected = [replicates(*data, metrics=METRICS, rng=seed) for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        futures = [
            pool.submit(replicates, *data, metrics=METRICS, rng=seed, n_jobs=1 + seed % 3)
            for seed in range(8)
        ]
    for future, values in zip(futures, expected, strict=True):
        np.testing.assert_array_equal(future.result(), values)


FORKED = """
import os
import numpy as np
import fastmetrics as fm

y_true, y_score = np.arange(500) % 3 == 0, np.sin(np.arange(500))

def limits():
    result = fm.bootstrap(y_true, y_score, n_resamples=1000, n_jobs=2, rng=0)
    return "%r %r" % tuple(result.confidence_interval)

print(limits(), flush=True)
child = os.fork()
if child == 0:
    print(limits(), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(limits(), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_forked_process_gives_the_same():
    printed, _ = processes.run("-c", FORKED)
    lines = printed.splitlines()
    assert len(lines) == 3
    assert len(set(lines)) == 1


def test_joblib_workers_give_the_same():
    joblib = pytest.importorskip("joblib")
    labels, scores = problem()
    with joblib.parallel_config("loky"):
        results = joblib.Parallel(n_jobs=2)(
            joblib.delayed(fm.bootstrap)(labels, scores, n_resamples=300, rng=seed)
            for seed in range(4)
        )
    for seed, result in enumerate(results):
        expected = fm.bootstrap(labels, scores, n_resamples=300, rng=seed)
        np.testing.assert_array_equal(
            result.bootstrap_distribution, expected.bootstrap_distribution
        )
        assert result.confidence_interval == expected.confidence_interval


ENDLESS = """
import sys
import numpy as np
import fastmetrics as fm

y_true, y_score = np.arange(200_000) % 3 == 0, np.sin(np.arange(200_000.0))
fm.bootstrap(y_true, y_score, n_resamples=300, method="percentile", n_jobs=2)
print("started", flush=True)
fm.bootstrap(y_true, y_score, n_resamples=10**6, method="percentile", n_jobs=int(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGINT")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_comes_through_at_once(n_jobs):
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(n_jobs)],
        cwd=processes.ROOT,
        env=processes.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=processes.heed_interrupts,
    ) as process:
        try:
            assert process.stdout.readline() == "started\n"
            time.sleep(0.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert time.monotonic() - sent < 5
    assert errors.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize("where", ["submit", "_get"])
def test_an_interrupt_drops_the_blocks_that_have_not_begun(where, monkeypatch):
    begun = []

    def block(k):
        begun.append(k)
        time.sleep(0.01)

    def interrupted(*arguments):
        time.sleep(0.05)
        raise KeyboardInterrupt

    if where == "submit":
        submit, submitted = concurrent.futures.ThreadPoolExecutor.submit, itertools.count()
        monkeypatch.setattr(
            concurrent.futures.ThreadPoolExecutor,
            "submit",
            lambda *call: submit(*call) if next(submitted) < 1 else interrupted(),
        )
    else:
        monkeypatch.setattr(running, "_get", interrupted)
    with pytest.raises(KeyboardInterrupt):
        running.run_blocks(block, 300, 2)
    assert 0 < len(begun) < 100


@pytest.mark.parametrize(("blocks", "n_jobs"), [(0, 2), (1, 2), (2, 5), (50, 3)])
def test_every_block_runs_once(blocks, n_jobs):
    ran = []
    running.run_blocks(ran.append, blocks, n_jobs)
    assert sorted(ran) == list(range(blocks))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_block_comes_through_and_drops_the_rest(n_jobs):
    begun = []

    def block(k):
        begun.append(k)
        time.sleep(0.005)
        if k == 3:
            raise MemoryError("block 3")

    with pytest.raises(MemoryError, match="block 3"):
        running.run_blocks(block, 300, n_jobs)
    assert len(begun) < 100
