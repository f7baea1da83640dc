"""Operating points: the threshold chosen anew in every replicate."""

import numpy as np
import pytest

import fastmetrics as fm

RNG = np.random.default_rng(0)
LABELS = (RNG.random(120) < 0.4).astype(int)
SCORES = np.round(1 / (1 + np.exp(-RNG.normal(size=120) - 1.5 * LABELS)), 2)
OPTIONS = {"n_resamples": 200, "rng": 0}


def test_estimates_are_those_of_the_search():
    point = fm.operating_point(LABELS, SCORES, "f1", **OPTIONS)
    best = fm.best_threshold(LABELS, SCORES, "f1")
    assert point["threshold"].estimate == best.threshold
    assert point["f1"].estimate == pytest.approx(best.value)
    point = fm.operating_point(LABELS, SCORES, cost_fp=1, cost_fn=5, **OPTIONS)
    best = fm.best_threshold(LABELS, SCORES, cost_fp=1, cost_fn=5)
    assert point["threshold"].estimate == best.threshold
    assert point["cost"].estimate == pytest.approx(best.value / 120)


@pytest.mark.parametrize("weights", [None, RNG.random(120)], ids=["plain", "weighted"])
def test_replicates_are_searched_anew(weights):
    """Both entries lie on one search: no fixed threshold costs less in any replicate."""
    point = fm.operating_point(
        LABELS, SCORES, cost_fp=1, cost_fn=5, sample_weight=weights, **OPTIONS
    )
    costs = point["cost"].bootstrap_distribution
    fixed = fm.bootstrap(
        LABELS,
        SCORES,
        {"cost": lambda y, s, sample_weight: _cost(y, s, sample_weight, 0.5)},
        sample_weight=weights,
        **OPTIONS,
    )
    assert costs.mean() <= fixed.bootstrap_distribution.mean()
    assert np.isin(
        point["threshold"].bootstrap_distribution, [*SCORES, np.nextafter(SCORES.max(), 9)]
    ).all()


def _cost(labels, scores, weights, threshold):
    flagged = scores >= threshold
    wrong = weights * (flagged & (labels == 0)) + 5 * weights * (~flagged & (labels == 1))
    return wrong.sum() / weights.sum()


def test_flagging_nothing_is_a_threshold_above_all_scores():
    point = fm.operating_point(
        [0, 0, 1, 0], [0.1, 0.2, 0.3, 0.4], cost_fp=100, cost_fn=1, **OPTIONS
    )
    assert point["threshold"].estimate == np.nextafter(0.4, np.inf)
    assert point["cost"].estimate == 0.25


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="both cost_fp= and cost_fn="):
        fm.operating_point(LABELS, SCORES)
    with pytest.raises(ValueError, match="roc_auc is no metric of one threshold"):
        fm.operating_point(LABELS, SCORES, "roc_auc")
    with pytest.raises(ValueError, match="several models"):
        fm.operating_point(LABELS, {"a": SCORES, "b": SCORES}, "f1")
    with pytest.raises(ValueError, match="method='bca'"):
        fm.operating_point(LABELS, SCORES, "f1", method="bca")
