"""Coverage: how often an interval holds the truth, over data sets whose truth is known.

Conventions
-----------
The truth is the metric on an endless data set of the same prevalence. Undefined intervals count for
neither side. An interval is too low where it ends below the truth, too high where it begins above.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fastmetrics.engine.description import Metric
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.inference.intervals import METHODS, Method
from fastmetrics.simulation import _options
from fastmetrics.simulation._asked import read_asked
from fastmetrics.simulation._nested import Asked, IntervalFunction, Nesting, is_area
from fastmetrics.simulation._task import Task
from fastmetrics.simulation._truth import true_value
from fastmetrics.simulation.coverage_results import CoverageStudy

ALL_METHODS: tuple[Method, ...] = (*METHODS, "delong")
DEFAULT_METHODS: tuple[Method, ...] = ("percentile", "basic", "bca")


def coverage_study(
    model: Any,
    *,
    n_positive: int,
    n_negative: int,
    n_datasets: int = 2000,
    n_resamples: int = 2000,
    metrics: Any = "roc_auc",
    methods: Any = DEFAULT_METHODS,
    confidence_level: float = 0.95,
    threshold: float | None = None,
    strata: Literal["class"] | None = None,
    class_sizes: Literal["fixed", "random"] = "fixed",
    rng: Any = None,
    n_jobs: int | None = None,
) -> CoverageStudy:
    """Count how often intervals hold the true value of a metric.

    Data set after data set is drawn from the model and bootstrapped; an interval covers when the
    true value lies between its limits.

    Parameters
    ----------
    model : Binormal, ScoreModel, EmpiricalModel, RoundedModel, CalibratedModel
        Or anything with a method ``draw(n_positive, n_negative, generator)``.
    n_positive, n_negative : int
        Rows of each class in every data set, 1 or more.
    n_datasets, n_resamples : int
        Data sets, and replicates of each.
    metrics : str, Metric, function of this library, sequence or mapping of these
        What intervals are of; see ``metric_names``.
    methods : str, function, sequence or mapping of these
        "percentile", "basic", "normal", "logit", "bca", "studentized" or "delong" (of AUC only, and
        left out elsewhere). A function ``(y_true, y_score) -> (low, high)`` makes intervals of a
        single metric without replicates.
    confidence_level : float
        As a fraction, between 0 and 1.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    strata : "class", optional
        Every replicate keeps the number of rows of each class.
    class_sizes : {"fixed", "random"}
        "random": every data set has all rows of both classes together, and as many positives as
        chance gives it.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    CoverageStudy
        Coverage with its binomial error, mean width, misses on either side, the truth and how well
        it is known.

    Raises
    ------
    ValueError
        An option out of range, a method without a metric, a metric without a true value.

    Notes
    -----
    The true AUC, average precision and metrics of flagged rows are exact for models with two laws;
    other metrics are taken of half a million quantiles, those of a model that only draws of twenty
    large data sets. Class sizes that are fixed go with ``strata="class"``, random ones with plain
    resampling: a bootstrap that varies what the data sets do not covers too often. Studentized
    intervals need a standard error of every replicate and cost a hundred times as much.

    References
    ----------
    DiCiccio & Efron 1996, doi:10.1214/ss/1032280214. Carpenter & Bithell 2000,
    doi:10.1002/(SICI)1097-0258(20000515)19:9<1141::AID-SIM479>3.0.CO;2-F.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> study = fm.simulation.coverage_study(
    ...     fm.simulation.Binormal(1.5), n_positive=60, n_negative=140, n_datasets=400,
    ...     n_resamples=500, methods=["percentile", "delong"], rng=0
    ... )
    >>> row = study["roc_auc", "percentile"]
    >>> round(row["truth"], 4), row["truth_error"]
    (0.8556, 0.0)
    >>> bool(abs(row["coverage"] - 0.95) < 4 * row["coverage_error"])
    True
    """
    if not hasattr(model, "draw"):
        raise TypeError(f"model is {model!r}: it has no draw(n_positive, n_negative, generator)")
    root, seed = read_seed(rng)
    task = Task(
        model,
        _options.whole(n_positive, "n_positive", 1),
        _options.whole(n_negative, "n_negative", 1),
        read_asked(model, metrics, threshold),
        root,
    )
    if strata not in (None, "class"):
        raise ValueError(f"strata={strata!r}: simulated rows have 'class' only, or None")
    sizes = _bootstrap_options.one_of(class_sizes, "class_sizes", ("fixed", "random"))
    names, functions = _read_methods(methods, task.metrics)
    asked = Asked(
        methods=names,
        functions=functions,
        level=_bootstrap_options.confidence_level(confidence_level),
        n_resamples=_options.whole(n_resamples, "n_resamples", 1),
        by_class=strata == "class",
        random_sizes=sizes == "random",
    )
    size = _options.whole(n_datasets, "n_datasets", 1)
    prevalence = task.n_positive / (task.n_positive + task.n_negative)
    truths = [true_value(model, metric, prevalence, task.root) for metric in task.metrics]
    for metric, truth in zip(task.metrics, truths):
        if truth.value != truth.value:
            raise ValueError(
                f"{metric.name} has no value on an endless data set of {model!r}: there is nothing "
                "to cover"
            )
    nesting = Nesting(task, asked)
    found = nesting.run(size, _bootstrap_options.threads(n_jobs))
    return CoverageStudy(nesting, truths, found, seed)


def _read_methods(
    methods: Any, metrics: tuple[Metric, ...]
) -> tuple[tuple[str, ...], dict[str, IntervalFunction]]:
    """Return the names of the methods, and the functions among them; each must have a metric."""
    if isinstance(methods, Mapping):
        given = [(str(name), method) for name, method in methods.items()]
    else:
        single = isinstance(methods, str) or callable(methods) or methods is None
        given = [(_name_of(method), method) for method in ([methods] if single else methods)]
    functions = {name: method for name, method in given if callable(method)}
    for name in functions:
        if name in ALL_METHODS:
            raise ValueError(f"methods holds a function called {name!r}, which is a method: rename")
    names = tuple(
        name if callable(method) else _bootstrap_options.one_of(method, "methods", ALL_METHODS)
        for name, method in given
    )
    if not names:
        raise ValueError("methods is empty: name at least one method")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"methods holds {twice[0]!r} twice")
    if functions and len(metrics) > 1:
        raise ValueError(
            f"{next(iter(functions))} makes intervals of one metric: ask for one metric at a time"
        )
    rest = [metric for metric in metrics if not is_area(metric)]
    if "delong" in names and len(rest) == len(metrics):
        raise ValueError("methods holds 'delong', which is of roc_auc only: ask for it, too")
    if names == ("delong",) and rest:
        raise ValueError(f"{rest[0].name} has no interval by 'delong': name another method, too")
    return names, functions


def _name_of(method: Any) -> str:
    """Return a name for a method of a list."""
    return str(getattr(method, "__name__", method))
