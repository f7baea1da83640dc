"""Folds and intervals: known draws digit for digit, the library's own within chance."""

import re

import pytest

from tests.examples.programs import assert_alike, printed

PRINTED = """\
Twelve units in four plain folds
  positives per fold: 2 1 1 0
    the library warns: 1 of 4 folds test no positive row (3): what needs one is undefined
    there. StratifiedKFold spreads the positives.

Twelve units in four stratified folds
  units 1, 2, 4     0.3333  1.0000  0.5000
  units 3, 6, 7     0.5000  1.0000  0.6667
  units 5, 9, 10    1.0000  1.0000  1.0000
  units 8, 11, 12      nan  0.0000  0.0000
metric     mean over folds  pooled  undefined
precision           0.4583  0.5000  1 of 4 folds, counted as 0
recall              0.7500  0.7500  0 of 4 folds
f1                  0.5417  0.6000  0 of 4 folds
12 rows in 4 folds of 3 · 1 positive per fold
precision, f1: mean over folds and pooled differ; a mean of ratios is no ratio of sums.

24 rows, six positive, eight groups of unequal size
                   rows tested   positives
  plain, shuffled  6 6 6 6       3 0 3 0
  stratified       6 6 6 6       1 1 2 2
  grouped          6 6 6 6       2 1 2 1
  in time          4 4 4 4       1 1 1 1

Ten positives among 200 rows, ten folds, 200 shuffles
  KFold: 665 of 2,000 folds test no positive
  StratifiedKFold: 0 of 2,000 folds test no positive
  expected of plain folds: 679.5

95 % intervals of a proportion
  right of n           Wald              Wilson
      8 of 12     0.3999 to 0.9334    0.3906 to 0.8619
     11 of 12     0.7603 to 1.0730    0.6461 to 0.9851
     12 of 12     1.0000 to 1.0000    0.7575 to 1.0000
     53 of 53     1.0000 to 1.0000    0.9324 to 1.0000
    800 of 1200   0.6400 to 0.6933    0.6395 to 0.6928

Thirty people answer twenty questions, 0.6517 of them rightly
  answers       0.6133 to 0.6883   SD 0.0192
  people        0.5783 to 0.7217   SD 0.0355
  groups=people 0.5783 to 0.7183   SD 0.0355
  SD over 2,000 fresh groups of people: 0.0421
  SD by the law of the answers: 0.0421

200 test sets of 60 positives among 200 rows, true AUC 0.8556
  187 of 200 percentile intervals hold it, 93.5%
  chance of 200 sets: ± 1.5%; mean width 0.1117
"""
OWN_DRAWS = re.compile(r"  groups=people .*\n")


def test_folds_and_intervals():
    text = printed("folds_and_intervals.py")
    assert OWN_DRAWS.sub("", text) == OWN_DRAWS.sub("", PRINTED)
    assert_alike(OWN_DRAWS.search(text)[0], OWN_DRAWS.search(PRINTED)[0], atol=0.01)


def test_the_real_spread_is_that_of_people():
    text = printed("folds_and_intervals.py")
    deviations = [float(value) for value in re.findall(r"SD.* (0\.\d{4})\n", text)]
    answers, people, groups, fresh, law = deviations
    # 2,000 groups: a standard deviation of 0.042 within 0.0007
    assert fresh == pytest.approx(0.0420, abs=0.0014)
    assert fresh == pytest.approx(law, abs=0.0014)
    assert people == pytest.approx(groups, rel=0.1)
    assert answers < people / 1.5
