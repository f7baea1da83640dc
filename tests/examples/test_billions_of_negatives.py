"""Ever more negatives: means and spreads of a thousand data sets of each size."""

import numpy as np

from tests.examples.programs import assert_alike, numbers_in, printed

PRINTED = """\
Binormal(2.5), true AUC 0.9615; 100 positives in each data set
recall at a false positive rate of 1 in 10,000, precision from 3.0 on
    negatives           AUC               AP           recall        precision     AP by law
          100    0.962 ±0.011      0.963 ±0.012      0.499 ±0.16       0.996 ±0.011         0.962
       10,000    0.961 ±0.0084     0.479 ±0.05       0.136 ±0.055      0.696 ±0.065         0.476
    1,000,000    0.961 ±0.0084    0.0522 ±0.021      0.113 ±0.032     0.0224 ±0.0033       0.0445
  100,000,000    0.961 ±0.0084   0.00292 ±0.0042     0.112 ±0.031   0.000229 ±3.4e-05    0.000914
1,000,000,000    0.961 ±0.0084   0.00084 ±0.0022     0.112 ±0.031   2.29e-05 ±3.4e-06    9.79e-05
"""


def lines():
    *text, seconds = printed("billions_of_negatives.py").splitlines()
    assert "5,000 data sets" in seconds
    return text


def test_billions_of_negatives():
    assert_alike("\n".join(lines()), PRINTED, rtol=0.3)


def test_the_area_stays_and_precision_goes():
    table = np.array([numbers_in(line)[0] for line in lines()[3:]])
    negatives, area, recall, precision = table[:, [0, 1, 5, 7]].T
    assert negatives[-1] == 1e9
    np.testing.assert_allclose(area, 0.9615, atol=0.002)
    # flagged negatives outnumber 100 positives: precision falls as they grow
    np.testing.assert_allclose(precision[-1] * 10, precision[-2], rtol=0.02)
    assert recall[-1] > 0.1
