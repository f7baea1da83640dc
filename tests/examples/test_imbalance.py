"""Rare positives: counts and metrics of known draws, and two models in opposite orders."""

from tests.examples.programs import printed

PRINTED = """\
True AUC 0.9214; flagged from 1.0 on
positives              20,000    2,222      202
prevalence              50.0%    10.0%     1.0%
tp                     16,862    1,888      177
fp                      3,173    3,185    3,200
fn                      3,138      334       25
tn                     16,827   16,815   16,800
roc_auc                0.9217   0.9255   0.9238
average_precision      0.9224   0.6819   0.3020
accuracy               0.8422   0.8416   0.8404
balanced_accuracy      0.8422   0.8452   0.8581
precision              0.8416   0.3722   0.0524
recall                 0.8431   0.8497   0.8762
f1                     0.8424   0.5176   0.0989
matthews_corrcoef      0.6845   0.4935   0.1910
cohen_kappa            0.6845   0.4397   0.0816
flagging nothing
  accuracy_score       0.5000   0.9000   0.9900
  matthews_corrcoef    0.0000   0.0000   0.0000
  cohen_kappa_score    0.0000   0.0000   0.0000
by the law of the scores
  precision            0.8413   0.3707   0.0508
  average precision    0.9218   0.6655   0.2690

200 positives among 20,000  model A  model B
  true AUC                    0.9214   0.8775
  AUC                         0.9239   0.8942
  average precision           0.3093   0.4940
  recall at 1 % FPR           0.4000   0.5250
  precision at 50 % recall    0.1969   0.3788
"""


def test_prevalences_and_two_models():
    assert printed("imbalance.py") == PRINTED
