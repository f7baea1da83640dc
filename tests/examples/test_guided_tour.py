"""The guided tour runs from top to bottom, and stores what comes out."""

import pytest

from tests.examples import notebooks
from tests.examples.programs import EXAMPLES, assert_alike

TOUR = EXAMPLES / "guided_tour.ipynb"


@pytest.fixture(scope="module")
def cells():
    return [cell for cell in notebooks.read(TOUR)["cells"] if cell["cell_type"] == "code"]


def test_outputs_are_those_that_are_stored(cells):
    pytest.importorskip("matplotlib")
    fresh = notebooks.run(notebooks.read(TOUR), EXAMPLES)
    assert len(fresh) == len(cells) > 20
    for cell, outputs in zip(cells, fresh, strict=True):
        stored = [notebooks.text_of(output) for output in cell["outputs"]]
        found = [notebooks.text_of(output) for output in outputs]
        if "rng=" not in notebooks.source_of(cell):
            assert found == stored
            continue
        for text, known in zip(found, stored, strict=True):  # the library's own draws
            assert_alike(text, known, rtol=0.02, atol=0.003)


def test_it_is_stored_as_it_was_run(cells):
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell["outputs"] for cell in cells[1:])
    pictures = [o for c in cells for o in c["outputs"] if notebooks.text_of(o) == "picture"]
    assert len(pictures) == 5


def test_known_figures_come_out(cells):
    text = "".join(notebooks.text_of(o) for c in cells for o in c["outputs"])
    for figure in (
        "0.4831 to 1.0000",
        "0.3906 to 0.8619",
        "AP 0.1952, trapezoids 0.4888",
        "187 of 200",
        "0.3020",
        "0.9677 to 0.9991",
        "0.0337 to 0.1144",
        "-0.0072 to 0.0202",
        "-0.0743 to -0.0051",
        "1.836e-07  costs  54, 2 missed",
    ):
        assert figure in text


def test_a_cell_ends_in_a_value_or_in_silence():
    namespace = {}
    assert notebooks.run_cell("x = 2", namespace, 1) == []
    assert notebooks.text_of(notebooks.run_cell("x + 1", namespace, 2)[0]) == "3"
    assert notebooks.run_cell("x + 1;", namespace, 3) == []
    printed, value = notebooks.run_cell("print('a')\nx", namespace, 4)
    assert (notebooks.text_of(printed), notebooks.text_of(value)) == ("a\n", "2")
    with pytest.raises(NameError):
        notebooks.run_cell("unknown", namespace, 5)
