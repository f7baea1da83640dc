"""Two years of demand: why a percentage error fails on small numbers, and what to take instead.

A product sells a few pieces a day, more at the end of the week and more from month to month, and on
some days none. A linear model learns the first year and a half and forecasts the last 182 days.

    python examples/forecasts.py
"""

import warnings
from textwrap import indent, wrap

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit

import fastmetrics as fm

DAYS = np.arange(730)
TESTED = 182
WEEK = 7
BY_WEEKDAY = np.array([0.6, 0.7, 0.8, 0.9, 1.2, 1.6, 1.2])


def draw_sales() -> np.ndarray:
    """Draw the pieces sold each day, Poisson around a growing weekly pattern."""
    expected = (1.2 + 2.4 * DAYS / len(DAYS)) * BY_WEEKDAY[DAYS % WEEK]
    return np.random.default_rng(0).poisson(expected)


def forecast(sales: np.ndarray, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Fit a trend and a level per weekday on some days and forecast others."""
    features = np.column_stack([DAYS, np.eye(WEEK)[DAYS % WEEK]])
    return LinearRegression().fit(features[train], sales[train]).predict(features[test])


def print_percentages(actual: np.ndarray, predicted: np.ndarray) -> None:
    """Print the percentage error with and without the days that sold nothing."""
    sold = actual > 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        everywhere = fm.mean_absolute_percentage_error(actual, predicted)
    print(f"  MAPE of all days             {everywhere:.1e}")
    print(indent("\n".join(wrap(f"the library warns: {caught[0].message}", 88)), "    "))
    print("  on days with a sale, forecasts multiplied by")
    print("    factor    MAPE     MAE")
    for factor in (1.0, 0.8, 0.6):
        relative = fm.mean_absolute_percentage_error(actual[sold], factor * predicted[sold])
        absolute = fm.mean_absolute_error(actual[sold], factor * predicted[sold])
        print(f"    {factor:>6}{relative:>8.4f}{absolute:>8.4f}")


def print_errors(train: np.ndarray, actual: np.ndarray, forecasts: dict[str, np.ndarray]) -> None:
    """Print the errors in pieces, scaled, and against the mean of the days that are tested."""
    print("\n              MAE    RMSE    MASE      R2")
    for name, predicted in forecasts.items():
        values = (
            fm.mean_absolute_error(actual, predicted),
            fm.root_mean_squared_error(actual, predicted),
            fm.mean_absolute_scaled_error(actual, predicted, y_train=train, seasonality=WEEK),
            fm.r2_score(actual, predicted),
        )
        print(f"  {name:<9}" + "".join(f"{value:>8.4f}" for value in values))


def print_r2(sales: np.ndarray, train: np.ndarray, test: np.ndarray) -> None:
    """Print R2 beside the squared correlation: equal on the days that were fitted, only there."""
    print("\n                    R2  correlation squared")
    for name, days in (("fitted days", train), ("later days", test)):
        predicted = forecast(sales, train, days)
        correlation = np.corrcoef(sales[days], predicted)[0, 1]
        print(f"  {name:<12}{fm.r2_score(sales[days], predicted):>8.4f}{correlation**2:>21.4f}")


def print_forward_chaining(sales: np.ndarray) -> None:
    """Print the mean of five folds' RMSE beside the RMSE of all their days."""
    folds = list(TimeSeriesSplit(5).split(DAYS))
    predicted = np.zeros(len(DAYS))  # of the days before the first fold nothing is read
    for train, test in folds:
        predicted[test] = forecast(sales, train, test)
    result = fm.fold_scores(sales, predicted, folds, "root_mean_squared_error")
    print("\nFive folds forward in time")
    print("  RMSE", *(f"{value:.4f}" for value in result.per_fold))
    print(f"  mean {result.mean:.4f}, pooled {result.pooled:.4f}")
    print(f"  {result.info.describe()}")


def print_intervals(
    train: np.ndarray, actual: np.ndarray, forecasts: dict[str, np.ndarray]
) -> None:
    """Print intervals of the scaled error that keep weeks together, and the difference."""
    scaled = fm.metric("mean_absolute_scaled_error", y_train=train, seasonality=WEEK, name="MASE")
    weeks = np.arange(len(actual)) // WEEK
    result = fm.bootstrap(actual, forecasts, scaled, groups=weeks, rng=0)
    print("\n26 weeks resampled whole")
    print(result)
    print(result.compare(baseline="last week"))


def main() -> None:
    """Forecast, then judge the forecast in every way."""
    sales = draw_sales()
    train, test = DAYS[:-TESTED], DAYS[-TESTED:]
    actual, linear = sales[test], forecast(sales, train, test)
    forecasts = {
        "linear": linear,
        "last week": sales[test - WEEK].astype(float),
        "past mean": np.full(TESTED, sales[train].mean()),
    }
    empty, tested_empty = (int((days == 0).sum()) for days in (sales, actual))
    print(f"{len(DAYS)} days, {empty} of them without a sale")
    print(f"A linear model forecasts the last {TESTED}, {tested_empty} of them without a sale")
    print_percentages(actual, linear)
    print_errors(sales[train], actual, forecasts)
    print_r2(sales, train, test)
    print_forward_chaining(sales)
    print_intervals(sales[train], actual, forecasts)


if __name__ == "__main__":
    main()
