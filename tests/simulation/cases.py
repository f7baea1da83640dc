"""Models of every kind, for the tests that all of them must pass."""

import numpy as np
from scipy import stats

from fastmetrics import simulation

_GENERATOR = np.random.default_rng(20)
OWN_SCORES = (_GENERATOR.normal(size=150).round(1), _GENERATOR.normal(1, 2, 40).round(1))

MODELS = {
    "binormal": simulation.Binormal(1.5),
    "binormal of unequal scales": simulation.Binormal(1.0, scale=2.0),
    "worse than chance": simulation.Binormal(-0.7, scale=0.5),
    "beta": simulation.ScoreModel(stats.beta(2, 5), stats.beta(5, 2)),
    "ends within each other": simulation.ScoreModel(stats.uniform(0, 1), stats.uniform(0.3, 1)),
    "long tails": simulation.ScoreModel(stats.cauchy(), stats.cauchy(3)),
    "counts": simulation.ScoreModel(stats.poisson(2), stats.poisson(4)),
    "discrete negatives": simulation.ScoreModel(stats.poisson(2), stats.norm(3)),
    "discrete positives": simulation.ScoreModel(stats.norm(3), stats.poisson(4)),
    "rounded": simulation.Binormal(1.5).rounded(1),
    "rounded to whole numbers": simulation.Binormal(2.0, scale=1.5).rounded(0),
    "own scores": simulation.EmpiricalModel(*OWN_SCORES),
    "own scores rounded": simulation.EmpiricalModel(*OWN_SCORES).rounded(0),
}
