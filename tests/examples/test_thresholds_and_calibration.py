"""A printout of many metrics on one simulated problem, digit for digit."""

from tests.examples.programs import printed

PRINTED = """\
thresh    acc   prec    rec   spec     f1    mcc
  0.10  0.696  0.208  0.707  0.695  0.322  0.255
  0.25  0.877  0.360  0.265  0.946  0.305  0.243
  0.50  0.899  0.588  0.039  0.997  0.073  0.133

auc: posterior = 0.7646  sigmoid = 0.7646  theory = 0.7602
brier: calibrated = 0.0820  miscalibrated = 0.2752  predict-prevalence = 0.0916
regression: rmse = 0.2934  mae = 0.2367  r2 = 0.7892
"""


def test_every_line_comes_out():
    assert printed("thresholds_and_calibration.py") == PRINTED
