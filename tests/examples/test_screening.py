"""The screening study: every figure of the default run, the options, and what they refuse."""

import sys

import numpy as np
import pytest

from tests.examples.programs import printed
from tests.processes import run

PRINTED = """\
Development set: 426 tumours, 159 malignant
Test set: 143 tumours, 53 malignant

Development set, out of fold; decisions at 0.5
                        logistic_regression          naive_bayes    naive_bayes_platt
  accuracy                           0.9812               0.9413               0.9390
  precision                          0.9809               0.9408               0.9524
  recall                             0.9686               0.8994               0.8805
  f1                                 0.9747               0.9196               0.9150
  matthews_corrcoef                  0.9598               0.8740               0.8692
  roc_auc                            0.9976               0.9886               0.9902
  average_precision                  0.9964               0.9779               0.9846
  brier_score                        0.0159               0.0534               0.0406
  ece                                0.0120               0.0549               0.0431
  roc_auc, mean fold                 0.9980               0.9886               0.9900
  exactly 0 or 1                          2                  109                   13

A false alarm costs 1, a missed tumour 20
  logistic_regression: cheapest out of fold at 0.0520863, for 33
    default          0.5   test cost   82: 4 missed, 2 false alarms
    chosen     0.0520863   test cost   34: 1 missed, 14 false alarms
    Bayes       0.047619   test cost   34: 1 missed, 14 false alarms
  naive_bayes: cheapest out of fold at 1.83647e-07, for 59
    default          0.5   test cost  143: 7 missed, 3 false alarms
    chosen   1.83647e-07   test cost   54: 2 missed, 14 false alarms
    Bayes       0.047619   test cost  144: 7 missed, 4 false alarms
  naive_bayes_platt: cheapest out of fold at 0.104121, for 57
    default          0.5   test cost  143: 7 missed, 3 false alarms
    chosen      0.104121   test cost   53: 2 missed, 13 false alarms
    Bayes       0.047619   test cost   40: 1 missed, 20 false alarms

Test set, 95 % percentile intervals of 2,000 resamples
  logistic_regression  roc_auc            0.9874   0.967665 to 0.999140
  logistic_regression  average_precision  0.9849   0.961846 to 0.998611
  logistic_regression  brier_score        0.0320   0.012647 to 0.057734
  naive_bayes          roc_auc            0.9816   0.961320 to 0.995007
  naive_bayes          average_precision  0.9733   0.944070 to 0.992313
  naive_bayes          brier_score        0.0708   0.033722 to 0.114430
  naive_bayes_platt    roc_auc            0.9816   0.961320 to 0.995007
  naive_bayes_platt    average_precision  0.9733   0.944070 to 0.992313
  naive_bayes_platt    brier_score        0.0555   0.028309 to 0.088169

Differences from naive Bayes, on the same draws
  logistic_regression  roc_auc            +0.005870   -0.007165 to +0.020169   undecided
  naive_bayes_platt    roc_auc            +0.000000   +0.000000 to +0.000000   undecided
  logistic_regression  average_precision  +0.011662   -0.003032 to +0.032543   undecided
  naive_bayes_platt    average_precision  +0.000000   +0.000000 to +0.000000   undecided
  logistic_regression  brier_score        -0.038788   -0.074271 to -0.005060   better
  naive_bayes_platt    brier_score        -0.015349   -0.031443 to -0.000955   better
"""


def test_the_default_run():
    assert printed("screening") == PRINTED


def test_options_change_what_they_name():
    text = printed("screening", "--cost-fn", "50", "--resamples", "100", "--folds", "3")
    assert "A false alarm costs 1, a missed tumour 50" in text
    assert "intervals of 100 resamples" in text
    assert "Bayes      0.0196078" in text  # 1 / 51
    # neither costs nor folds touch the models of the test set
    assert "roc_auc            0.9874" in text


def test_the_seed_and_the_penalty_change_the_models():
    known = PRINTED.splitlines()
    for option in (("--seed", "3"), ("--penalty", "10")):
        text = printed("screening", *option, "--resamples", "100").splitlines()
        rows = [line for line in text if line.startswith("  brier_score")]
        assert rows
        assert rows != [line for line in known if line.startswith("  brier_score")]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--folds", "1"), "argument --folds: 1: give a number of 2 or more"),
        (("--penalty", "none"), "argument --penalty: invalid float value: 'none'"),
        (("--cost-fp", "0", "--cost-fn", "0"), "both costs are 0"),
        (("--seed", "-1"), "give a number of 0 or more"),
    ],
)
def test_options_that_are_refused(option, message, capsys):
    with pytest.raises(SystemExit):
        printed("screening", *option)
    assert message in capsys.readouterr().err


def test_figures_are_saved_where_they_are_asked_for(tmp_path):
    image = pytest.importorskip("matplotlib.image")
    folder = tmp_path / "new" / "figures"
    text = printed("screening", "--figures", str(folder), "--resamples", "100")
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["calibration.png", "costs.png", "differences.png"]
    assert {str(file) for file in files} == set(text.splitlines()[-1].split()[1:])
    for file in files:
        pixels = image.imread(file)
        assert min(pixels.shape[:2]) > 500
        assert 0.01 < np.mean(pixels[..., :3].min(axis=-1) < 0.9) < 0.5  # drawn on, not filled


def test_figures_without_matplotlib_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit):
        printed("screening", "--figures", str(tmp_path))
    assert "--figures needs matplotlib: pip install" in capsys.readouterr().err


def test_it_runs_as_a_program_of_its_own():
    text, errors = run("examples/screening", "--resamples", "100")
    assert text.splitlines()[:2] == PRINTED.splitlines()[:2]
    assert errors == ""
