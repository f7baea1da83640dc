"""Grades, a rare class and households: numbers by hand, and the study of points drawn here."""

import re

from tests.examples.programs import printed

PRINTED = """\
Seventy graded parts
            precision  recall      F1  support
  good         0.8846  0.9200  0.9020       50
  rework       0.6429  0.6000  0.6207       15
  scrap        0.5000  0.4000  0.4444        5
  macro        0.6758  0.6400  0.6557
  weighted     0.8053  0.8143  0.8090
  micro        0.8143  0.8143  0.8143
  F1 of the macro averages  0.6574
  micro less macro F1       0.1586
  kappa                     0.5604
  kappa, squared distances  0.6145
  MCC                       0.5617

A grader that calls every part good
  accuracy            0.7143
  macro F1            0.2778
  weighted F1         0.5952
  balanced accuracy   0.3333
  MCC                 0.0000
  kappa               0.0000
  recall, last class  0.0000

Three classes of 1,500, 400 and 100 rows
  accuracy            0.8725
  macro F1            0.7211
  weighted F1         0.8667
  balanced accuracy   0.6822
  MCC                 0.6613
  kappa               0.6586
  recall, last class  0.4100

The same model, its rare class forbidden
  accuracy            0.8580
  macro F1            0.5392
  weighted F1         0.8363
  balanced accuracy   0.5543
  MCC                 0.6187
  kappa               0.6132
  recall, last class  0.0000

Three clouds of points, classified out of fold
  accuracy            0.8660
  macro F1            0.7186
  weighted F1         0.8603
  balanced accuracy   0.6843
  MCC                 0.6428
  kappa               0.6396
  recall, last class  0.4400

The same probabilities, the rare class forbidden
  accuracy            0.8525
  macro F1            0.5379
  weighted F1         0.8293
  balanced accuracy   0.5476
  MCC                 0.5971
  kappa               0.5893
  recall, last class  0.0000

Six households
  MSE  9.5000
  RMSE 3.0822
  MAE  2.5000
  MAPE 0.1536
  R2   0.8330

The best constant by each error
                      kWh      MSE     MAE    MAPE
  mean, MSE       18.3333  56.8889  6.6667  0.4634
  median, MAE     17.5000  57.5833  6.6667  0.4424
  weighted, MAPE  12.0000  97.0000  7.6667  0.3700
"""


def test_classes_and_households():
    assert printed("classes_and_regression.py") == PRINTED


def numbers_after(title):
    """The summary that is printed under a title."""
    block = printed("classes_and_regression.py").partition(title)[2].split("\n\n")[0]
    return {
        name: float(value) for name, value in re.findall(r"  (\w.*?) +([\d.]+)\n", block + "\n")
    }


def test_giving_up_a_class_costs_macro_averages_most():
    for before, after in (
        ("Three classes of 1,500, 400 and 100 rows", "The same model, its rare class forbidden"),
        ("Three clouds of points", "The same probabilities, the rare class forbidden"),
    ):
        model, without = numbers_after(before), numbers_after(after)
        lost = {name: model[name] - without[name] for name in model}
        assert without["recall, last class"] == 0
        assert 0 < lost["accuracy"] < 0.02
        assert 0 < lost["weighted F1"] < 0.04
        assert lost["balanced accuracy"] > 0.1
        assert lost["macro F1"] > 0.15
