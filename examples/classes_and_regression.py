"""Three grades, a model that gives one up, and six households: what each average and error hides.

A confusion matrix of three classes is all that the classification metrics need, so that a published
one can be asked for anything. The regression part looks for the constant that each error prefers.

    python examples/classes_and_regression.py
"""

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fastmetrics as fm

GRADES = ("good", "rework", "scrap")
# rows are the truth, columns what the grader said
GRADED = np.array([[46, 3, 1], [5, 9, 1], [1, 2, 2]])
# 1,500, 400 and 100 rows: a model, and the same model without its rarest class
ALL_CLASSES = np.array([[1431, 60, 9], [122, 273, 5], [13, 46, 41]])
TWO_CLASSES = np.array([[1433, 67, 0], [117, 283, 0], [24, 76, 0]])
HOUSEHOLDS = np.array([12, 20, 15, 30, 8, 25])  # kWh a day
FORECAST = np.array([14, 18, 15, 24, 11, 27])


def rows_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rebuild the true and the predicted class of every row from a confusion matrix."""
    true, predicted = np.indices(matrix.shape)
    return np.repeat(true.ravel(), matrix.ravel()), np.repeat(predicted.ravel(), matrix.ravel())


def print_summary(y_true: np.ndarray, y_pred: np.ndarray) -> None:
    """Print one number for all classes, by every definition."""
    for name, value in {
        "accuracy": fm.accuracy_score(y_true, y_pred),
        "macro F1": fm.f1_score(y_true, y_pred, average="macro", zero_division=0),
        "weighted F1": fm.f1_score(y_true, y_pred, average="weighted", zero_division=0),
        "balanced accuracy": fm.balanced_accuracy_score(y_true, y_pred),
        "MCC": fm.matthews_corrcoef(y_true, y_pred),
        "kappa": fm.cohen_kappa_score(y_true, y_pred),
        "recall, last class": fm.recall_score(y_true, y_pred, average=None)[-1],
    }.items():
        print(f"  {name:<20}{value:.4f}")


def print_grades() -> None:
    """Print the metrics of seventy graded parts, class by class and averaged in each way."""
    y_true, y_pred = rows_of(GRADED)
    print("Seventy graded parts")
    print("            precision  recall      F1  support")
    scores = fm.precision_recall_fscore_support(y_true, y_pred)
    for grade, *values, support in zip(GRADES, *scores):
        print(f"  {grade:<10}" + "{:>9.4f}{:>8.4f}{:>8.4f}".format(*values) + f"{support:>9}")
    for average in ("macro", "weighted", "micro"):
        *values, _ = fm.precision_recall_fscore_support(y_true, y_pred, average=average)
        print(f"  {average:<10}" + "{:>9.4f}{:>8.4f}{:>8.4f}".format(*values))
    gap = fm.micro_macro_gap(y_true, y_pred)
    print(f"  F1 of the macro averages  {fm.f1_of_macro_averages(y_true, y_pred):.4f}")
    print(f"  micro less macro F1       {gap.gap:.4f}")
    print(f"  kappa                     {fm.cohen_kappa_score(y_true, y_pred):.4f}")
    quadratic = fm.cohen_kappa_score(y_true, y_pred, weights="quadratic")
    print(f"  kappa, squared distances  {quadratic:.4f}")
    print(f"  MCC                       {fm.matthews_corrcoef(y_true, y_pred):.4f}")
    print("\nA grader that calls every part good")
    print_summary(y_true, np.zeros_like(y_true))


def print_rare_class() -> None:
    """Print a model of three classes beside itself when it never predicts the rare one."""
    for title, matrix in (
        ("Three classes of 1,500, 400 and 100 rows", ALL_CLASSES),
        ("The same model, its rare class forbidden", TWO_CLASSES),
    ):
        print(f"\n{title}")
        print_summary(*rows_of(matrix))


def print_simulated_rare_class() -> None:
    """Print the same experiment on points drawn here, classified out of fold."""
    clouds = fm.simulation.GaussianClasses([[0, 0], [2.2, 0], [1.5, 2]])
    y_true, points = clouds.draw([1500, 400, 100], np.random.default_rng(0))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    probability = fm.out_of_fold_predictions(GaussianNB(), points, y_true, folds)
    print("\nThree clouds of points, classified out of fold")
    print_summary(y_true, probability.argmax(axis=1))
    print("\nThe same probabilities, the rare class forbidden")
    print_summary(y_true, probability[:, :2].argmax(axis=1))


def print_households() -> None:
    """Print the errors of six forecasts, and of the constant that each error likes best."""
    errors = {
        "MSE": fm.mean_squared_error,
        "RMSE": fm.root_mean_squared_error,
        "MAE": fm.mean_absolute_error,
        "MAPE": fm.mean_absolute_percentage_error,
    }
    print("\nSix households")
    for name, error in errors.items():
        print(f"  {name:<5}{error(HOUSEHOLDS, FORECAST):.4f}")
    print(f"  R2   {fm.r2_score(HOUSEHOLDS, FORECAST):.4f}")
    print("\nThe best constant by each error")
    print("                      kWh      MSE     MAE    MAPE")
    for name, constant in {
        "mean, MSE": HOUSEHOLDS.mean(),
        "median, MAE": np.median(HOUSEHOLDS),
        "weighted, MAPE": fm.mape_optimal_constant(HOUSEHOLDS),
    }.items():
        forecast = np.full(len(HOUSEHOLDS), constant)
        squared, absolute, relative = (
            errors[key](HOUSEHOLDS, forecast) for key in ("MSE", "MAE", "MAPE")
        )
        print(f"  {name:<15}{constant:>8.4f}{squared:>9.4f}{absolute:>8.4f}{relative:>8.4f}")


if __name__ == "__main__":
    print_grades()
    print_rare_class()
    print_simulated_rare_class()
    print_households()
