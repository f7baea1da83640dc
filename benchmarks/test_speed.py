"""Every case at its tiny size: the answers agree and the code runs. No test of times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import own, rivals
from benchmarks.cases import CASES, GROUPS, cases_with_their_bars
from benchmarks.data import index_draws, make_problem
from benchmarks.kinds import Case, RatioCase, Rival
from benchmarks.lines import Bar, Line
from benchmarks.machine import this_machine
from benchmarks.report import chosen_cases, describe, main
from benchmarks.results import write_results
from benchmarks.tables import END, START, insert_between_markers
from benchmarks.timing import Apart, Paired, log_log_slope, projected

DAY = "2026-01-01"
AREA_OF = {
    "fastmetrics": ("fastmetrics", own.auc),
    "scikit-learn": ("sklearn", rivals.sklearn_auc),
    "scors": ("scors", rivals.scors_auc),
}
BOOTSTRAP_OF = {
    "fastmetrics": ("fastmetrics", own.ranking_bootstrap),
    "NumPy recipe": ("numpy", rivals.sort_once_recipe),
    "scikit-learn loop": ("sklearn", rivals.sklearn_loop),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_answers_agree_and_every_line_has_a_value(case: Case) -> None:
    lines = list(case.measure(full=False))
    installed = sum(r.installed for r in case.rivals) if isinstance(case, RatioCase) else 1
    assert len(lines) == installed
    for line in lines:
        assert line.case == case.name
        assert np.isfinite(line.value)
        assert line.passed is None
        assert line.rival in describe(line)


@pytest.mark.benchmark(group="AUC of 20,000 scores")
@pytest.mark.parametrize("name", AREA_OF)
def test_auc(benchmark: Any, name: str) -> None:
    package, bind = AREA_OF[name]
    pytest.importorskip(package)
    problem = make_problem(20_000, 6_000)
    benchmark.pedantic(bind(problem, 1), rounds=20, warmup_rounds=1)


@pytest.mark.benchmark(group="AUC and AP, 20,000 rows x 64 replicates")
@pytest.mark.parametrize("name", BOOTSTRAP_OF)
def test_ranking_bootstrap(benchmark: Any, name: str) -> None:
    package, bind = BOOTSTRAP_OF[name]
    pytest.importorskip(package)
    problem = make_problem(20_000, 6_000)
    benchmark.pedantic(bind(problem, 64), rounds=3, warmup_rounds=1)


@pytest.mark.benchmark(group="F1, MCC and kappa, 20,000 rows x 10,000 replicates")
def test_decision_bootstrap(benchmark: Any) -> None:
    call = own.decision_bootstrap(make_problem(20_000, 6_000), 10_000)
    benchmark.pedantic(call, rounds=3, warmup_rounds=1)


@pytest.mark.benchmark(group="F1 at every threshold of 5,000 scores")
def test_f1_at_thresholds(benchmark: Any) -> None:
    call = own.f1_at_thresholds(make_problem(5_000, 1_500), 1)
    benchmark.pedantic(call, rounds=20, warmup_rounds=1)


def test_problems_are_the_same_every_time_and_hold_the_ties_asked_for() -> None:
    first, again = make_problem(1_001, 300), make_problem(1_001, 300)
    np.testing.assert_array_equal(first.scores, again.scores)
    assert first.labels.sum() == 300
    assert np.unique(first.scores).size == 1_001
    _, counts = np.unique(make_problem(1_001, 300, "pairs").scores, return_counts=True)
    assert sorted(counts)[:2] == [1, 2]
    assert np.unique(make_problem(9_000, 300, "rounded").scores).size <= 1_001
    np.testing.assert_array_equal(next(index_draws(5, 1)), next(index_draws(5, 2)))


def test_a_wrong_rival_stops_the_measurement() -> None:
    def off_by_a_little(problem: Any, n_resamples: int) -> rivals.Call:
        return lambda: rivals.sklearn_auc(problem, n_resamples)() + 1e-9

    (area,) = cases_with_their_bars("auc_100")
    assert isinstance(area, RatioCase)
    wrong = Rival("wrong", "numpy", off_by_a_little, area.rivals[0].check, Bar("speedup"))
    case = RatioCase("wrong", "", area.tiny, area.tiny, area.ours, (wrong,))
    with pytest.raises(AssertionError):
        list(case.measure(full=False))


def test_rivals_that_are_not_installed_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    (area,) = cases_with_their_bars("auc_100")
    assert isinstance(area, RatioCase)
    rival = area.rivals[0]
    absent = Rival("absent", "no_such_package", rival.bind, rival.check, rival.bar)
    case = RatioCase("absent", "", area.tiny, area.tiny, area.ours, (absent,))
    assert list(case.measure(full=False)) == []
    assert "no_such_package is not installed" in capsys.readouterr().err


def test_what_goes_wrong_in_a_process_apart_is_told() -> None:
    rival = Apart("auc_1m", "no such rival", "tiny", 1)
    with rival, pytest.raises(RuntimeError, match="no reply from"):
        rival.answer(1)


def test_values_are_medians_of_pairs() -> None:
    paired = Paired(ours=(1.0, 2.0, 4.0), theirs=(10.0, 10.0, 10.0))
    assert (paired.speedup, paired.cost, paired.extra) == (5.0, 0.2, -8.0)


def test_projection_counts_set_up_once() -> None:
    assert projected(lambda replicates: 3 + 2 * replicates, 1_000, 1, 5) == 2_003
    assert projected(lambda replicates: 2 * replicates, 1_000, 0, 5) == 2_000


def test_slope_of_linear_cost_is_one() -> None:
    assert log_log_slope([1.0, 10.0, 100.0], [0.5, 5.0, 50.0]) == pytest.approx(1)


def test_bars_of_tied_cases_are_half_the_untied_ratios() -> None:
    untied, tied = cases_with_their_bars("bootstrap_rare_pairs")
    assert (untied.name, tied.name) == ("bootstrap_rare", "bootstrap_rare_pairs")
    before = [Line("bootstrap_rare", "", "NumPy recipe, sorted once", 300.0, "speedup", 200, True)]
    lines = {line.rival: line for line in tied.measure(full=False, before=before)}
    assert lines["NumPy recipe, sorted once"].bar == 150
    assert lines["scikit-learn in a loop"].bar is None


def test_results_of_other_cases_stay(tmp_path: Path) -> None:
    machine, path = this_machine(), tmp_path / "results.md"
    groups = {"First": ["one"], "Second": ["two"], "Third": ["three"]}
    two = Line("two", "second work", "rival", 3.0, "speedup", 2.0, True, 0.5, 1.5, 0.7)
    one = Line("one", "first work", "growth in rows", 1.2, "slope", 1.1, False, points=((1, 2, 3),))
    write_results(path, [two], machine, DAY, groups)
    summary = write_results(path, [one], machine, DAY, groups)
    text = path.read_text()
    assert "| Second | rival | 1 | 3.00x faster | at least 2x | pass |" in summary
    assert "Third" not in summary
    assert "| second work | rival | 1.5 s | 500 ms | 3.00x faster | at least 2x | pass |" in text
    assert "| slope 1.20 | at most 1.1 | FAIL |" in text
    assert DAY in text
    assert machine.processor in text
    assert text.index("**First**") < text.index("**Second**")
    assert "Third" not in text
    assert write_results(path, [two], machine, DAY, groups) == summary
    assert path.read_text() == text


def test_summary_counts_the_cases_that_miss_their_bar(tmp_path: Path) -> None:
    lines = [
        Line(name, name, "rival", value, "speedup", 2.0, value > 2.0)
        for name, value in (("one", 3.0), ("two", 1.0), ("three", 4.0))
    ]
    groups = {"All": ["one", "two", "three"], "One": ["two"]}
    summary = write_results(tmp_path / "results.md", lines, this_machine(), DAY, groups)
    row = "| All | rival | 3 | 1.00x faster to 4.00x faster | at least 2x | 1 of 3 FAIL |"
    assert row in summary
    assert "| One | rival | 1 | 1.00x faster | at least 2x | FAIL |" in summary


def test_table_goes_between_the_markers(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{START}\nold\n{END}\nafter\n")
    insert_between_markers(readme, "new\n")
    assert readme.read_text() == f"before\n{START}\nnew\n{END}\nafter\n"
    readme.write_text("no markers\n")
    with pytest.raises(ValueError, match="needs the markers"):
        insert_between_markers(readme, "new\n")


def test_report_writes_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "results.md"
    assert main(["--case", "auc_100", "--size", "tiny", "--output", str(output)]) == 0
    assert "| (tiny) AUC of 100 scores" in output.read_text()
    assert output.with_suffix(".json").exists()
    assert "auc_100" in capsys.readouterr().out


def test_names_of_cases_and_groups_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert len({group.name for group in GROUPS}) == len(GROUPS)
    assert len({group.title for group in GROUPS}) == len(GROUPS)


def test_groups_and_cases_are_chosen_together() -> None:
    names = [case.name for case in chosen_cases(["memory"], ["auc_100", "memory"])]
    assert names == ["memory", "memory_small_labels", "auc_100"]
    assert len(chosen_cases([], [])) == len(CASES)


def test_a_report_is_compared_number_by_number() -> None:
    report = {"class 0": {"precision": 0.5, "support": 3}, "accuracy": 0.75}
    assert own.answer(report).tolist() == [0.5, 3, 0.75]


def test_seconds_have_their_bar() -> None:
    bar = Bar("seconds", 60)
    assert bar.passes(59.0)
    assert not bar.passes(61.0)
    line = Line("compile", "", "an empty cache", 41.5, "seconds", 60, True)
    assert "41.5 s  at most 60 s  pass" in describe(line)


def test_an_unknown_case_lists_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="there are import, "):
        cases_with_their_bars("nothing")
