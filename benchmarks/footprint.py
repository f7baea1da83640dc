"""The cases without a rival package: starting a process, memory, growth."""

from __future__ import annotations

from benchmarks import own
from benchmarks.data import Problem
from benchmarks.kinds import GrowthCase, Size
from benchmarks.lines import Bar
from benchmarks.processes import MemoryCase, ProcessCase
from benchmarks.rivals import Call

FIRST_AUC = """
import numpy as np
import fastmetrics as fm
fm.roc_auc_score(np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.6, 0.8]))
"""
FIRST_BOOTSTRAP = """
import numpy as np
import fastmetrics as fm
fm.bootstrap(
    np.array([0, 1] * 50), np.linspace(0, 1, 100), ["roc_auc", "average_precision"], rng=0
)
"""

PROCESSES = (
    ProcessCase(
        "import",
        "import fastmetrics",
        "import fastmetrics",
        "import numpy",
        "import numpy",
        Bar("cost", 1.5),
        rounds=21,
    ),
    ProcessCase(
        "first_auc",
        "First AUC of a new process, compiled code cached",
        FIRST_AUC,
        "import numba",
        "import numba",
        Bar("extra", 0.5),
        rounds=11,
    ),
    ProcessCase(
        "first_auc_cold",
        "First AUC of a new process, nothing cached",
        FIRST_AUC,
        "import numba",
        "import numba",
        Bar("extra", 6),
        rounds=3,
        cold=True,
    ),
    ProcessCase(
        "first_bootstrap_cold",
        "First bootstrap of a new process, nothing cached",
        FIRST_BOOTSTRAP,
        "import numba",
        "import numba",
        Bar("extra", 6),
        rounds=3,
        cold=True,
    ),
)

MEMORY = (
    MemoryCase(
        "memory",
        "Peak memory, AUC of 100,000,000 scores, int64 labels",
        100_000_000,
        10_000,
        "int64",
        Bar("cost", 3),
    ),
    MemoryCase(
        "memory_small_labels",
        "Peak memory, AUC of 100,000,000 scores, uint8 labels",
        100_000_000,
        10_000,
        "uint8",
        Bar("cost", 3),
    ),
)


def _estimate(problem: Problem, n_resamples: int) -> Call:
    """A bootstrap of no replicates: what is prepared before they are drawn."""
    return own.ranking_bootstrap(problem, 0)


GROWTH = (
    GrowthCase(
        "growth_auc",
        "AUC",
        "rows",
        lambda size: size.n,
        tuple(Size(n, n * 3 // 10) for n in (10_000, 100_000, 1_000_000, 10_000_000)),
        tuple(Size(n, n * 3 // 10, rounds=1) for n in (2_000, 4_000)),
        own.auc,
        Bar("slope"),
    ),
    GrowthCase(
        "growth_rows",
        "AUC and AP, 256 replicates",
        "rows",
        lambda size: size.n,
        tuple(
            Size(n, n * 3 // 10, n_resamples=256, rounds=3)
            for n in (10_000, 100_000, 1_000_000, 10_000_000)
        ),
        tuple(Size(n, n * 3 // 10, n_resamples=64, rounds=1) for n in (2_000, 4_000)),
        own.ranking_bootstrap,
        Bar("slope", 1.1),
        _estimate,
    ),
    GrowthCase(
        "growth_units",
        "AUC and AP, 1,000,000 rows, 256 replicates",
        "positives, where they are rare",
        lambda size: size.positives,
        tuple(
            Size(1_000_000, positives, n_resamples=256, rounds=3)
            for positives in (1_000, 10_000, 100_000)
        ),
        tuple(Size(20_000, positives, n_resamples=64, rounds=1) for positives in (100, 1_000)),
        own.ranking_bootstrap,
        Bar("slope", 1.1),
        _estimate,
    ),
    GrowthCase(
        "growth_replicates",
        "AUC and AP, 100,000 rows",
        "replicates",
        lambda size: size.n_resamples,
        tuple(
            Size(100_000, 30_000, n_resamples=replicates, rounds=3)
            for replicates in (256, 1_024, 4_096, 16_384)
        ),
        tuple(Size(2_000, 600, n_resamples=replicates, rounds=1) for replicates in (256, 512)),
        own.ranking_bootstrap,
        Bar("slope", 1.1),
        _estimate,
    ),
)
