"""The page on coverage is what its program writes from its numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.coverage import PAGE, RESULTS, main
from benchmarks.coverage_page import CLAIMS, METRICS, Results, checked, page


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def test_page_is_what_the_numbers_make(results: dict[str, Any]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(results)


def test_page_has_all_that_was_asked_for(results: dict[str, Any]) -> None:
    table = Results(results["rows"])
    assert {key[:3] for key in table.rows} == {
        (metric, n, share) for metric in METRICS for n in (50, 200, 1_000) for share in (0.5, 0.1)
    }
    assert table.methods("roc_auc") == ["percentile", "basic", "bca", "logit", "delong"]
    assert table.methods("ece") == ["percentile", "basic", "bca", "logit"]
    assert all(row["n_datasets"] + row["n_undefined"] >= 2_000 for row in results["rows"])
    assert results["long"]["n_datasets"] == 10_000
    assert results["n_resamples"] == 2_000


def test_a_sentence_that_the_numbers_refute_is_not_written(results: dict[str, Any]) -> None:
    rows = [dict(row) for row in results["rows"]]
    for row in rows:
        if (row["metric"], row["method"]) == ("roc_auc", "basic"):
            row["coverage"] = 1.0
    with pytest.raises(ValueError, match="refute this sentence: Basic intervals mirror the skew"):
        checked("roc_auc", Results(rows), 2_000)
    assert CLAIMS.keys() == {*METRICS, "all"}


def test_program_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = {"--n-datasets": 8, "--n-resamples": 64, "--long": 5, "--sizes": 50, "--n-jobs": 1}
    words = [str(word) for pair in few.items() for word in pair]
    files = ["--results", str(tmp_path / "found.json"), "--page", str(tmp_path / "page.md")]
    assert main([*words, *files]) == 0
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| 50 | 10 % |" in text
    assert text.count("Coverage in per cent") == len(METRICS)
    assert main([*files, "--page-only"]) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == text
    assert "50 rows, 0.1" in capsys.readouterr().err
