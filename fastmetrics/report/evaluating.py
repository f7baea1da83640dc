"""One call on labels and scores that computes everything a report tells."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from fastmetrics.engine.description import Metric
from fastmetrics.engine.draws.seeds import root_sequence
from fastmetrics.errors import InputError
from fastmetrics.inference.bootstraps.bootstrapping import DEFAULT_RESAMPLES, bootstrap
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.folds.cross_validation import fold_scores
from fastmetrics.inference.folds.results import FoldScores
from fastmetrics.registry import read_metrics
from fastmetrics.report.calibration_summary import summarize_calibration
from fastmetrics.report.curves import Draws, affordable_resamples, threshold_intervals
from fastmetrics.report.data_summary import summarize_data
from fastmetrics.report.method_line import Method, describe_method
from fastmetrics.report.results import EvaluationReport
from fastmetrics.report.sample import Given, Model, Name, Sample, read_data
from fastmetrics.report.thresholds import (
    Choice,
    Costs,
    Thresholds,
    choose_thresholds,
    read_costs,
    tabulate_thresholds,
)

OF_SCORES = ("roc_auc", "average_precision")
OF_PROBABILITIES = ("brier_score", "log_loss")
OF_DECISIONS = ("f1", "precision", "recall", "accuracy", "matthews_corrcoef")


def evaluate(
    y_true: npt.ArrayLike | None,
    y_score: Any = None,
    *,
    y_pred: Any = None,
    metrics: Any = None,
    baseline: str | None = None,
    threshold: Any = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    groups: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    by: Any = None,
    folds: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    n_resamples: int | Literal["auto"] = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    method: str | None = None,
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    margin: Any = None,
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
    title: str | None = None,
) -> EvaluationReport:
    """Evaluate one model or several, and report what the numbers say.

    Metrics with intervals, thresholds, calibration, curves with bands, the paired comparison of the
    models, slices and folds, all metrics on the same draws; findings in words, and the way to
    terminal, HTML, Markdown, JSON, CSV and figures.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``. Targets, several classes
        and None are taken with ``metrics``, and get no thresholds, curves and calibration.
    y_score : array-like of shape (n,), mapping or frame, optional
        Scores, higher for the positive class, or a column per model.
    y_pred : array-like of shape (n,), mapping or frame, optional
        Predicted labels for the metrics of decisions, or values; instead of thresholds.
    metrics : str, Metric, callable, sequence or mapping of these, optional
        What to compute. By default ROC AUC and average precision; Brier score and log loss where
        all scores lie in [0, 1]; F1, precision, recall, accuracy and MCC at the threshold; and the
        mean cost of a row where costs are given.
    baseline : str, optional
        The model that all others are compared with; None compares all pairs.
    threshold : float, mapping of models to these, or str, optional
        Rows with scores of at least this are flagged. A name such as "f1" searches the threshold
        with the best value of that metric on these rows. None takes the cheapest one on these rows
        where costs are given, else 0.5 where all scores lie in [0, 1].
    cost_fp, cost_fn : float, optional
        Costs of a false alarm and of a miss.
    groups : array-like of shape (n,), optional
        Cluster of each row. Clusters are drawn whole, as many as there are.
    strata : "class", or array-like of shape (n,), optional
        Every stratum keeps its number of rows, or of clusters, in every replicate.
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more: rows are drawn equally, and count times their weight.
    by : array-like of shape (n,), mapping or frame of these, optional
        Slices: every metric on the rows of each value, too.
    folds : array-like of shape (n,), iterable of (train, test) pairs, or splitter, optional
        The fold that tested each row, where scores are out-of-fold.
    missing : {"raise", "drop"}
        What to do about None and NaN in any of the columns. A row that is dropped is dropped for
        every model, and counted.
    n_resamples : int or "auto"
        Replicates; 0 gives estimates only.
    confidence_level : float
        As a fraction, between 0 and 1.
    method : str, optional
        "percentile", "basic", "normal", "logit", "bca" or "studentized"; None picks per metric.
    resampling : {"multinomial", "poisson", "bayesian"}
        Law of the weights.
    margin : float, pair of floats, or mapping of metrics to these, optional
        The largest loss that does not matter in the comparison, or a lower and an upper margin.
    pos_label : label, optional
        The positive class.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same report for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.
    progress : bool
        Show progress bars.
    title : str, optional
        Heading of the report.

    Returns
    -------
    EvaluationReport
        ``data``, ``scores``, ``comparison``, ``thresholds``, ``calibration``, ``curves``,
        ``folds``, ``findings`` and ``method``; ``to_html``, ``to_markdown``, ``to_json``,
        ``to_dict``, ``to_csv``, ``figures``, ``show``. Printed, it is the report as text.

    Raises
    ------
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    ``scores`` is what ``bootstrap`` returns for the same arguments and seed. Bands of curves are
    drawn when a report is written that shows them, and with fewer replicates beyond some hundred
    million row-replicates, which the method line says.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1, 0, 0]
    >>> y_score = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6, 0.3, 0.05]
    >>> report = fm.evaluate(y_true, y_score, metrics="roc_auc", threshold=0.35, rng=0)
    >>> round(report.scores.estimate, 4)
    0.9167
    >>> report.thresholds.points[0].counts
    BinaryCounts(tp=4, fp=2, fn=0, tn=4)
    >>> print(report.findings[0])
    Only 4 rows are positive: one row more or less moves every metric of that class, and intervals
    are rough.
    """
    given = Given(y_true, y_score, y_pred, sample_weight, groups, strata, by, folds, pos_label)
    costs = read_costs(cost_fp, cost_fn)
    sample = read_data(given, metrics, missing)
    choices = choose_thresholds(sample, threshold, costs)
    chosen, left_out = _metrics(sample, metrics, choices, costs)
    seed = int(rng) if isinstance(rng, int | np.integer) else root_sequence(rng)
    scores = bootstrap(
        sample.given.y_true,
        sample.given.y_score,
        chosen,
        y_pred=sample.given.y_pred,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        method=method,
        threshold=_cuts(choices),
        sample_weight=sample.given.sample_weight,
        groups=sample.given.groups,
        strata=sample.given.strata,
        resampling=resampling,
        by=sample.given.by,
        pos_label=pos_label,
        rng=seed,
        n_jobs=n_jobs,
        progress=progress,
    )
    comparison, sentence = _compare(scores, baseline, margin)
    left_out += sentence
    draws = Draws(scores.info.n_resamples, confidence_level, resampling, seed, n_jobs, progress)
    thresholds = _thresholds(sample, choices, threshold, costs, draws)
    if thresholds is not None and thresholds.searched and not thresholds.intervals:
        left_out += _unsearched(sample, draws)
    return EvaluationReport(
        _title(title, scores),
        summarize_data(sample, scores.info),
        scores,
        comparison,
        thresholds,
        summarize_calibration(sample, confidence_level),
        _folds(sample, chosen, choices),
        _method(sample, scores, thresholds),
        tuple(left_out),
        sample,
        draws,
    )


def _metrics(
    sample: Sample, metrics: Any, choices: Mapping[Name, Choice], costs: Costs | None
) -> tuple[list[Metric], list[str]]:
    """Return the metrics of a report, and sentences on those that it cannot have."""
    outside = [model for model in sample.scored if not model.has_probabilities]
    undecided = [model for model in sample.models if model.name not in choices]
    left_out: list[str] = []
    if outside:
        names = ", ".join(model.label for model in outside if model.name is not None)
        left_out.append(
            f"Scores{f' of {names}' if names else ''} lie outside [0, 1] and are no probabilities: "
            "calibration, Brier score and log loss are left out."
        )
    if sample.labels is not None and not sample.has_both_classes:
        left_out.append(
            "With one class only, calibration, curves and other thresholds are left out."
        )
    if metrics is not None:
        return read_metrics(metrics), left_out
    if undecided:
        left_out.append(
            "Such scores have no default threshold: metrics of decisions are left out. Pass "
            "threshold=, or what errors cost as cost_fp= and cost_fn=."
        )
    names_of: list[Any] = []
    if sample.scored:
        names_of += OF_SCORES
    if sample.scored and not outside:
        names_of += OF_PROBABILITIES
    if not undecided:
        names_of += OF_DECISIONS
        names_of += [costs.metric()] if costs is not None else []
    return read_metrics(names_of), left_out


def _cuts(choices: Mapping[Name, Choice]) -> Any:
    """Return the thresholds as the bootstrap takes them."""
    cuts = {name: choice.threshold for name, choice in choices.items()}
    cuts = {name: cut for name, cut in cuts.items() if not np.isnan(cut)}
    return cuts.get(None) if None in cuts or not cuts else cuts


def _compare(
    scores: BootstrapResult, baseline: str | None, margin: Any
) -> tuple[ComparisonResult | None, list[str]]:
    """Return the comparison of several models, or why there is none."""
    if len(scores.models) < 2:
        if baseline is not None or margin is not None:
            raise InputError(
                "baseline= and margin= compare models, and there is one: pass y_score as a mapping "
                "of names to scores"
            )
        return None, []
    if not scores.info.n_resamples:
        return None, ["Without replicates the models are not compared: ask for n_resamples=2000."]
    if any(entry.rule.method == "studentized" for entry in scores.entries().values()):
        return None, [
            "Studentized intervals have no standard error of a difference: the models are not "
            "compared. Ask for method='bca' or 'percentile'."
        ]
    return scores.compare(baseline, margin), []


def _thresholds(
    sample: Sample,
    choices: dict[Name, Choice],
    threshold: Any,
    costs: Costs | None,
    draws: Draws,
) -> Thresholds | None:
    """Return the thresholds with the intervals of those that were searched."""
    found = tabulate_thresholds(sample, choices, threshold, costs)
    if found is None:
        return None
    intervals = threshold_intervals(sample, choices, found.metric, costs, draws)
    return dataclasses.replace(found, intervals=intervals)


def _unsearched(sample: Sample, draws: Draws) -> list[str]:
    """Say why there are no intervals of searched thresholds, where it is for want of time."""
    if not draws.n_resamples or not sample.has_both_classes:
        return []
    return [
        f"Intervals of searched thresholds are left out: of {sample.n:,} rows they would take "
        "long, and be short."
    ]


def _method(sample: Sample, scores: BootstrapResult, thresholds: Thresholds | None) -> Method:
    """Return how the intervals came about."""
    curves, searches = 0, 0
    if sample.scored and sample.has_both_classes:
        size = scores.info.n_resamples
        curves = affordable_resamples(size, sample.n, len(sample.scored))
    if thresholds is not None:
        found = [result.info.n_resamples for result in thresholds.intervals.values()]
        searches = max(found, default=0)
    return describe_method(scores, curves, searches)


def _folds(
    sample: Sample, metrics: list[Metric], choices: Mapping[Name, Choice]
) -> dict[Name, FoldScores]:
    """Return the metrics of scores per fold, for each model."""
    given = sample.given
    if given.folds is None:
        return {}
    if sample.labels is None:
        raise InputError("folds= is for problems of two classes here: call fm.fold_scores")
    found: dict[Name, FoldScores] = {}
    for model in sample.models:
        asked = [
            metric
            for metric in metrics
            if metric.statistic.kind != "callable"
            # decisions that were given are judged as such, and scores as scores
            and (model.decisions is None or (metric.input == "label") == (model.scores is None))
        ]
        choice = choices.get(model.name)
        cut = None if choice is None or np.isnan(choice.threshold) else choice.threshold
        found[model.name] = fold_scores(
            sample.truth,
            _said(model),
            given.folds,
            {metric.name: metric for metric in asked},
            threshold=cut,
            sample_weight=sample.weights,
        )
    return found


def _said(model: Model) -> NDArray[Any]:
    """Scores (n,) of a model, or its decisions where there are none."""
    if model.scores is None and model.decisions is not None:
        return model.decisions
    return model.values


def _title(title: str | None, scores: BootstrapResult) -> str:
    """Return the heading of a report."""
    if title is not None:
        return title
    models = len(scores.models) or 1
    what = "a model" if models == 1 else f"{models} models"
    return f"Evaluation of {what} on {scores.info.n_rows:,} rows"
