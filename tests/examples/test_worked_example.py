"""Twelve units: every number by hand, and the intervals of NumPy's draws."""

from tests.examples.programs import printed

PRINTED = """\
Flagged from 0.5 on
  TP 3, FP 3, FN 1, TN 5
  accuracy                  0.6667
  precision                 0.5000
  recall                    0.7500
  specificity               0.6250
  false_positive_rate       0.3750
  negative_predictive_value 0.8333
  f1                        0.6000
  f2                        0.6818
  f0.5                      0.5357
  balanced_accuracy         0.6875
  matthews_corrcoef         0.3536
  cohen_kappa               0.3333

Every threshold
  threshold  TP  FP  FN  TN  recall     FPR  precision
       0.95   1   0   3   8    0.25   0.000     1.0000
       0.85   1   1   3   7    0.25   0.125     0.5000
       0.80   2   1   2   7    0.50   0.125     0.6667
       0.70   2   2   2   6    0.50   0.250     0.5000
       0.65   3   2   1   6    0.75   0.250     0.6000
       0.55   3   3   1   5    0.75   0.375     0.5000
       0.40   4   4   0   4    1.00   0.500     0.5000
       0.30   4   5   0   3    1.00   0.625     0.4444
       0.20   4   6   0   2    1.00   0.750     0.4000
       0.15   4   7   0   1    1.00   0.875     0.3636
       0.10   4   8   0   0    1.00   1.000     0.3333

Ranking
  AUC by trapezoids         0.796875
  AUC by pairs              0.796875
  AUC by ranks              0.796875
  average precision         0.6917
  prevalence, its baseline  0.3333

A false alarm costs 1, a missed faulty unit 10
  from infinity down: 40 30 31 21 22 12 13 4 5 6 7 8
  cheapest threshold 0.40, for 4
  the default 0.5 costs 13
  calculated from the costs 0.0909, for 8
  slope of equal cost 0.2

Scores read as probabilities
  Brier score 0.196875, of the base rate 0.2222
  reliability 0.1552 - resolution 0.1806 + uncertainty 0.2222
  units  mean score  share faulty     gap
      6      0.2583        0.1667  0.0917
      6      0.7500        0.5000  0.2500
  expected calibration error 0.1708

95 % intervals of the accuracy
  Wald      0.3999 to 0.9334
  Wilson    0.3906 to 0.8619
  bootstrap 0.4167 to 0.9167
95 % interval of the AUC: 0.4831 to 1.0000
  17 of 2,000 resamples hold no faulty unit (15.4 expected)
"""


def test_twelve_units():
    assert printed("worked_example.py") == PRINTED
