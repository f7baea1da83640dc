"""Problems to draw, and every plot there is."""

import io

import numpy as np

import fastmetrics as fm

NASTY = {
    "$x^$ & <script>alert(1)</script>": 2.0,
    "_hidden_{$": 1.5,
    "Ünïcödé модель μ": 1.0,
    "a_name_that_is_far_too_long_for_a_legend_and_goes_on_and_on_and_on_and_on_and_on_A": 0.7,
    "a_name_that_is_far_too_long_for_a_legend_and_goes_on_and_on_and_on_and_on_and_on_B": 0.4,
}


def problem(n=200, share=0.3, seed=0):
    """Labels, and probabilities of one model."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < share).astype(int)
    return labels, 1 / (1 + np.exp(1 - 2 * labels - generator.normal(size=n)))


def models(labels, seed=1):
    """Probabilities of five models with names that break things."""
    generator = np.random.default_rng(seed)
    return {
        name: 1 / (1 + np.exp(1 - lift * labels - generator.normal(size=len(labels))))
        for name, lift in NASTY.items()
    }


def svg_of(ax):
    """The figure of axes as SVG, with text as text."""
    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        ax.get_figure(root=True).savefig(stream, format="svg")
    return stream.getvalue()


def _prevalence_rows(names):
    return [
        {"model": name, "prevalence": share, "metric": "precision", "mean": share**0.5}
        for name in names
        for share in (0.5, 0.1, 0.001)
    ]


def _coverage_rows(names):
    return [
        {"metric": name, "method": method, "coverage": 0.93, "n_datasets": 500}
        for name in names
        for method in ("percentile", "bca")
    ]


y_true, y_prob = problem()
FIVE = models(y_true)
TINY = ([0, 1, 1, 0], [0.2, 0.3, 0.9, 0.3])
MATRIX = [[5, 1], [2, 0]]
PAIRS = [
    {"model": a, "baseline": b, "metric": "roc_auc", "difference": 0.1, "low": -0.1, "high": 0.2}
    for a, b in zip(FIVE, list(FIVE)[1:])
]

# every public plot: name, then calls with (ax) that it must survive
CALLS = {
    "plot_roc": [
        lambda ax: fm.plots.plot_roc(y_true, y_prob, ax=ax),
        lambda ax: fm.plots.plot_roc(y_true, FIVE, ax=ax),
        lambda ax: fm.plots.plot_roc(*TINY, ax=ax),
    ],
    "plot_precision_recall": [
        lambda ax: fm.plots.plot_precision_recall(y_true, y_prob, ax=ax),
        lambda ax: fm.plots.plot_precision_recall(y_true, FIVE, ax=ax),
        lambda ax: fm.plots.plot_precision_recall(*TINY, ax=ax),
    ],
    "plot_reliability": [
        lambda ax: fm.plots.plot_reliability(y_true, y_prob, ax=ax),
        lambda ax: fm.plots.plot_reliability(y_true, FIVE, ax=ax),
        lambda ax: fm.plots.plot_reliability(*TINY, ax=ax),
        lambda ax: fm.plots.plot_reliability(y_true, y_prob / 40, strategy="quantile", ax=ax),
    ],
    "plot_cost_curve": [
        lambda ax: fm.plots.plot_cost_curve(y_true, y_prob, cost_fp=1, cost_fn=5, ax=ax),
        lambda ax: fm.plots.plot_cost_curve(y_true, FIVE, cost_fp=1, cost_fn=5, ax=ax),
        lambda ax: fm.plots.plot_cost_curve(*TINY, cost_fp=9, cost_fn=1, ax=ax),
    ],
    "plot_metric_against_threshold": [
        lambda ax: fm.plots.plot_metric_against_threshold(y_true, y_prob, ["f1", "mcc"], ax=ax),
        lambda ax: fm.plots.plot_metric_against_threshold(y_true, FIVE, "f1", ax=ax),
        lambda ax: fm.plots.plot_metric_against_threshold(*TINY, "mcc", ax=ax),
    ],
    "plot_score_histograms": [
        lambda ax: fm.plots.plot_score_histograms(y_true, y_prob, threshold=0.5, ax=ax),
        lambda ax: fm.plots.plot_score_histograms(*TINY, ax=ax),
        lambda ax: fm.plots.plot_score_histograms([0, 1], [2.0, 2.0], ax=ax),
    ],
    "plot_net_benefit": [
        lambda ax: fm.plots.plot_net_benefit(y_true, y_prob, ax=ax),
        lambda ax: fm.plots.plot_net_benefit(y_true, FIVE, ax=ax),
        lambda ax: fm.plots.plot_net_benefit(*TINY, ax=ax),
    ],
    "plot_confusion_matrix": [
        lambda ax: fm.plots.plot_confusion_matrix(MATRIX, labels=list(NASTY)[:2], ax=ax),
        lambda ax: fm.plots.plot_confusion_matrix(np.eye(40), ax=ax),
        lambda ax: fm.plots.plot_confusion_matrix([[np.nan, np.nan], [0.5, 0.5]], ax=ax),
    ],
    "plot_brier_decomposition": [
        lambda ax: fm.plots.plot_brier_decomposition(
            fm.brier_decomposition(y_true, y_prob, n_bins=10), title="$x^$", ax=ax
        )
    ],
    "plot_curve_band": [
        lambda ax: fm.plots.plot_curve_band([0, 1], [0, 1], [0, 0.5], [0.5, 1], label="$a^", ax=ax),
        lambda ax: fm.plots.plot_curve_band([0, 1], [0, np.nan], [0, 0], [1, 1], steps=True, ax=ax),
    ],
    "plot_distribution": [
        lambda ax: fm.plots.plot_distribution(y_prob, estimate=0.5, low=0.1, high=0.9, ax=ax),
        lambda ax: fm.plots.plot_distribution([1.0] * 9, estimate=1.0, low=1.0, high=1.0, ax=ax),
        lambda ax: fm.plots.plot_distribution(y_prob, estimate=0.5, low=-np.inf, high=0.9, ax=ax),
        lambda ax: fm.plots.plot_distribution([np.nan, np.nan], estimate=np.nan, ax=ax),
        lambda ax: fm.plots.plot_distribution([], estimate=0.5, name="$x^", title="_$", ax=ax),
    ],
    "plot_difference": [
        lambda ax: fm.plots.plot_difference(y_prob - 0.4, estimate=0.1, margins=(-0.1, 0.1), ax=ax)
    ],
    "plot_estimates": [
        lambda ax: fm.plots.plot_estimates(
            {"model": list(FIVE), "metric": ["auc"] * 5, "estimate": [0.9, 0.8, 0.7, 0.6, np.nan]},
            ax=ax,
        ),
        lambda ax: fm.plots.plot_estimates([{"metric": "auc", "estimate": None}], ax=ax),
    ],
    "plot_differences": [lambda ax: fm.plots.plot_differences(PAIRS, ax=ax)],
    "plot_folds": [
        lambda ax: fm.plots.plot_folds([0.7, np.nan, 0.9], folds=list(NASTY)[:3], ax=ax),
        lambda ax: fm.plots.plot_folds([np.nan], ax=ax),
        lambda ax: fm.plots.plot_folds(y_prob, pooled=0.5, ax=ax),
    ],
    "plot_simulation": [
        lambda ax: fm.plots.plot_simulation(y_prob, ["$x^"], ax=ax),
        lambda ax: fm.plots.plot_simulation(np.outer(y_prob, np.ones(5)), list(NASTY), ax=ax),
        lambda ax: fm.plots.plot_simulation([np.nan], ax=ax),
    ],
    "plot_prevalence_study": [
        lambda ax: fm.plots.plot_prevalence_study(_prevalence_rows(NASTY), ax=ax)
    ],
    "plot_coverage": [lambda ax: fm.plots.plot_coverage(_coverage_rows(NASTY), title="$", ax=ax)],
}
