"""Laws of scores: four probabilities that agree with each other, with scipy, and with draws."""

import numpy as np
import pytest
from scipy import stats

from fastmetrics.simulation import laws
from tests.chance import TOO_UNLIKELY, chi_square

LAWS = {
    "normal": laws.law_of(stats.norm(1, 2), "negative"),
    "own normal": laws.NormalLaw(1.0, 2.0),
    "beta": laws.law_of(stats.beta(0.5, 3), "negative"),
    "poisson": laws.law_of(stats.poisson(3), "negative"),
    "shifted": laws.law_of(stats.binom(10, 0.3, loc=-4), "negative"),
    "two-sided": laws.law_of(stats.skellam(4, 1), "negative"),
    "values": laws.law_of(
        stats.rv_discrete(values=([2.5, -1.25, 0.0], [0.5, 0.2, 0.3])), "negative"
    ),
    "sample": laws.DiscreteLaw.of_sample(np.array([0.3, 0.1, 0.3, 0.7, 0.1, 0.1])),
    "rounded": laws.RoundedLaw(laws.NormalLaw(1.0, 2.0), 1),
    "rounded to whole numbers": laws.RoundedLaw(laws.NormalLaw(0.5, 2.0), 0),
    "rounded sample": laws.DiscreteLaw.of_sample(np.array([0.25, 0.35, 0.04, 7.0])).rounded(1),
}
ALL = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())


def places(law):
    """Scores at, next to and far from where something happens."""
    seen = law.draw(300, np.random.default_rng(1))
    return np.concatenate(
        [seen, np.nextafter(seen, np.inf), np.nextafter(seen, -np.inf), [-99, 99]]
    )


@ALL
def test_the_four_probabilities_fit_together(law):
    x = places(law)
    np.testing.assert_allclose(law.cdf(x) + law.sf(x), 1.0, atol=1e-15)
    np.testing.assert_allclose(law.cdf_below(x) + law.sf_below(x), 1.0, atol=1e-15)
    with np.errstate(under="ignore"):
        mass = np.exp(law.log_density(x)) if law.discrete else 0.0
    np.testing.assert_allclose(law.cdf(x) - law.cdf_below(x), mass, atol=1e-15)
    rising = np.sort(x)
    # neighbouring floats may be told apart wrongly, by the last bit
    assert (np.diff(law.cdf(rising)) >= -1e-15).all()


@ALL
def test_probabilities_are_the_shares_of_draws(law):
    drawn = law.draw(20_000, np.random.default_rng(2))
    for x in np.quantile(drawn, [0.1, 0.5, 0.9]):
        for share, probability in (
            ((drawn <= x).sum(), law.cdf(np.array([x]))[0]),
            ((drawn < x).sum(), law.cdf_below(np.array([x]))[0]),
        ):
            assert stats.binomtest(int(share), drawn.size, probability).pvalue > TOO_UNLIKELY


@ALL
def test_quantiles_are_the_lowest_scores_that_reach_a_probability(law):
    q = np.random.default_rng(3).random(200)
    low, high = law.ppf(q), law.isf(q)
    assert (law.cdf(low) >= q - 1e-14).all()
    assert (law.cdf_below(low) <= q + 1e-14).all()
    assert (law.sf(high) <= q + 1e-14).all()
    assert (law.sf_below(high) >= q - 1e-14).all()


@ALL
def test_no_score_lies_outside_the_support(law):
    low, high = law.support()
    drawn = law.draw(2_000, np.random.default_rng(4))
    assert low <= drawn.min()
    assert drawn.max() <= high
    assert law.cdf(np.array([high]))[0] == pytest.approx(1.0)
    assert law.sf_below(np.array([low]))[0] == pytest.approx(1.0)


@pytest.mark.parametrize("name", [name for name, law in LAWS.items() if law.discrete])
def test_atoms_are_all_there_is(name):
    law = LAWS[name]
    values, masses = law.atoms
    assert (np.diff(values) > 0).all()
    assert masses.sum() == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(law.cdf(values), np.cumsum(masses), atol=1e-14)
    drawn = law.draw(5_000, np.random.default_rng(5))
    observed = (drawn[:, None] == values).sum(axis=0)
    assert observed.sum() == drawn.size
    assert chi_square(observed, masses) > TOO_UNLIKELY


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_rounding_agrees_with_numpy(decimals):
    law = laws.RoundedLaw(laws.NormalLaw(), decimals)
    scores = stats.norm.ppf(np.linspace(0.001, 0.999, 1_001))
    ends = np.round(scores[[0, -1]], decimals) * 10.0**decimals
    values = np.arange(ends[0], ends[1] + 1) / 10.0**decimals
    half = 0.5 * 10.0**-decimals
    np.testing.assert_allclose(law.cdf(values), stats.norm.cdf(values + half), rtol=1e-13)
    np.testing.assert_allclose(law.cdf_below(values), stats.norm.cdf(values - half), rtol=1e-13)
    between = (values[:-1] + values[1:]) / 2
    np.testing.assert_allclose(law.sf(between), stats.norm.sf(values[:-1] + half), rtol=1e-13)
    np.testing.assert_allclose(law.sf_below(between), law.sf(between), rtol=1e-13)
    # a rounded score is an atom, to the last bit
    assert (law.log_density(np.round(scores, decimals)) > -np.inf).all()
    assert (law.log_density(between) == -np.inf).all()


def test_halves_of_a_sample_are_rounded_to_even():
    rounded = laws.DiscreteLaw.of_sample(np.array([0.5, 1.5, 2.5, 3.5])).rounded(0)
    assert rounded.atoms.values.tolist() == [0.0, 2.0, 4.0]
    assert rounded.atoms.masses.tolist() == [0.25, 0.5, 0.25]


@pytest.mark.parametrize(
    "law",
    [
        laws.NormalLaw(),
        laws.law_of(stats.norm(), "negative"),
        laws.RoundedLaw(laws.NormalLaw(), 2),
        laws.law_of(stats.poisson(0.001), "negative"),
    ],
)
def test_the_upper_tail_keeps_its_digits(law):
    far = law.isf(np.array([1e-16]))
    assert 0.0 < law.sf_below(far * 1.01)[0] < 1e-12


def test_laws_and_distributions_are_told_apart_from_the_rest():
    law = laws.NormalLaw()
    assert laws.law_of(law, "negative") is law
    assert repr(laws.law_of(stats.beta(2, b=5), "positive")) == "beta(2, b=5)"
    assert repr(LAWS["values"]) == "3 values"
    with pytest.raises(TypeError, match="positive is .*: give a frozen distribution"):
        laws.law_of(stats.norm, "positive")
    with pytest.raises(TypeError, match="negative is 'norm'"):
        laws.law_of("norm", "negative")


def test_discrete_distributions_that_have_no_table_are_refused():
    with pytest.raises(
        ValueError,
        match=r"zipf\(1.5\) has more than 10,000,000 values",
    ):
        laws.law_of(stats.zipf(1.5), "negative")
    with pytest.raises(
        ValueError, match="sum to 0.775958: give a discrete distribution a whole loc"
    ):
        laws.law_of(stats.poisson(3, loc=0.3), "negative")
    with pytest.raises(ValueError, match="round to fewer decimals"):
        _ = laws.RoundedLaw(law=laws.NormalLaw(), decimals=12).atoms
