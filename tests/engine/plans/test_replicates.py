"""Replicates follow their law whichever way they are drawn, and depend on the seed alone."""

import itertools

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES
from fastmetrics.engine.plans.running import draw_replicates
from fastmetrics.engine.plans.sorted_plan import SortedPlan
from fastmetrics.engine.statistics import NEGATIVES, POSITIVES
from fastmetrics.engine.sweeps import units as units_module
from fastmetrics.kernels.resample import BLOCK
from tests import reference
from tests.chance import TOO_UNLIKELY, chi_square, chi_square_of_law, uncorrelated

DESIGNS = {
    "multinomial": {},
    "by class": {"strata": "class"},
    "poisson": {"resampling": "poisson"},
}


@pytest.fixture(params=["rows", "units"])
def way(request, monkeypatch):
    """Draw single rows, or merged units, whatever pays."""
    share = {"rows": 10**12, "units": 0}[request.param]
    monkeypatch.setattr(units_module, "MERGED_SHARE", share)
    return request.param


def problem(n=400, share=0.1, digits=1, seed=0):
    """Labels and scores between 0 and 1 with ties."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < share).astype(int)
    return labels, (1 / (1 + np.exp(-generator.normal(size=n) - 2 * labels))).round(digits)


def replicates(*data, metrics="roc_auc", n_resamples=1000, **options):
    """Replicates (metrics, B) of a bootstrap."""
    result = fm.bootstrap(
        *data, metrics, n_resamples=n_resamples, method="percentile", **{"rng": 0, **options}
    )
    return np.array([result[key].bootstrap_distribution for key in result])


def plain_counts(labels, design, n_resamples, seed):
    """Counts (B, n) as NumPy draws them, row by row."""
    generator = np.random.default_rng(seed)
    n = labels.size
    if design == "poisson":
        return generator.poisson(1.0, (n_resamples, n))
    counts = np.zeros((n_resamples, n), int)
    pools = [labels == 0, labels == 1] if design == "by class" else [np.ones(n, bool)]
    for pool in pools:
        size = pool.sum()
        counts[:, pool] = generator.multinomial(size, np.full(size, 1 / size), n_resamples)
    return counts


METRICS = ("roc_auc", "average_precision", "f1", "ks", fm.metric("partial_auc", max_fpr=0.2))


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("digits", [1, 2])
def test_both_ways_draw_from_the_law_of_the_rows(way, design, digits, weighted):
    labels, scores = problem(digits=digits)
    options = {"metrics": METRICS}
    if weighted:
        options["sample_weight"] = 1 + np.arange(labels.size) % 3
    drawn = replicates(labels, scores, n_resamples=3000, rng=digits, **options, **DESIGNS[design])
    counts = plain_counts(labels, design, 3000, seed=digits)
    expected = fm.bootstrap(labels, scores, counts=counts, method="percentile", **options)
    for values, metric in zip(drawn, expected.metrics, strict=True):
        plain = expected[metric].bootstrap_distribution
        assert stats.ks_2samp(values, plain).pvalue > TOO_UNLIKELY, metric


# accuracy at each of these tells how often each row was drawn
TINY = {
    3: ([1, 0, 1], [0.9, 0.6, 0.3]),
    4: ([0, 1, 1, 0], [0.9, 0.7, 0.5, 0.3]),
}


@pytest.mark.parametrize("n", TINY)
def test_every_outcome_of_a_tiny_sample_has_its_probability(way, n):
    labels, scores = TINY[n]
    cuts = [2.0, *scores]
    metrics = {f"{cut}": fm.metric("accuracy", threshold=cut) for cut in cuts}
    accuracies = replicates(labels, scores, metrics=metrics, n_resamples=60_000)
    # flagging one more row gains its count where it is positive, and loses it elsewhere
    signs = np.where(np.array(labels) == 1, 1, -1)
    counts = np.rint(n * np.diff(accuracies, axis=0).T * signs).astype(int)
    assert np.all(counts.sum(axis=1) == n)
    outcomes = list(itertools.product(range(n), repeat=n))
    expected = {}
    for outcome in outcomes:
        drawn = tuple(np.bincount(outcome, minlength=n).tolist())
        expected[drawn] = expected.get(drawn, 0) + 1 / len(outcomes)
    seen, times = np.unique(counts, axis=0, return_counts=True)
    observed = dict(zip(map(tuple, seen.tolist()), times, strict=True))
    assert observed.keys() <= expected.keys()
    p = chi_square([observed.get(drawn, 0) for drawn in expected], list(expected.values()))
    assert p > TOO_UNLIKELY


@pytest.mark.filterwarnings("ignore:.*is undefined in")
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_replicates_have_the_exact_distribution(way, metric):
    labels, scores = np.array([1, 0, 1, 0, 0]), np.array([0.8, 0.6, 0.6, 0.4, 0.1])
    expected = {}
    for outcome in itertools.product(range(5), repeat=5):
        rows = list(outcome)
        value = round(reference.OF_RANKING[metric](labels[rows], scores[rows]), 9)
        expected[str(value)] = expected.get(str(value), 0) + 5**-5
    (values,) = replicates(labels, scores, metrics=metric, n_resamples=40_000)
    seen, times = np.unique([str(float(value)) for value in values.round(9)], return_counts=True)
    observed = dict(zip(seen.tolist(), times, strict=True))
    assert observed.keys() <= expected.keys()
    p = chi_square([observed.get(value, 0) for value in expected], list(expected.values()))
    assert p > TOO_UNLIKELY


def test_the_variance_of_the_area_is_exact(way):
    labels, scores = problem(80, 0.3)
    wins = np.subtract.outer(scores[labels == 1], scores[labels == 0])
    wins = (np.sign(wins) + 1) / 2
    p, q = wins.shape
    # E[c_i c_k] of multinomial counts is 1 - 1/size, and 1 more where i = k
    positives, negatives = np.eye(p) + 1 - 1 / p, np.eye(q) + 1 - 1 / q
    second = (wins * (positives @ wins @ negatives)).sum() / (p * q) ** 2
    variance = second - wins.mean() ** 2
    (values,) = replicates(labels, scores, strata="class", n_resamples=20_000)
    deviations = values - wins.mean()
    error = np.std(deviations**2) / np.sqrt(values.size)
    assert abs(np.mean(deviations**2) - variance) < 4 * error
    assert abs(values.mean() - wins.mean()) < 4 * np.sqrt(variance / values.size)


def class_totals(labels, scores, design, n_resamples=3000):
    """Negatives and positives (B, 2) of each replicate."""
    metrics = [fm.metric("roc_auc")]
    plan = SortedPlan.of(metrics, labels.astype(np.uint8), scores, None, design)
    root = np.random.SeedSequence(5)
    return draw_replicates(plan, n_resamples, root)[:, [NEGATIVES, POSITIVES]]


def test_strata_keep_the_size_of_each_class(way):
    labels, scores = problem()
    totals = class_totals(labels, scores, Design("multinomial", True))
    assert np.all(totals == np.bincount(labels))


def test_multinomial_replicates_have_n_rows_of_binomial_classes(way):
    labels, scores = problem()
    totals = class_totals(labels, scores, Design("multinomial", False))
    assert np.all(totals.sum(axis=1) == labels.size)
    law = stats.binom(labels.size, labels.mean())
    assert chi_square_of_law(totals[:, 1], law) > TOO_UNLIKELY


def test_poisson_totals_are_poisson(way):
    labels, scores = problem()
    totals = class_totals(labels, scores, Design("poisson", False))
    for column, rows in zip(totals.T, np.bincount(labels), strict=True):
        assert chi_square_of_law(column, stats.poisson(rows)) > TOO_UNLIKELY
    assert uncorrelated(totals) > TOO_UNLIKELY


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 100])
def test_rows_of_every_block_are_drawn_alike(n, monkeypatch):
    monkeypatch.setattr(units_module, "MERGED_SHARE", 10**12)
    labels = (np.arange(n) % 7 == 0).astype(int)
    scores = np.linspace(1, 0, n)
    cuts = sorted({int(0.001 * n), int(0.3 * n), int(0.7 * n), n - 1, BLOCK - 1} - {n})
    metrics = {str(cut): fm.metric("accuracy", threshold=float(scores[cut - 1])) for cut in cuts}
    # with every row negative the accuracy is the share that is not flagged
    accuracies = replicates(0 * labels, scores, metrics=metrics)
    for values, cut in zip(accuracies, cuts, strict=True):
        flagged = np.rint(n * (1 - values)).astype(int)
        assert chi_square_of_law(flagged, stats.binom(n, cut / n), cells=20) > TOO_UNLIKELY


def test_units_are_drawn_by_their_rows(way):
    # small units are drawn row by row, large ones at once; every row is negative, so the
    # accuracy is the share that is not flagged
    sizes = np.array([5, 200, 40, 48, 1, 49, 100, 7])
    n, ends = sizes.sum(), sizes.cumsum()
    scores = np.repeat(np.linspace(1, 0, sizes.size), sizes)
    metrics = {
        str(end): fm.metric("accuracy", threshold=float(scores[end - 1])) for end in ends[:-1]
    }
    accuracies = replicates(np.zeros(n, int), scores, metrics=metrics, n_resamples=20_000)
    flagged = np.rint(n * (1 - accuracies)).astype(int)
    counts = np.diff(flagged, axis=0, prepend=0, append=n)
    for drawn, size in zip(counts, sizes, strict=True):
        assert chi_square_of_law(drawn, stats.binom(n, size / n)) > TOO_UNLIKELY
    # multinomial counts of two units have correlation -sqrt(p q / ((1 - p) (1 - q)))
    odds = sizes / (n - sizes)
    expected = np.where(np.eye(sizes.size), 1, -np.sqrt(np.outer(odds, odds)))
    np.testing.assert_allclose(np.corrcoef(counts), expected, atol=4 / np.sqrt(20_000))


def test_small_units_may_fill_several_blocks(monkeypatch):
    monkeypatch.setattr(units_module, "MERGED_SHARE", 0)
    units = 2 * BLOCK // 40 + 100
    labels = np.repeat(np.arange(units) % 2, 40)
    scores = np.repeat(np.linspace(1, 0, units), 40)
    n = labels.size
    assert labels.sum() > BLOCK
    for name, own in (("recall", 1), ("specificity", 0)):
        rows = np.flatnonzero(labels == own)
        cut = float(scores[int(0.3 * n)])
        metric = fm.metric(name, threshold=cut)
        # the area keeps all units apart
        metrics = [metric, "roc_auc"]
        values, _ = replicates(labels, scores, metrics=metrics, strata="class", n_resamples=5000)
        hits = np.rint(values * rows.size).astype(int)
        flagged = scores >= cut
        inside = (flagged if own else ~flagged)[rows].mean()
        assert chi_square_of_law(hits, stats.binom(rows.size, inside)) > TOO_UNLIKELY


def runs():
    """Data that take every path: rows, several blocks of rows, units, weights."""
    few = problem(300, 0.3, digits=9)
    many = problem(2 * BLOCK + 50, 0.3, digits=9)
    generator = np.random.default_rng(1)
    return {
        "rows": (few, {}),
        "weighted rows": (few, {"sample_weight": generator.random(300)}),
        "blocks of rows": (many, {}),
        "weighted blocks": (many, {"sample_weight": generator.random(many[0].size)}),
        "units": (problem(3000, 0.02, digits=2), {}),
        "weighted units": (problem(3000, 0.02, 2), {"sample_weight": 1 + np.arange(3000) % 2}),
        "by class": (few, {"strata": "class"}),
        "poisson": (few, {"resampling": "poisson"}),
    }


RUNS = pytest.mark.parametrize("run", list(runs()))
SIZE = 3 * BLOCK_REPLICATES + 100


@RUNS
def test_threads_change_nothing(run):
    data, options = runs()[run]
    options = {"metrics": METRICS, "n_resamples": SIZE, **options}
    one = replicates(*data, n_jobs=1, **options)
    for n_jobs in (2, 5, -1):
        np.testing.assert_array_equal(replicates(*data, n_jobs=n_jobs, **options), one)


@RUNS
@pytest.mark.parametrize("first", [1, 64, 300, 2 * BLOCK_REPLICATES])
def test_a_shorter_run_is_the_beginning_of_a_longer_one(run, first):
    data, options = runs()[run]
    options = {"metrics": METRICS, **options}
    whole = replicates(*data, n_resamples=SIZE, **options)
    np.testing.assert_array_equal(replicates(*data, n_resamples=first, **options), whole[:, :first])


def test_the_first_thousand_of_two_thousand_are_a_run_of_a_thousand():
    data = problem()
    whole = replicates(*data, n_resamples=2000)
    np.testing.assert_array_equal(replicates(*data, n_resamples=1000), whole[:, :1000])


@RUNS
def test_extending_equals_one_long_run(run):
    data, options = runs()[run]
    options = {"rng": 3, "method": "percentile", **options}
    result = fm.bootstrap(*data, METRICS, n_resamples=100, **options)
    extended = result.extend(150).extend(SIZE - 250)
    whole = fm.bootstrap(*data, METRICS, n_resamples=SIZE, **options)
    for key in whole:
        np.testing.assert_array_equal(
            extended[key].bootstrap_distribution, whole[key].bootstrap_distribution
        )
        assert extended[key].confidence_interval == whole[key].confidence_interval
    assert len(result["ks"].bootstrap_distribution) == 100
    assert extended.info.n_resamples == SIZE


def test_neighbouring_seeds_differ_and_are_unrelated(way):
    data = problem(digits=9)
    columns = [replicates(*data, n_resamples=2000, rng=seed)[0] for seed in (1, 2, 3, 10**12)]
    for one, other in itertools.combinations(columns, 2):
        assert not np.array_equal(one, other)
        assert np.mean(one == other) < 0.1
    assert uncorrelated(np.column_stack(columns)) > TOO_UNLIKELY


def test_replicates_of_one_run_are_unrelated(way):
    (values,) = replicates(*problem(digits=9), n_resamples=40 * BLOCK_REPLICATES)
    for lag in (1, 64, BLOCK_REPLICATES):
        pairs = np.column_stack([values[:-lag], values[lag:]])
        assert uncorrelated(pairs) > TOO_UNLIKELY


def test_the_global_random_state_stays_as_it_is():
    np.random.seed(7)  # noqa: NPY002, TID251 - the state that must not change
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    replicates(*problem())
    replicates(*problem(), rng=None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_seed_sequence_is_taken_as_it_is():
    data = problem()
    sequence = np.random.SeedSequence(3, spawn_key=(2,))
    first = replicates(*data, rng=sequence)
    np.testing.assert_array_equal(replicates(*data, rng=sequence), first)
    assert sequence.n_children_spawned == 0
    other = replicates(*data, rng=np.random.SeedSequence(3, spawn_key=(1,)))
    assert not np.array_equal(other, first)
    np.testing.assert_array_equal(
        replicates(*data, rng=np.random.SeedSequence(3)), replicates(*data, rng=3)
    )


def test_a_generator_moves_on():
    data = problem()
    generator = np.random.default_rng(3)
    first, second = (replicates(*data, rng=generator) for _ in range(2))
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(replicates(*data, rng=np.random.default_rng(3)), first)


def test_without_a_seed_every_run_differs_and_can_be_repeated():
    data = problem()
    results = [fm.bootstrap(*data, method="percentile") for _ in range(2)]
    values = [result.bootstrap_distribution for result in results]
    assert not np.array_equal(*values)
    np.testing.assert_array_equal(
        replicates(*data, rng=results[0].seed, n_resamples=2000)[0], values[0]
    )


@pytest.mark.parametrize("seed", [0, 2**63, 2**200])
def test_seeds_of_any_size_are_taken(seed):
    assert np.isfinite(replicates(*problem(), rng=seed, n_resamples=10)).all()


@pytest.mark.parametrize("seed", ["0", 1.0, True, np.random.RandomState])
def test_other_seeds_are_refused(seed):
    with pytest.raises(TypeError, match="rng is a .*: give None, an int"):
        replicates(*problem(), rng=seed)


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="rng=-1: a seed is 0 or more"):
        replicates(*problem(), rng=-1)
