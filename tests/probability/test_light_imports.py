"""What calls on plain arrays load."""

from tests import processes


def test_plain_arrays_need_no_scikit_learn():
    program = """
import sys
import numpy as np
import fastmetrics as fm
y_true, y_prob = np.array([0, 1, 1, 0]), np.array([0.2, 0.7, 0.4, 0.5])
columns = np.column_stack([1 - y_prob, y_prob])
for function in (fm.log_loss, fm.brier_score_loss, fm.d2_log_loss_score, fm.d2_brier_score):
    function(y_true, y_prob)
    function(y_true, columns, sample_weight=[1, 2, 3, 4])
for function in (fm.calibration_curve, fm.expected_calibration_error, fm.brier_decomposition):
    function(y_true, y_prob)
assert "sklearn" not in sys.modules
"""
    processes.run("-c", program)
