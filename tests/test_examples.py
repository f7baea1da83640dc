"""The programs in examples/ run and print or write what they promise."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SCREENING = EXAMPLES / "data" / "screening.csv"


def read_columns(file):
    with file.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_screening_script_reproduces_the_committed_file(tmp_path):
    again = tmp_path / "screening.csv"
    script = EXAMPLES / "make_screening.py"
    subprocess.run([sys.executable, str(script), str(again)], check=True)

    committed, written = read_columns(SCREENING), read_columns(again)

    assert list(written) == list(committed)
    for name in ("row", "diagnosis", "malignant"):
        assert written[name] == committed[name]
    for name in ("logistic_regression", "naive_bayes"):
        # another BLAS sums in another order
        np.testing.assert_allclose(
            np.array(written[name], float), np.array(committed[name], float), rtol=0, atol=1e-9
        )


def test_screening_labels_agree():
    columns = read_columns(SCREENING)
    positive = [diagnosis == "malignant" for diagnosis in columns["diagnosis"]]
    assert len(positive) == 143
    assert sum(positive) == 53
    assert [value == "1" for value in columns["malignant"]] == positive


@pytest.mark.parametrize(
    ("model", "metric", "low", "high"),
    [
        ("logistic_regression", "roc_auc_score", 0.967665, 0.999140),
        ("logistic_regression", "average_precision_score", 0.961846, 0.998611),
        ("naive_bayes", "roc_auc_score", 0.961320, 0.995007),
        ("naive_bayes", "average_precision_score", 0.944070, 0.992313),
    ],
)
def test_screening_file_gives_the_known_percentile_intervals(model, metric, low, high):
    import sklearn.metrics

    columns = read_columns(SCREENING)
    y_true = np.array(columns["malignant"], int)
    y_score = np.array(columns[model], float)
    rng = np.random.default_rng(0)
    draws = (rng.integers(0, y_true.size, y_true.size) for _ in range(2000))
    score = getattr(sklearn.metrics, metric)
    replicates = [score(y_true[rows], y_score[rows]) for rows in draws]
    np.testing.assert_allclose(np.quantile(replicates, [0.025, 0.975]), [low, high], atol=5e-7)
