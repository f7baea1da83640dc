"""Demand: errors of a forecast, and intervals that keep weeks together."""

from tests.examples.programs import assert_alike, numbers_in, printed

PRINTED = """\
730 days, 79 of them without a sale
A linear model forecasts the last 182, 9 of them without a sale
  MAPE of all days             5.8e+14
    the library warns: 9 of 182 targets in y_true are 0: they are divided by 2.2e-16
    instead, so that a percentage error means little; mean_absolute_error and
    mean_absolute_scaled_error have no such trouble
  on days with a sale, forecasts multiplied by
    factor    MAPE     MAE
       1.0  0.5246  1.1293
       0.8  0.4557  1.2513
       0.6  0.4693  1.5657

              MAE    RMSE    MASE      R2
  linear     1.2016  1.5183  0.7721  0.2677
  last week  1.6484  2.0939  1.0591 -0.3928
  past mean  1.5166  1.9676  0.9744 -0.2297

                    R2  correlation squared
  fitted days   0.2438               0.2438
  later days    0.2677               0.2816

Five folds forward in time
  RMSE 1.6113 1.5152 1.6798 1.3914 1.6422
  mean 1.5680, pooled 1.5714
  605 rows in 5 folds of 121 · 125 rows in no fold, left out

26 weeks resampled whole
linear MASE     0.7721   95 % CI 0.6657 to 0.9023 (bca)   SE 0.0600
last week MASE  1.0591   95 % CI 0.9391 to 1.1814 (bca)   SE 0.0608
past mean MASE  0.9744   95 % CI 0.8669 to 1.1674 (bca)   SE 0.0701
182 rows in 26 groups · 2,000 multinomial resamples of groups, seed 0 · 0 undefined · Monte-Carlo error of limits up to 0.0048, 0.0092
Same draws for all models. Overlap is no test: use .compare().
model      baseline   metric  difference             95 % CI       p  p adjusted  ahead in
linear     last week  MASE       -0.2870  -0.3838 to -0.1720  0.0019      0.0038     100 %  better
past mean  last week  MASE       -0.0847   -0.2012 to 0.0318    0.15        0.15      92 %  undecided
182 rows in 26 groups · 2,000 multinomial resamples of groups, seed 0
p adjusted by holm; intervals are not adjusted.
"""  # noqa: E501
DRAWN = "26 weeks resampled whole"


def test_errors_of_the_forecast():
    text, _, intervals = printed("forecasts.py").partition(DRAWN)
    known, _, known_intervals = PRINTED.partition(DRAWN)
    assert text == known
    assert_alike(intervals, known_intervals, rtol=0.02, atol=0.02)


def lines_of(title):
    """Numbers of the lines that are printed after a title."""
    block = printed("forecasts.py").partition(title)[2].split("\n\n")[0].splitlines()[1:]
    return [numbers_in(line)[0] for line in block if numbers_in(line)[0].size > 1]


def test_a_percentage_error_rewards_forecasts_that_are_too_low():
    (_, relative, absolute), (_, low_relative, low_absolute), _ = lines_of("multiplied by")
    assert low_relative < relative
    assert low_absolute > absolute


def test_the_mean_over_folds_is_optimistic():
    *_, (mean, pooled), _ = lines_of("Five folds")
    assert mean < pooled
