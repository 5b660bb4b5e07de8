"""The dense oracle of Bregman aggregation against minimisers, identities and worked numbers."""

import numpy as np
import pytest
from scipy.optimize import minimize

from oracles import bregman
from oracles.bregman import DIVERGENCES

ALL = sorted(DIVERGENCES)
# The example of [nguyen2007]_, figure 1: rows x1..x6, columns I..IV
SIX = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])


@pytest.mark.parametrize(
    ("divergence", "distances", "first", "limit"),
    [
        (
            "euclidean",
            [3.3125, 3.3125, 2.3125, 2.8125],
            [0.240625, 0.240625, 0.265625, 0.253125],
            [0.237403, 0.237403, 0.269380, 0.255814],
        ),
        (
            "exponential",
            [5.434279, 5.434279, 3.816981, 4.662418],
            [0.235068, 0.235068, 0.275500, 0.254364],
            [0.224660, 0.224660, 0.287392, 0.263289],
        ),
    ],
)
def test_worked_numbers(divergence, distances, first, limit):
    M, objective = bregman.gca(SIX, divergence)
    D = bregman.distances(M, bregman.smoothed(SIX, divergence), divergence)
    np.testing.assert_allclose(D, distances, atol=1e-6)
    assert objective == pytest.approx(np.mean(distances), abs=1e-6)
    one = bregman.gwca(SIX, divergence, lam=20, max_iter=1)
    np.testing.assert_allclose(one[0], first, atol=1e-6)
    many = bregman.gwca(SIX, divergence, lam=20, tol=1e-10)
    np.testing.assert_allclose(many[0], limit, atol=1e-6)


def test_worked_constants():
    G = bregman.gram(SIX)
    assert G.tolist() == [[20, 12, 12, 10], [12, 20, 12, 10], [12, 12, 20, 14], [10, 10, 14, 18]]
    assert bregman.largest_curvature(G) == pytest.approx(10.589454, abs=1e-6)
    assert DIVERGENCES["exponential"].kappa == pytest.approx((np.e - 1) ** 2)
    assert DIVERGENCES["kl"].kappa == pytest.approx(np.log(100) ** 2)
    assert DIVERGENCES["itakura-saito"].kappa == pytest.approx(99.0**2)
    assert DIVERGENCES["logistic"].kappa == pytest.approx((2 * np.log(99)) ** 2 / 4)


@pytest.mark.parametrize("divergence", ALL)
def test_closed_forms(divergence):
    eps, a = bregman.SMOOTHING, np.linspace(0, 1, 5)
    ratio = np.log((1 - eps) / eps)
    g = {
        "euclidean": a,
        "exponential": np.log(1 + (np.e - 1) * a),
        "kl": eps ** (1 - a),
        "itakura-saito": eps / (1 - a + eps * a),
        "logistic": 1 / (1 + np.exp(-(2 * a - 1) * ratio)),
    }[divergence]
    d = DIVERGENCES[divergence]
    ones, zeros = np.full((1, 1), d.y1), np.full((1, 1), d.y0)
    ours = [bregman.best_matrix([ones, zeros], [v, 1 - v], divergence)[0, 0] for v in a]
    np.testing.assert_allclose(ours, g, rtol=1e-12)


def test_weight_step_against_a_solver():
    rng = np.random.default_rng(0)
    for lam in (0.3, 2.0, 20.0):
        D = rng.uniform(0, 5, 5)
        found = minimize(
            lambda w, D=D, lam=lam: w @ D + lam * (w @ w),
            np.full(5, 0.2),
            bounds=[(0, 1)] * 5,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            options={"ftol": 1e-12},
        )
        np.testing.assert_allclose(bregman.weight_step(D, lam), found.x, atol=1e-4)


def test_closure_by_hand():
    must, cannot = bregman.closure(6, [(2, 0), (4, 2)], [(4, 1), (5, 3)])
    assert must == {(0, 2), (0, 4), (2, 4)}
    assert cannot == {(0, 1), (1, 2), (1, 4), (3, 5)}
    assert bregman.conflicts(4, [(0, 1), (1, 2)], [(2, 0), (3, 0)]) == {(0, 2)}
    assert bregman.conflicts(2, [], [(1, 1)]) == {(1, 1)}
    with pytest.raises(ValueError, match="inside must-linked groups"):
        bregman.closure(3, [(0, 1)], [(1, 0)])
