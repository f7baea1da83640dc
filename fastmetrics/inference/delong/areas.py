"""Intervals and tests of areas under ROC curves by DeLong's method.

Conventions
-----------
The area is the share of pairs of a positive and a negative in which the positive scores higher,
ties by half. Its variance comes from the placements of the rows, exactly and without replicates.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt

from fastmetrics.errors import InputError
from fastmetrics.inference.arguments import options as _options
from fastmetrics.inference.arguments.draws import read_design
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.delong._placements import estimate_areas
from fastmetrics.inference.delong.results import METRIC, SCALES, DeLongResult, Scale, make_result
from fastmetrics.inference.entries import RunInfo
from fastmetrics.inference.intervals import ALTERNATIVES, Alternative
from fastmetrics.registry import read_metrics


def delong_interval(
    y_true: npt.ArrayLike,
    y_score: Any,
    *,
    confidence_level: float = 0.95,
    groups: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    scale: Scale = "logit",
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> DeLongResult:
    """Area under the ROC curve with DeLong's confidence interval, without resampling.

    With V the share of the other class that a row stands on the right side of (its placement, ties
    by half), A their mean, m positives and n negatives: the variance of the area A is
    ``sum (V - A)^2 / (m (m - 1))`` over the positives plus ``sum (V - A)^2 / (n (n - 1))`` over the
    negatives.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}; anything else with ``pos_label``.
    y_score : array-like of shape (n,), mapping or frame
        Scores, no NaN. A mapping or a frame holds one column per model.
    confidence_level : float
        As a fraction, between 0 and 1.
    groups : array-like of shape (n,), optional
        Cluster of each row.
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more; a row of weight 0 counts as absent.
    scale : {"logit", "linear"}
        The interval is symmetric about the logit of the area, or about the area itself.
    alternative : {"two-sided", "less", "greater"}
        One-sided intervals are open below or above.
    pos_label : label, optional
        The positive class.

    Returns
    -------
    DeLongResult
        A ``BootstrapResult`` without replicates, one entry per model. ``covariance`` (k, k) holds
        that of the areas, ``statistic`` the standard errors between the area and 0.5. The area is
        nan, with a warning, where there is one class only; the interval is nan where a class has
        one row, or one cluster.

    Raises
    ------
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    Under ``groups`` the placements are summed within clusters (Obuchowski 1997): each of the sums
    of squares, over the positives, the negatives and their products, is corrected by I / (I - 1)
    for the I clusters that it is made of. Clusters of one row give DeLong's variance.

    Under ``sample_weight`` placements are shares of weight, A is their weighted mean, and
    ``(V - A)^2 / m^2`` becomes ``(w (V - A) / sum of w)^2``, the square of the row's influence
    value: the linearised variance, or infinitesimal jackknife (Efron 1982, chapter 6), of the
    weighted area (Yao, Li & Graubard 2015). Equal weights give DeLong's variance. Weights are no
    counts of rows: weights of 2 do not make the interval narrower.

    Perfectly separated classes have a variance of 0: a warning says so, and the interval, which the
    logit scale leaves to the linear one, has no width. Cost: one sort per model.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595. Sun & Xu (2014),
    doi:10.1109/LSP.2014.2337313. Obuchowski (1997), doi:10.2307/2533958. Yao, Li & Graubard (2015),
    doi:10.1002/sim.6405. Efron (1982), doi:10.1137/1.9781611970319.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> y_score = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> result = fm.delong_interval(y_true, y_score)
    >>> result
    roc_auc  0.8750   95 % CI 0.3451 to 0.9894 (delong)   SE 0.1443
    8 rows, 4 positive · DeLong, no resamples
    >>> fm.delong_interval(y_true, y_score, scale="linear").confidence_interval.high
    1.0
    """
    arguments = Arguments(
        y_true, y_score, None, sample_weight, pos_label, None, read_metrics(METRIC)
    )
    level = _options.confidence_level(confidence_level)
    side = _options.one_of(alternative, "alternative", ALTERNATIVES)
    chosen = _options.one_of(scale, "scale", SCALES)
    true, models = read_sample(arguments)
    if true.labels is None:
        raise InputError(
            f"y_true holds {true.n_classes} classes, an area has two: name the positive one, "
            "pos_label="
        )
    design = read_design("multinomial", None, groups, true)
    _options.require_distinct_names(models, arguments.metrics, [])
    info = RunInfo(
        n_rows=true.n,
        n_positive=int(true.labels.sum()),
        n_resamples=0,
        resampling="delong",
        by_class=False,
        seed=None,
        confidence_level=level,
        frame=_options.frame_library(y_true, y_score),
        n_groups=None if design.groups is None else int(design.groups.max()) + 1,
    )
    areas = estimate_areas(
        [model.name for model in models],
        true.labels,
        [model.scores for model in models if model.scores is not None],
        true.weights,
        design.groups,
    )
    return make_result(areas, info, chosen, side)


def delong_test(
    y_true: npt.ArrayLike,
    y_score: Any,
    *,
    baseline: str | None = None,
    margin: Any = None,
    adjust: Literal["holm", "none"] = "holm",
    confidence_level: float = 0.95,
    groups: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> ComparisonResult:
    """Compare areas under the ROC curves of two models or more by DeLong's test.

    The difference of two areas over its standard error, by their covariance, is compared with the
    normal distribution; with more models the Wald statistic ``d' S^-1 d`` of all differences d from
    the first, with covariance S, tells whether any two differ.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}; anything else with ``pos_label``.
    y_score : mapping or frame
        Scores on the same rows, one column (n,) per model, no NaN.
    baseline : str, optional
        The model that all others are compared with; None compares all pairs.
    margin : float or pair of floats, optional
        The largest loss that does not matter, for a test of non-inferiority; a lower and an upper
        margin of the difference, for a test of equivalence. Each is one-sided, at
        ``(1 + confidence_level) / 2``.
    adjust : {"holm", "none"}
        Adjustment of the p-values over the pairs.
    confidence_level : float
        As a fraction, between 0 and 1.
    groups : array-like of shape (n,), optional
        Cluster of each row.
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more; a row of weight 0 counts as absent.
    alternative : {"two-sided", "less", "greater"}
        "greater" tests whether the model's area is larger than the baseline's.
    pos_label : label, optional
        The positive class.

    Returns
    -------
    ComparisonResult
        Differences, model less baseline, keyed by model and baseline. ``statistic`` is the z of two
        models, or the Wald chi-squared of more, with ``degrees_of_freedom`` and ``joint_pvalue``;
        ``covariance`` (k, k) that of the areas in the order of ``scores.models``; ``scores`` the
        areas with their intervals.

    Raises
    ------
    ValueError
        One model only, or bad data or options; the message names the argument.

    Notes
    -----
    The interval of a difference is linear, ``difference +- z standard errors``, within [-1, 1], and
    agrees with the p-value. Models that rank the rows alike have difference 0, interval [0, 0] and
    p = 1; models that differ with a standard error of 0, such as perfect scores and constant ones,
    have no p-value. Where the covariance matrix is singular the Wald statistic takes its
    Moore-Penrose inverse. Clusters and weights as in ``delong_interval``. The scores are taken as
    given: two nested models fitted on these very rows are no case for this test. Cost: one sort per
    model, one pass per pair.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595. Obuchowski (1997),
    doi:10.2307/2533958. Demler, Pencina & D'Agostino (2012), doi:10.1002/sim.5328 (nested models).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> first = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> second = [0.3, 0.2, 0.1, 0.9, 0.4, 0.5, 0.8, 0.7]
    >>> test = fm.delong_test(y_true, {"first": first, "second": second})
    >>> test
    model  metric   difference            95 % CI      p
    first  roc_auc     +0.2500  -0.0329 to 0.5329  0.083  undecided
    8 rows, 4 positive · DeLong, no resamples
    >>> round(test.statistic, 4), round(test.pvalue, 4)
    (1.7321, 0.0833)
    """
    result = delong_interval(
        y_true,
        y_score,
        confidence_level=confidence_level,
        groups=groups,
        sample_weight=sample_weight,
        alternative=alternative,
        pos_label=pos_label,
    )
    return result.compare(baseline, margin, adjust)
