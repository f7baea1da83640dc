"""Delete-one values of rows and clusters against leaving them out, and the acceleration of BCa."""

import types

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.jackknife import cluster_precision, delete_items, delete_one
from fastmetrics.engine.plans.choosing import tile_plan
from tests import reference
from tests.engine.reading_problems import data, expected, read

# tiny samples: replicates without a class, and limits beyond the first replicate
pytestmark = pytest.mark.filterwarnings("ignore:.*(undefined|a limit lies beyond)")

N = 40
CLOSED = {
    "binary": [
        "roc_auc",
        "gini",
        "average_precision",
        fm.metric("f1", threshold=0.5),
        fm.metric("matthews_corrcoef", threshold=0.5),
        fm.metric("cohen_kappa", threshold=0.4),
        "brier_score",
        "log_loss",
    ],
    "values": ["r2", "mean_squared_error", "mean_absolute_error", "mean"],
    "classes": ["f1_macro", "accuracy", "matthews_corrcoef", "cohen_kappa"],
    "columns": ["log_loss", "brier_score"],
}
FAMILIES = pytest.mark.parametrize("family", CLOSED)
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
GROUPS = {
    "unequal": np.random.default_rng(0).permutation(
        np.repeat(np.arange(9), [1, 1, 2, 3, 4, 5, 6, 8, 10])
    ),
    "one huge": np.random.default_rng(1).permutation(np.repeat(np.arange(16), [25] + [1] * 15)),
    "single rows": np.random.default_rng(2).permutation(N),
    "two": np.arange(N) % 2,
}
PARTS = {"all": None, "some": np.sort(np.random.default_rng(4).permutation(N)[:25])}


def problem(family, digits=1, weighted=False):
    """Truth, predictions and sample weights; log loss needs probabilities inside (0, 1)."""
    truth, predicted = data(family, N)
    if family == "binary" and digits > 1:
        predicted = predicted + np.random.default_rng(5).uniform(0, 1e-3, N)
        predicted = predicted / predicted.max()
    sample = np.random.default_rng(6).integers(1, 9, N) / 4 if weighted else None
    return truth, predicted, sample


def plan_of(family, truth, predicted, sample, design, metrics=None, part=None):
    """A plan that leaves out rows or clusters, and the metrics."""
    true, model = read(family, truth, predicted, sample, metrics or CLOSED[family])
    slices = [(None, part)]
    return tile_plan(true, [model], slices, design, whole=True), model.metrics


def left_out(family, metric, truth, predicted, sample, items, part=None):
    """Values (m,) without each item by the definition."""
    inside = np.ones(len(truth), bool)
    if part is not None:
        inside = np.isin(np.arange(len(truth)), part)
    weights = np.ones(len(truth)) if sample is None else sample
    values = []
    for item in range(items.size):
        w = np.where(items.places == item, 0.0, weights)[inside]
        # by scaled copies of the rows that are left: rows of weight 0 are not there
        values.append(expected(family, metric, truth[inside], predicted[inside], w))
    return np.array(values)


def assert_left_out(family, design, *, weighted=False, digits=1, metrics=None, part=None):
    truth, predicted, sample = problem(family, digits, weighted)
    plan, asked = plan_of(family, truth, predicted, sample, design, metrics, part)
    for place, metric in enumerate(asked):
        found = plan.delete_one(place)
        wanted = left_out(family, metric, truth, predicted, sample, plan.items, part)
        assert found.exact
        np.testing.assert_allclose(
            found.values, wanted, rtol=1e-12, atol=1e-12, err_msg=metric.name
        )


@FAMILIES
@WEIGHTED
@pytest.mark.parametrize("digits", [1, 9], ids=["ties", "distinct"])
@pytest.mark.parametrize("part", PARTS)
def test_values_without_a_row(family, weighted, digits, part):
    metrics = None
    if family == "binary" and weighted:
        metrics = [name for name in CLOSED[family] if name != "average_precision"]
    options = {"weighted": weighted, "digits": digits, "metrics": metrics, "part": PARTS[part]}
    assert_left_out(family, Design(), **options)


@FAMILIES
@WEIGHTED
@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("part", PARTS)
def test_values_without_a_cluster(family, weighted, groups, part):
    assert_left_out(family, Design(groups=GROUPS[groups]), weighted=weighted, part=PARTS[part])


@pytest.mark.parametrize("strata", [None, "two"])
def test_values_of_other_metrics_are_found_by_leaving_out_each(strata):
    design = Design(
        groups=GROUPS["unequal"], strata=None if strata is None else GROUPS["unequal"] % 2
    )
    metrics = ["ks", fm.metric("partial_auc", max_fpr=0.3), "ece", "roc_auc"]
    assert_left_out("binary", design, metrics=metrics)
    assert_left_out("values", design, metrics=["median_absolute_error", "max_error"])
    assert_left_out("columns", design, metrics=["roc_auc_ovr"])


@pytest.mark.parametrize("sweeps", [0, 1, 20, 10**9], ids=lambda s: f"prefix worth {s}")
@pytest.mark.parametrize("digits", [1, 9], ids=["ties", "distinct"])
@pytest.mark.parametrize("groups", GROUPS)
def test_average_precision_without_a_cluster_by_prefix_sums_and_by_sweeps(
    groups, digits, sweeps, monkeypatch
):
    monkeypatch.setattr(cluster_precision, "SWEEPS_PER_PREFIX", sweeps)
    design = Design(groups=GROUPS[groups])
    assert_left_out("binary", design, digits=digits, metrics=["average_precision"])


def test_both_ways_to_average_precision_are_taken():
    truth, predicted, _ = problem("binary")
    plan, _ = plan_of("binary", truth, predicted, None, Design(groups=GROUPS["one huge"]))
    reading = plan.readings[0]
    labels, ends = reading.marks & np.uint8(1), reading.ends
    slots = GROUPS["one huge"][reading.order].astype(np.uint32)
    _, swept = cluster_precision.precision_without_clusters(labels, ends, slots, 16)
    # the huge cluster is swept, the fifteen rows beside it have their prefix sums
    assert swept.tolist() == [0]


@pytest.mark.parametrize("seed", range(30))
def test_average_precision_without_a_cluster_on_many_small_problems(seed):
    generator = np.random.default_rng(seed)
    n = int(generator.integers(2, 25))
    truth = generator.integers(0, 2, n)
    predicted = generator.integers(0, 1 + seed % 7, n) / 8
    groups = np.unique(generator.integers(0, 1 + n // 2, n), return_inverse=True)[1]
    if len({*truth}) < 2:
        truth[:2] = [0, 1]
    plan, (metric,) = plan_of(
        "binary", truth, predicted, None, Design(groups=groups), ["average_precision"]
    )
    wanted = left_out("binary", metric, truth, predicted, None, plan.items)
    np.testing.assert_allclose(plan.delete_one(0).values, wanted, atol=1e-13)


def test_average_precision_with_weights_uses_influence_values_of_many_items(monkeypatch):
    truth, predicted, sample = problem("binary", weighted=True)
    for design in (Design(), Design(groups=GROUPS["unequal"])):
        plan, _ = plan_of("binary", truth, predicted, sample, design, ["average_precision"])
        monkeypatch.setattr(delete_items, "LARGEST_LOOP", 3)
        monkeypatch.setattr(delete_one, "LARGEST_LOOP", 3)
        found = plan.delete_one(0)
        assert not found.exact
        whole = reference.average_precision(truth, predicted, sample)
        for item, value in enumerate(found.values):
            step = np.where(plan.items.places == item, 1e-6 * sample, 0.0)
            sides = [
                reference.average_precision(truth, predicted, sample + sign * step)
                for sign in (1, -1)
            ]
            assert value == pytest.approx(whole - (sides[0] - sides[1]) / 2e-6, abs=1e-7)
        monkeypatch.undo()


@pytest.mark.parametrize("kind", ["rows", "clusters"])
@FAMILIES
def test_acceleration_of_strata_is_that_of_several_samples(family, kind):
    truth, predicted, _ = problem(family)
    strata = np.arange(N) % 3
    groups = None
    if kind == "clusters":
        groups = GROUPS["unequal"]
        strata = groups % 3
    plan, asked = plan_of(family, truth, predicted, None, Design(strata=strata, groups=groups))
    items = plan.items
    assert items.pool_sizes.size == 3
    for place, metric in enumerate(asked):
        values = left_out(family, metric, truth, predicted, None, items)
        wanted = reference.acceleration_of_strata(values, items.pools)
        assert plan.delete_one(place).acceleration() == pytest.approx(wanted, rel=1e-9)


def test_strata_have_the_interval_of_scipy_for_several_samples():
    # scipy's samples are the strata, its statistic puts them together again
    generator = np.random.default_rng(0)
    samples = [generator.exponential(size=n) + k for k, n in enumerate((12, 20, 7))]
    strata = np.repeat(np.arange(3), [12, 20, 7])

    def statistic(*parts, axis=-1):
        return np.mean(np.concatenate(parts, axis=axis) ** 2, axis=axis)

    errors = np.concatenate(samples)
    result = fm.bootstrap(
        np.zeros(39), errors, "mean_squared_error", strata=strata, method="bca", rng=0
    )
    there = types.SimpleNamespace(bootstrap_distribution=result.bootstrap_distribution)
    made = stats.bootstrap(
        samples, statistic, n_resamples=0, bootstrap_result=there, method="BCa", vectorized=True
    )
    assert tuple(result.confidence_interval) == pytest.approx(
        tuple(made.confidence_interval), 1e-10
    )


@FAMILIES
@pytest.mark.parametrize("groups", [None, "unequal", "one huge"])
def test_the_bootstrap_reports_this_acceleration(family, groups):
    truth, predicted, _ = problem(family, digits=9)
    call = {"y_pred": predicted} if family == "classes" else {"y_score": predicted}
    clusters = None if groups is None else GROUPS[groups]
    options = {"method": "bca", "n_resamples": 300, "rng": 0, "groups": clusters}
    by = np.isin(np.arange(N), PARTS["some"])
    result = fm.bootstrap(truth, metrics=CLOSED[family], by=by, **call, **options)
    design = Design(groups=clusters)
    plan, asked = plan_of(family, truth, predicted, None, design)
    for metric in asked:
        for key, part in (((metric.name,), None), ((metric.name, True), PARTS["some"])):
            values = left_out(family, metric, truth, predicted, None, plan.items, part)
            entry = result[key]
            if np.isfinite(values).all():
                wanted = reference.acceleration(values)
                assert entry.acceleration == pytest.approx(wanted, rel=1e-7, abs=1e-10), key
            else:
                assert entry.acceleration == 0.0


def test_merged_decisions_have_the_values_of_their_rows():
    truth, predicted = data("classes", 400)
    strata = np.arange(400) % 2
    for design in (Design(), Design(strata=strata)):
        true, model = read("classes", truth, predicted, None, CLOSED["classes"])
        merged = tile_plan(true, [model], [(None, None)], design, whole=False)
        single = tile_plan(true, [model], [(None, None)], design, whole=True)
        assert merged.items.rows is not None
        assert single.items.rows is None
        for place in range(len(model.metrics)):
            found, wanted = merged.delete_one(place), single.delete_one(place)
            np.testing.assert_allclose(
                found.values[merged.items.places], wanted.values[single.items.places], rtol=1e-13
            )
            assert found.acceleration() == pytest.approx(wanted.acceleration(), rel=1e-10)


def test_a_group_of_items_is_left_out_at_a_time():
    truth, predicted, _ = problem("binary")
    plan, _ = plan_of("binary", truth, predicted, None, Design(), ["ks"])
    found = plan.delete_one(0, groups=7)
    assert found.values.shape == (7,)
    whole = reference.ks(truth, predicted)
    # every row is in one group: find the groups from what is left of a tile
    seen = []

    class Spy:
        columns = plan.readings[0].columns

        def read(self, tile):
            seen.append(tile.weights[0, :, 0] == 0)
            return plan.readings[0].read(tile)

    again = delete_items.delete_groups(plan.answers[0], Spy(), plan.items, 7)
    np.testing.assert_array_equal(again.values, found.values)
    np.testing.assert_array_equal(np.sum(seen, axis=0), 1)
    assert {int(gone.sum()) for gone in seen} == {5, 6}
    for gone, value in zip(seen, found.values):
        left = ~gone[plan.items.places]
        assert value == pytest.approx(reference.ks(truth[left], predicted[left]), abs=1e-12)
    assert not np.all(found.values == whole)


def test_groups_of_items_are_no_longer_in_the_order_of_the_scores():
    # the acceleration of a mean of sorted values is that of the same values in any order
    values = np.sort(np.random.default_rng(0).exponential(size=3000))
    wanted = stats.skew(values) / 6 / np.sqrt(values.size)

    def mean(y_true, y_score, sample_weight):
        return float(np.average(y_score, weights=sample_weight))

    found = [
        fm.bootstrap(
            None, values[order], mean, method="bca", jackknife_groups=300, n_resamples=64, rng=0
        ).acceleration
        for order in (np.arange(3000), np.random.default_rng(1).permutation(3000))
    ]
    # a third moment of 300 groups of ten is known to about a third of itself
    np.testing.assert_allclose(found, wanted, rtol=0.75)


def test_more_groups_than_items_leave_out_each_item():
    truth, predicted, _ = problem("binary")
    plan, _ = plan_of("binary", truth, predicted, None, Design(), ["ks"])
    found, every = plan.delete_one(0, groups=1000), plan.delete_one(0)
    assert sorted(found.values) == sorted(every.values)


def test_metrics_with_a_closed_form_leave_out_items_whatever_groups_are_asked_for():
    truth, predicted, _ = problem("binary")
    plan, _ = plan_of("binary", truth, predicted, None, Design(), ["roc_auc", "f1"])
    for place in (0, 1):
        np.testing.assert_array_equal(
            plan.delete_one(place, groups=3).values, plan.delete_one(place).values
        )


def test_too_many_items_without_a_closed_form_are_refused(monkeypatch):
    monkeypatch.setattr(delete_items, "LARGEST_LOOP", 3)
    monkeypatch.setattr(delete_one, "LARGEST_LOOP", 3)
    truth, predicted, _ = problem("binary")
    message = (
        "ece has no closed jackknife, and leaving out each of 40 rows in turn is too much: pass "
        "method='percentile', or jackknife_groups= to leave out groups of rows"
    )
    with pytest.raises(ValueError, match=message):
        fm.bootstrap(truth, predicted, "ece", method="bca", n_resamples=10)
    with pytest.raises(ValueError, match="ece has no closed jackknife.* each of 9 clusters"):
        fm.bootstrap(
            truth, predicted, "ece", method="bca", n_resamples=10, groups=GROUPS["unequal"]
        )
    result = fm.bootstrap(
        truth, predicted, "ece", method="bca", n_resamples=100, jackknife_groups=10, rng=0
    )
    assert result.method == "bca"


def test_items_without_rows_in_a_slice_leave_the_estimate_as_it_is():
    truth, predicted, _ = problem("binary")
    part = np.flatnonzero(GROUPS["unequal"] > 5)
    plan, asked = plan_of(
        "binary", truth, predicted, None, Design(groups=GROUPS["unequal"]), part=part
    )
    for place, metric in enumerate(asked):
        whole = expected("binary", metric, truth[part], predicted[part], np.ones(part.size))
        outside = plan.delete_one(place).values[:6]
        np.testing.assert_allclose(outside, whole, rtol=1e-13)


def test_a_value_that_is_undefined_without_an_item_is_nan():
    truth, predicted = np.array([1, 0, 0, 0, 1]), np.array([0.9, 0.1, 0.8, 0.3, 0.9])
    groups = np.array([0, 1, 2, 1, 0])
    metrics = ["roc_auc", "average_precision", fm.metric("recall", threshold=0.5)]
    plan, _ = plan_of("binary", truth, predicted, None, Design(groups=groups), metrics)
    for place in range(3):
        found = plan.delete_one(place)
        assert np.isnan(found.values).tolist() == [True, False, False]
        assert np.isnan(found.acceleration())
