"""The largest difference of every function from scikit-learn and SciPy."""

from tests.examples.programs import printed


def test_no_difference_beyond_rounding():
    lines = [line.rsplit(maxsplit=1) for line in printed("against_scikit_learn.py").splitlines()]
    differences = {name: float(value) for name, value in lines}
    assert len(differences) == len(lines) > 45
    # SciPy finds Clopper and Pearson's limits by a search
    assert differences.pop("proportion_interval(method='clopper-pearson')") < 1e-11
    assert max(differences.values()) < 2e-15
