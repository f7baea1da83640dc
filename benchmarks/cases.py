"""The cases: one for each row of the tables, with its sizes, its rivals and its bars."""

from __future__ import annotations

from functools import partial

from benchmarks import agreement, own, rivals
from benchmarks.calls import CALLS, COLD_CALLS
from benchmarks.catalogue import CATALOGUE, COMPILATION
from benchmarks.data import Problem, Ties
from benchmarks.designs import DESIGNS
from benchmarks.footprint import GROWTH, MEMORY, PROCESSES
from benchmarks.kinds import Case, Group, RatioCase, Rival, Size
from benchmarks.lines import Bar
from benchmarks.rivals import Call
from benchmarks.studies import STUDIES

SHOWN = Bar("speedup")
RAPIDSTATS_REPLICATES = 10
TINY_BOOTSTRAP = Size(4_000, 1_200, n_resamples=256, rounds=1)


def at_least(times: float) -> Bar:
    """A bar of so many times faster."""
    return Bar("speedup", times)


def area_case(
    name: str, work: str, full: Size, sklearn: float, scors: tuple[float, float]
) -> RatioCase:
    """AUC once; ``scors`` are the bars against its two threads and its one."""
    same = agreement.same_numbers
    contestants = (
        Rival("scikit-learn", "sklearn", rivals.sklearn_auc, same, at_least(sklearn), rounds=3),
        Rival(
            "scors, 2 threads",
            "scors",
            rivals.scors_auc,
            same,
            at_least(scors[0]),
            apart=True,
            threads=2,
        ),
        Rival(
            "scors, 1 thread",
            "scors",
            rivals.scors_auc,
            same,
            at_least(scors[1]),
            apart=True,
            threads=1,
        ),
        Rival(
            "polars-ds, default threads",
            "polars_ds",
            rivals.polars_ds_auc,
            same,
            SHOWN,
            apart=True,
        ),
    )
    return RatioCase(name, work, full, Size(5_000, 1_500, rounds=1), own.auc, contestants)


AREAS = (
    area_case(
        "auc_1m",
        "AUC of 1,000,000 scores",
        Size(1_000_000, 300_000, rounds=15),
        20,
        (2.5, 5),
    ),
    area_case(
        "auc_10m",
        "AUC of 10,000,000 scores",
        Size(10_000_000, 3_000_000, rounds=7),
        20,
        (3, 6),
    ),
    RatioCase(
        "auc_100",
        "AUC of 100 scores, what a call costs",
        Size(100, 30, rounds=15, calls=300),
        Size(100, 30, rounds=2, calls=10),
        own.auc,
        (
            Rival(
                "scikit-learn",
                "sklearn",
                rivals.sklearn_auc,
                agreement.same_numbers,
                at_least(200),
            ),
        ),
    ),
)


def _loops(sklearn: Bar, recipe: Bar, replicates: int, recipe_replicates: int) -> tuple[Rival, ...]:
    """The loop over scikit-learn and the recipes, and how many replicates of each are timed."""
    return (
        Rival(
            "scikit-learn in a loop",
            "sklearn",
            rivals.sklearn_loop,
            agreement.same_on_rows,
            sklearn,
            few=replicates,
            rounds=3,
        ),
        Rival(
            "NumPy recipe, sorted once",
            "numpy",
            rivals.sort_once_recipe,
            agreement.same_on_sorted_rows,
            recipe,
            few=recipe_replicates,
            base=1,
            rounds=3,
        ),
        Rival(
            "NumPy recipe, sums at positives only",
            "numpy",
            rivals.positives_only_recipe,
            agreement.same_on_sorted_rows,
            SHOWN,
            few=recipe_replicates,
            base=1,
            rounds=3,
        ),
    )


def _rapidstats(bar: Bar, threads: int | None) -> Rival:
    """Rapidstats with one thread, or as it comes."""
    return Rival(
        "rapidstats, 1 thread" if threads == 1 else "rapidstats, default threads",
        "rapidstats",
        rivals.rapidstats_bootstrap,
        partial(agreement.same_moments, n_resamples=RAPIDSTATS_REPLICATES),
        bar,
        few=RAPIDSTATS_REPLICATES,
        base=2,
        apart=True,
        threads=threads,
        rounds=3,
    )


def million_case(name: str, ties: Ties, half_of: str | None = None) -> RatioCase:
    """AUC and AP of a million rows, a thousand replicates."""
    scipy = Rival(
        "scipy.stats.bootstrap over scikit-learn",
        "scipy",
        rivals.scipy_bootstrap,
        agreement.same_law,
        SHOWN,
        few=3,
        rounds=1,
    )
    return RatioCase(
        name,
        f"AUC and AP, 1,000,000 rows x 1,000 replicates{TIES[ties]}",
        Size(1_000_000, 300_000, n_resamples=1_000, rounds=3),
        TINY_BOOTSTRAP,
        own.ranking_bootstrap,
        (
            *_loops(at_least(600), at_least(12), 3, 15),
            _rapidstats(at_least(200), 1),
            _rapidstats(SHOWN, None),
            *(() if half_of else (scipy,)),
        ),
        ties,
        half_of,
    )


def rare_case(name: str, ties: Ties, half_of: str | None = None) -> RatioCase:
    """AUC and AP of ten million rows with ten thousand positives, a thousand replicates."""
    return RatioCase(
        name,
        f"AUC and AP, 10,000,000 rows with 10,000 positives x 1,000 replicates{TIES[ties]}",
        Size(10_000_000, 10_000, n_resamples=1_000, rounds=3),
        Size(20_000, 400, n_resamples=256, rounds=1),
        own.ranking_bootstrap,
        _loops(at_least(5_000), at_least(200), 1, 5),
        ties,
        half_of,
    )


TIES: dict[Ties, str] = {
    "none": "",
    "rounded": ", scores of 3 decimals",
    "pairs": ", scores in pairs of ties",
}

BOOTSTRAPS = (
    million_case("bootstrap_1m", "none"),
    million_case("bootstrap_1m_rounded", "rounded", "bootstrap_1m"),
    million_case("bootstrap_1m_pairs", "pairs", "bootstrap_1m"),
    rare_case("bootstrap_rare", "none"),
    rare_case("bootstrap_rare_rounded", "rounded", "bootstrap_rare"),
    rare_case("bootstrap_rare_pairs", "pairs", "bootstrap_rare"),
)


def bca_case(name: str, n: int, rounds: int) -> RatioCase:
    """BCa intervals beside percentile intervals of the same replicates."""
    percentile = Rival(
        "percentile intervals",
        "fastmetrics",
        _percentile,
        agreement.identical,
        Bar("cost", 1.15),
    )
    return RatioCase(
        name,
        f"BCa intervals of AUC and AP, {n:,} rows x 2,000 replicates",
        Size(n, n * 3 // 10, n_resamples=2_000, rounds=rounds),
        TINY_BOOTSTRAP,
        partial(own.ranking_bootstrap, method="bca"),
        (percentile,),
    )


def _percentile(problem: Problem, n_resamples: int) -> Call:
    """The replicates of percentile intervals, as an array."""
    call = own.ranking_bootstrap(problem, n_resamples)
    return lambda: own.answer(call())


OTHERS = (
    RatioCase(
        "decisions",
        "F1, MCC and kappa at a threshold, 1,000,000 rows x 10,000 replicates",
        Size(1_000_000, 300_000, n_resamples=10_000, rounds=15),
        TINY_BOOTSTRAP,
        own.decision_bootstrap,
        (
            Rival(
                "one confusion_matrix of scikit-learn",
                "sklearn",
                rivals.sklearn_confusion_matrix,
                agreement.same_decisions,
                at_least(1),
            ),
        ),
    ),
    bca_case("bca_100k", 100_000, rounds=15),
    bca_case("bca_1m", 1_000_000, rounds=5),
    RatioCase(
        "thresholds",
        "F1 at every threshold of 5,000 scores",
        Size(5_000, 1_500, rounds=3),
        Size(200, 60, rounds=1),
        own.f1_at_thresholds,
        (
            Rival(
                "metric_at_thresholds of scikit-learn",
                "sklearn",
                rivals.sklearn_f1_at_thresholds,
                agreement.same_numbers,
                at_least(5_000),
            ),
        ),
    ),
    RatioCase(
        "two_threads",
        "AUC and AP on two threads, 1,000,000 rows x 2,000 replicates",
        Size(1_000_000, 300_000, n_resamples=2_000, rounds=5),
        Size(4_000, 1_200, n_resamples=512, rounds=1),
        partial(own.ranking_bootstrap, n_jobs=2),
        (Rival("one thread", "fastmetrics", _percentile, agreement.identical, at_least(1.8)),),
    ),
)

# processes first: the smaller this one, the faster it forks
GROUPS = (
    Group("processes", "New processes", (*PROCESSES, COMPILATION, COLD_CALLS)),
    Group("memory", "Memory", MEMORY),
    Group("areas", "AUC", AREAS),
    Group("bootstraps", "Bootstrap of AUC and AP", BOOTSTRAPS),
    Group("others", "Decisions, BCa intervals, thresholds, threads", OTHERS),
    DESIGNS,
    STUDIES,
    *CATALOGUE,
    CALLS,
    Group("growth", "Growth", GROWTH),
)
CASES: tuple[Case, ...] = tuple(case for group in GROUPS for case in group.cases)


def ratio_case(name: str) -> RatioCase:
    """The case of a name among those that have rivals."""
    found = {case.name: case for case in CASES if isinstance(case, RatioCase)}
    return found[name]


def cases_with_their_bars(name: str) -> tuple[Case, ...]:
    """The case of a name, after the case that its bars are measured by."""
    found = {case.name: case for case in CASES}
    if name not in found:
        raise ValueError(f"no case is called {name!r}; there are {', '.join(found)}")
    case = found[name]
    if isinstance(case, RatioCase) and case.half_of:
        return found[case.half_of], case
    return (case,)
