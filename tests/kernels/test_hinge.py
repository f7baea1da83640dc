"""Hinge losses against a loop over the rows."""

import numpy as np
import pytest

from fastmetrics.kernels import hinge

WEIGHTS = {"none": lambda n: np.ones(1, np.int64), "fractions": lambda n: np.arange(n) / 4}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("n", [1, 9, 3000])
def test_two_classes(n, kind):
    generator = np.random.default_rng(n)
    positive = generator.integers(0, 2, n).astype(np.uint8)
    decisions, weights = generator.normal(size=n), WEIGHTS[kind](n)
    rows = zip(positive, decisions, np.broadcast_to(weights, n))
    expected = sum(w * max(0, 1 - (d if p else -d)) for p, d, w in rows)
    assert hinge.sum_binary(positive, decisions, weights) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize(("n", "classes"), [(1, 3), (9, 2), (3000, 4)])
def test_several_classes(n, classes, kind):
    generator = np.random.default_rng(n)
    codes = generator.integers(0, classes, n)
    decisions, weights = generator.normal(size=(n, classes)), WEIGHTS[kind](n)
    expected = 0.0
    for code, row, w in zip(codes, decisions, np.broadcast_to(weights, n)):
        rival = max(d for k, d in enumerate(row) if k != code)
        expected += w * max(0, 1 - (row[code] - rival))
    assert hinge.sum_multiclass(codes, decisions, weights) == pytest.approx(expected, rel=1e-13)
