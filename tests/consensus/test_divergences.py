"""The divergences as small objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from consilience.consensus.bregman import Divergence, NamedDivergence
from consilience.exceptions import InvalidParameterError
from oracles.strategies import examples

smoothing = st.floats(0.001, 0.3)
divergences = st.one_of(
    st.builds(NamedDivergence, st.sampled_from(["euclidean", "exponential"])),
    st.builds(NamedDivergence, st.sampled_from(["kl", "itakura-saito", "logistic"]), smoothing),
)
shares = st.floats(0, 1)


def inside(divergence, share):
    return divergence.low + share * (divergence.high - divergence.low)


@given(divergences, shares, shares)
@examples(200)
def test_not_negative_and_zero_only_at_itself(divergence, a, b):
    x, y = inside(divergence, a), inside(divergence, b)
    assert divergence(x, y) >= -1e-12
    assert divergence(x, x) == 0
    if abs(x - y) > 1e-3:
        assert divergence(x, y) > 1e-8


@given(divergences, shares)
@examples(200)
def test_difference_to_the_two_ends_is_linear(divergence, a):
    x = inside(divergence, a)
    gap = divergence(x, divergence.high) - divergence(x, divergence.low)
    line = divergence.c0 - divergence.c1 * x
    assert gap == pytest.approx(line, rel=1e-9, abs=1e-9 * divergence.c1)
    assert divergence.c1 > 0


@given(divergences)
@examples(100)
def test_mean_increases_from_end_to_end(divergence):
    grid = np.linspace(0, 1, 101)
    means = divergence.mean(grid)
    assert np.all(np.diff(means) > 0)
    np.testing.assert_allclose(means[[0, -1]], [divergence.low, divergence.high], rtol=1e-12)
    np.testing.assert_allclose(divergence.similarity(grid)[[0, -1]], [0, 1], atol=1e-12)


@given(divergences, shares)
@examples(200)
def test_mean_is_the_minimiser(divergence, a):
    def cost(x):
        return a * divergence(x, divergence.high) + (1 - a) * divergence(x, divergence.low)

    found = minimize_scalar(
        cost, bounds=(divergence.low, divergence.high), method="bounded", options={"xatol": 1e-10}
    )
    mean = divergence.mean(a)
    assert cost(mean) <= found.fun + 1e-12 * max(1.0, abs(found.fun))
    assert divergence.cost(a, mean) == pytest.approx(cost(mean), rel=1e-9, abs=1e-11)


@given(divergences)
@examples(60)
def test_least_curvature_is_that_of_the_grid(divergence):
    on_grid = Divergence.least_curvature.func(divergence)
    assert on_grid == pytest.approx(divergence.least_curvature, rel=2e-2)
    assert divergence.kappa == pytest.approx(divergence.c1**2 / divergence.least_curvature)


def test_constants_of_the_paper():
    euclidean = NamedDivergence("euclidean")
    assert (euclidean.c0, euclidean.c1, euclidean.kappa) == (0.5, 1.0, 1.0)
    exponential = NamedDivergence("exponential")
    assert (exponential.c0, exponential.c1) == pytest.approx((1, np.e - 1))
    assert exponential.mean(0.5) == pytest.approx(0.620115, abs=1e-6)
    assert exponential.mean(0.75) == pytest.approx(0.827989, abs=1e-6)
    assert NamedDivergence("kl").kappa == pytest.approx(np.log(100) ** 2)
    assert NamedDivergence("itakura-saito").kappa == pytest.approx(99**2)
    assert NamedDivergence("logistic").kappa == pytest.approx((2 * np.log(99)) ** 2 / 4)


def test_other_names_are_refused():
    with pytest.raises(InvalidParameterError, match=r"'euclidean', .*'gauss'.*subclass"):
        NamedDivergence("gauss")
