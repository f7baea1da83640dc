"""The data of a report: arguments checked and aligned, and what binary problems hold.

Conventions
-----------
Everything that the bootstrap takes is passed on as it came, less the rows that were dropped, so
that its numbers are those of a call by hand. Labels, scores and decisions of a binary problem are
read once more for the parts that the bootstrap does not make.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.errors import InputError, LabelError
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.folds._splits import _holds_pairs, _is_splitter
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.validation import weights as read_weights
from fastmetrics.ranking.sweep import ThresholdSweep, threshold_sweep
from fastmetrics.registry import metric, read_metrics
from fastmetrics.report.missing import Dropped, drop_missing

Name = str | None


@dataclass(frozen=True)
class Given:
    """The data arguments of a call.

    Parameters
    ----------
    y_true, y_score, y_pred, sample_weight, groups, strata, by, folds, pos_label : as of `evaluate`
    """

    y_true: Any
    y_score: Any = None
    y_pred: Any = None
    sample_weight: Any = None
    groups: Any = None
    strata: Any = None
    by: Any = None
    folds: Any = None
    pos_label: Any = None


@dataclass(frozen=True)
class Model:
    """What one model says of a binary problem.

    Parameters
    ----------
    name : of the model, None where there is one without a name
    scores : (n,) numbers, or None
    decisions : (n,) 1 where the model says positive, or None where scores decide
    """

    name: Name
    scores: NDArray[Any] | None = None
    decisions: Labels | None = None

    @cached_property
    def has_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""
        if self.scores is None:
            return False
        return bool(self.scores.min() >= 0.0 and self.scores.max() <= 1.0)

    @property
    def values(self) -> NDArray[Any]:
        """The scores (n,), of a model that has them."""
        if self.scores is None:
            raise InputError("y_score: give scores of two classes")
        return self.scores

    @property
    def label(self) -> str:
        """The name as text shows it."""
        return "model" if self.name is None else self.name


@dataclass(frozen=True)
class Sample:
    """The rows of a report.

    Parameters
    ----------
    given : arguments without the rows that were dropped
    dropped : the rows that were
    labels : (n,) uint8, 1 for positives; None where the problem is not of two classes
    models : what each model of a binary problem says
    weights : (n,) or None
    """

    given: Given
    dropped: Dropped
    labels: Labels | None
    models: tuple[Model, ...] = ()
    weights: Floats | None = None
    _sweeps: dict[Name, ThresholdSweep] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Rows that are evaluated."""
        return self.dropped.n_given - self.dropped.n_dropped

    @property
    def truth(self) -> Labels:
        """The labels (n,) of a problem of two classes."""
        if self.labels is None:
            raise InputError("y_true: give labels of two classes")
        return self.labels

    @property
    def has_both_classes(self) -> bool:
        """Whether there are positives and negatives."""
        return self.labels is not None and bool(self.labels.min() < self.labels.max())

    def sweep(self, model: Model) -> ThresholdSweep:
        """Return the counts of a model at every threshold; sorted once."""
        if model.name not in self._sweeps:
            self._sweeps[model.name] = threshold_sweep(
                self.truth, model.values, sample_weight=self.weights
            )
        return self._sweeps[model.name]

    @cached_property
    def clusters(self) -> NDArray[np.int64] | None:
        """Number (n,) of the cluster of each row, or None."""
        if self.given.groups is None:
            return None
        found: dict[Any, int] = {}
        groups = column(as_array(self.given.groups, "groups"), "groups")
        if groups.dtype.kind == "O":
            return np.array([found.setdefault(name, len(found)) for name in groups.tolist()])
        return np.unique(groups, return_inverse=True)[1].astype(np.int64, copy=False)

    @property
    def scored(self) -> tuple[Model, ...]:
        """Models with scores."""
        return tuple(model for model in self.models if model.scores is not None)

    @property
    def probable(self) -> tuple[Model, ...]:
        """Models whose scores are probabilities."""
        return tuple(model for model in self.models if model.has_probabilities)


def read_data(given: Given, metrics: Any, missing: Literal["raise", "drop"]) -> Sample:
    """Check and align the data of a report.

    Parameters
    ----------
    given : the arguments
    metrics : of the call; None for those of a binary problem
    missing : what happens to rows in which something is missing

    Raises
    ------
    ValueError
        The message names the argument, what was found, and the call that works.
    """
    given, dropped = _without_missing(given, missing)
    weights = read_weights(given.sample_weight, dropped.n_given - dropped.n_dropped)
    labels = _binary_labels(given, metrics)
    models = () if labels is None else _models(given)
    return Sample(given, dropped, labels, models, weights)


def _without_missing(given: Given, missing: Literal["raise", "drop"]) -> tuple[Given, Dropped]:
    """Leave out rows in which something is missing."""
    columns = {
        item.name: getattr(given, item.name)
        for item in dataclasses.fields(given)
        if item.name != "pos_label"
    }
    numbered = _numbers_rows(given.folds)
    if numbered:
        del columns["folds"]
    kept, dropped = drop_missing(columns, missing)
    if numbered and dropped.n_dropped:
        raise InputError(
            f"folds numbers the rows as they were given, and missing='drop' leaves "
            f"{dropped.n_dropped:,} of them out: pass the fold of each row"
        )
    return dataclasses.replace(given, **kept), dropped


def _numbers_rows(folds: Any) -> bool:
    """Whether folds are splits of row numbers, and not a label for each row."""
    if folds is None or isinstance(folds, str):
        return False
    return _is_splitter(folds) or _holds_pairs(folds) or not hasattr(folds, "__len__")


def _binary_labels(given: Given, metrics: Any) -> Labels | None:
    """Labels of a binary problem; None where the metrics ask for another."""
    if metrics is not None:
        asked = read_metrics(metrics)
        sample = Arguments(
            given.y_true, given.y_score, given.y_pred, None, given.pos_label, None, asked
        )
        lists = any(entry.statistic.data in ("lists", "classes") for entry in asked)
        if given.y_true is None or sample.reads_values is not None or lists:
            return None
    try:
        return binary_labels(given.y_true, given.pos_label)
    except LabelError as error:
        if metrics is None or given.pos_label is not None:
            raise LabelError(f"{error}; or metrics= for several classes, or for values") from error
        return None


def _models(given: Given) -> tuple[Model, ...]:
    """Read the models of a binary problem."""
    scored: dict[Name, NDArray[Any] | None] = {}
    decided: dict[Name, Labels | None] = {}
    if given.y_score is not None:
        arguments = Arguments(
            given.y_true, given.y_score, None, None, given.pos_label, None, [metric("roc_auc")]
        )
        for model in read_sample(arguments)[1]:
            scored[model.name] = _numbers(model.given, model.scores)
    if given.y_pred is not None:
        arguments = Arguments(
            given.y_true, None, given.y_pred, None, given.pos_label, None, [metric("accuracy")]
        )
        for model in read_sample(arguments)[1]:
            if model.decisions is not None:
                decided[model.name] = (model.decisions == 1).view(np.uint8)
    if not scored and not decided:
        raise ValueError("pass y_score, or y_pred for metrics of decisions")
    names = list(scored or decided)
    return tuple(Model(name, scored.get(name), decided.get(name)) for name in names)


def _numbers(given: NDArray[Any] | None, encoded: NDArray[Any] | None) -> NDArray[Any] | None:
    """Scores as numbers; those that no float holds stand as ranks in what is encoded."""
    if given is not None and given.ndim == 1 and given.dtype.kind in "iuf":
        return given
    if given is not None and given.ndim == 1 and given.dtype.kind == "O":
        return given.astype(np.float64)
    return encoded
