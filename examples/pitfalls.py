"""Ways to be wrong with a metric, each with the numbers that show it.

Those that need trained models are in `screening/`, those of forecasts in `forecasts.py`, those of
folds and of what to resample in `folds_and_intervals.py`.

    python examples/pitfalls.py
"""

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

import fastmetrics as fm
from classes_and_regression import ALL_CLASSES, GRADED, TWO_CLASSES, rows_of
from imbalance import THRESHOLD, sample
from worked_example import FAULTY, SCORES

SCREENING = Path(__file__).parent / "data" / "screening.csv"
FLAGGED = SCORES >= 0.5


def show(title: str, numbers: Mapping[str, float | str]) -> None:
    """Print a pitfall and the numbers that show it."""
    print(title)
    for name, value in numbers.items():
        shown = value if isinstance(value, str) else f"{value:.4f}"
        print(f"    {name:<42}{shown}")


def area_of_decisions() -> None:
    """Decisions have no ranking: their area is the balanced accuracy."""
    numbers = {
        "AUC of the scores": fm.roc_auc_score(FAULTY, SCORES),
        "AUC of the decisions": fm.roc_auc_score(FAULTY, FLAGGED),
        "balanced accuracy": fm.balanced_accuracy_score(FAULTY, FLAGGED),
    }
    show("AUC of decisions instead of scores", numbers)


def trapezoids_of_precision() -> None:
    """Between two points of a precision-recall curve nothing lies on the straight line."""
    generator = np.random.default_rng(3)
    positive, negative = 2.5 + generator.normal(size=20), generator.normal(size=1980)
    y_true, y_score = np.repeat([1, 0], [20, 1980]), np.concatenate([positive, negative])
    for what, scores in (("scores", y_score), ("decisions", y_score >= 2)):
        precision, recall, _ = fm.precision_recall_curve(y_true, scores)
        numbers = {
            "average precision": fm.average_precision_score(y_true, scores),
            "trapezoids": fm.auc(recall, precision),
        }
        show(f"Trapezoids under a precision-recall curve of {what}", numbers)


def stepping_through_ties() -> None:
    """Units 7 and 8 tie; whoever lets the sort put one first gets one of two areas."""
    working, faulty = SCORES.copy(), SCORES.copy()
    working[6] += 1e-9
    faulty[7] += 1e-9
    numbers = {
        "working unit first": f"{fm.roc_auc_score(FAULTY, working):.6f}",
        "faulty unit first": f"{fm.roc_auc_score(FAULTY, faulty):.6f}",
        "both at once": f"{fm.roc_auc_score(FAULTY, SCORES):.6f}",
    }
    show("Ties broken by the order of the rows", numbers)


def accuracy_of_rare_positives() -> None:
    """Flagging nothing beats a model that finds nearly nine of ten positives."""
    y_true, y_score = sample(202)
    flagged = y_score >= THRESHOLD
    numbers = {
        "accuracy of the model": fm.accuracy_score(y_true, flagged),
        "recall of the model": fm.recall_score(y_true, flagged),
        "accuracy of flagging nothing": fm.accuracy_score(y_true, np.zeros_like(y_true)),
    }
    show("Accuracy with 1 % positives", numbers)


def averages_that_hide_a_class() -> None:
    """A model that gives up the rare class loses little of any weighted average."""
    numbers = {}
    for average in ("weighted", "macro"):
        before, after = (
            fm.f1_score(*rows_of(matrix), average=average, zero_division=0)
            for matrix in (ALL_CLASSES, TWO_CLASSES)
        )
        numbers[f"{average} F1 lost with the rare class"] = before - after
    y_true, y_pred = rows_of(ALL_CLASSES)
    numbers["weighted recall"] = fm.recall_score(y_true, y_pred, average="weighted")
    numbers["micro F1"] = fm.f1_score(y_true, y_pred, average="micro")
    numbers["accuracy, the same again"] = fm.accuracy_score(y_true, y_pred)
    show("Weighted averages", numbers)


def two_macro_averages() -> None:
    """Two numbers go by the name of macro F1."""
    y_true, y_pred = rows_of(GRADED)
    numbers = {
        "mean of the F1": fm.f1_score(y_true, y_pred, average="macro"),
        "F1 of the means": fm.f1_of_macro_averages(y_true, y_pred),
    }
    show("Macro F1", numbers)


def positive_class() -> None:
    """Precision, recall and F1 describe one class, the others both."""
    truth = np.where(FAULTY == 1, "faulty", "working")
    decided = np.where(FLAGGED, "faulty", "working")
    for name in ("faulty", "working"):
        numbers = {
            "precision": fm.precision_score(truth, decided, pos_label=name),
            "recall": fm.recall_score(truth, decided, pos_label=name),
            "F1": fm.f1_score(truth, decided, pos_label=name),
        }
        show(f"Positive means {name}", numbers)
    numbers = {
        "accuracy": fm.accuracy_score(truth, decided),
        "MCC": fm.matthews_corrcoef(truth, decided),
        "kappa": fm.cohen_kappa_score(truth, decided),
    }
    show("Either way", numbers)


def transposed_matrix() -> None:
    """Rows are the truth; read the other way round, recall passes for precision."""
    matrix = fm.confusion_matrix(FAULTY, FLAGGED)
    numbers = {
        "TN FP FN TP": " ".join(map(str, matrix.ravel())),
        "precision, down the column": matrix[1, 1] / matrix[:, 1].sum(),
        "along the row it is recall": matrix[1, 1] / matrix[1].sum(),
    }
    show("A confusion matrix read transposed", numbers)


def read_screening() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Read the labels and both models' probabilities of 143 tumours."""
    with SCREENING.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    names = ("logistic_regression", "naive_bayes")
    scores = {name: np.array([float(row[name]) for row in rows]) for name in names}
    return np.array([int(row["malignant"]) for row in rows]), scores


def thresholds_by_default() -> None:
    """A missed tumour costs twenty false alarms: 0.5 is dear, and 1/21 needs probabilities."""
    malignant, scores = read_screening()
    numbers = {}
    for model, y_score in scores.items():
        sweep = fm.threshold_sweep(malignant, y_score)
        for name, threshold in (("0.5", 0.5), ("1/21", fm.bayes_threshold(1, 20))):
            counts = sweep.at(threshold)
            cost = counts.fp + 20 * counts.fn
            numbers[f"{model.replace('_', ' ')} at {name} costs"] = str(cost)
    show("Threshold by default, or from scores that are no probabilities", numbers)


def overlapping_intervals() -> None:
    """Two intervals overlap although the difference is clear: both models err on the same rows."""
    malignant, scores = read_screening()
    generator = np.random.default_rng(0)
    draws = (generator.integers(0, 143, 143) for _ in range(2000))
    comparison = fm.compare(malignant, scores, "brier_score", resamples=draws, method="percentile")
    numbers = {}
    for model in scores:
        low, high = comparison.scores[model].confidence_interval
        numbers[f"Brier score, {model.replace('_', ' ')}"] = f"{low:.4f} to {high:.4f}"
    low, high = comparison["logistic_regression", "naive_bayes"].confidence_interval
    numbers["difference on the same draws"] = f"{low:.4f} to {high:.4f}"
    show("Comparing models by separate intervals", numbers)


def calibrating_on_training_rows() -> None:
    """A forest knows its training rows by heart: they cannot say how sure it may be."""
    features, y_true = make_classification(3000, flip_y=0.3, random_state=0)
    train, rest, y_train, y_rest = train_test_split(features, y_true, random_state=0)
    held_out, test, y_held_out, y_test = train_test_split(rest, y_rest, random_state=0)
    forest = RandomForestClassifier(50, min_samples_leaf=3, random_state=0).fit(train, y_train)
    scores = forest.predict_proba(test)[:, 1]
    numbers = {"as it is": fm.brier_score_loss(y_test, scores)}
    for name, points, labels in (("training", train, y_train), ("held out", held_out, y_held_out)):
        platt = fm.PlattScaling(smoothing=True).fit(forest.predict_proba(points)[:, 1], labels)
        numbers[f"fitted to {name} rows"] = fm.brier_score_loss(y_test, platt.predict(scores))
    show("Platt scaling of a forest: its Brier score", numbers)


def few_examples() -> None:
    """The width of an interval belongs to the rows in the denominator."""
    for_twelve, for_recall, for_all = (
        fm.wilson_interval(right, n) for right, n in ((8, 12), (49, 53), (137, 143))
    )
    numbers = {
        "accuracy, 8 of 12 units": "{:.4f} to {:.4f}".format(*for_twelve),
        "accuracy, 137 of 143 tumours": "{:.4f} to {:.4f}".format(*for_all),
        "recall, 49 of the 53 malignant ones": "{:.4f} to {:.4f}".format(*for_recall),
    }
    show("Few examples", numbers)


if __name__ == "__main__":
    area_of_decisions()
    trapezoids_of_precision()
    stepping_through_ties()
    accuracy_of_rare_positives()
    averages_that_hide_a_class()
    two_macro_averages()
    positive_class()
    transposed_matrix()
    thresholds_by_default()
    overlapping_intervals()
    calibrating_on_training_rows()
    few_examples()
