"""The dense oracle of Bregman aggregation against minimisers, identities and worked numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from oracles import bregman
from oracles.bregman import DIVERGENCES
from oracles.strategies import examples, incomplete_matrices

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


def test_small_penalty_collapses():
    w, *_ = bregman.gwca(SIX, "euclidean", lam=5)
    np.testing.assert_allclose(w, [0, 0, 0.5, 0.5], atol=1e-5)
    w, *_ = bregman.gwca(SIX, "euclidean", lam=10.6)
    np.testing.assert_allclose(w, [0.216, 0.216, 0.298, 0.271], atol=1e-3)


@pytest.mark.parametrize("divergence", ALL)
def test_gradients_and_their_inverses(divergence):
    d = DIVERGENCES[divergence]
    x = np.linspace(d.y0 + 1e-3, d.y1 - 1e-3, 7)
    slope = (d.phi(x + 1e-6) - d.phi(x - 1e-6)) / 2e-6
    np.testing.assert_allclose(d.gradient(x), slope, rtol=1e-4, atol=1e-8)
    np.testing.assert_allclose(d.inverse(d.gradient(x)), x, rtol=1e-12)
    bend = (d.gradient(x + 1e-6) - d.gradient(x - 1e-6)) / 2e-6
    assert (d.gradient(d.y1) - d.gradient(d.y0)) ** 2 / bend.min() <= d.kappa * (1 + 1e-6)


@pytest.mark.parametrize("divergence", ALL)
@pytest.mark.parametrize("together", [0.0, 0.3, 0.5, 1.0])
def test_entries_are_minimisers(divergence, together):
    d = DIVERGENCES[divergence]
    members = [np.array([[d.y1]]), np.array([[d.y0]])]
    w = [together, 1 - together]
    M = bregman.best_matrix(members, w, divergence)[0, 0]

    def cost(x):
        return sum(
            v * bregman.bregman(x, y[0, 0], divergence) for v, y in zip(w, members, strict=True)
        )

    found = minimize_scalar(cost, bounds=(d.y0, d.y1), method="bounded", options={"xatol": 1e-9})
    assert pytest.approx(found.x, abs=1e-5) == M
    assert cost(M) <= found.fun + 1e-12


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


links = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=3)


@examples(25)
@given(st.sampled_from(ALL), incomplete_matrices(max_n=7, max_r=4), links, links, st.data())
def test_distances_are_linear_in_the_matrix(divergence, L, must_link, cannot_link, data):
    n = len(L)
    bad = bregman.conflicts(n, must_link, cannot_link)
    cannot_link = [(p, q) for p, q in cannot_link if (min(p, q), max(p, q)) not in bad]
    must, cannot = bregman.closure(n, must_link, cannot_link)
    m = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=float)
    w, M, objective, history = bregman.gwca(
        L, divergence, must=must, cannot=cannot, sample_weight=m, max_iter=20
    )
    d = DIVERGENCES[divergence]
    c1 = d.gradient(d.y1) - d.gradient(d.y0)
    c0 = (d.gradient(d.y1) * d.y1 - d.phi(d.y1)) - (d.gradient(d.y0) * d.y0 - d.phi(d.y0))
    inner = [m @ (bregman.connectivity(column) * M) @ m for column in L.T]
    D = bregman.distances(M, bregman.smoothed(L, divergence), divergence, m)
    constant = D - (c0 * np.diag(bregman.gram(L, m)) - c1 * np.array(inner))
    assert np.ptp(constant) <= 1e-9 * (1 + np.abs(D).max())
    assert np.all(np.diff(history) <= 1e-9 * (1 + abs(objective)))
    assert w.min() >= 0
    assert w.sum() == pytest.approx(1)
    assert all(M[p, q] == d.y1 for p, q in must)
    assert all(M[p, q] == d.y0 for p, q in cannot)


@pytest.mark.parametrize("divergence", ALL)
def test_copies_are_multiplicities(divergence):
    m = np.array([1, 3, 1, 2, 1, 2])
    merged = bregman.gwca(SIX, divergence, sample_weight=m)
    written = bregman.gwca(np.repeat(SIX, m, axis=0), divergence)
    np.testing.assert_allclose(merged[0], written[0], rtol=1e-9)
    np.testing.assert_allclose(merged[3], written[3], rtol=1e-9)
    repeated = np.repeat(np.repeat(merged[1], m, 0), m, 1)
    np.testing.assert_allclose(repeated, written[1], rtol=1e-9, atol=1e-12)


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


def test_agreeing_members_keep_equal_weights():
    w, M, objective, history = bregman.gwca(SIX[:, [0, 0, 0]], "exponential")
    assert w.tolist() == [1 / 3] * 3
    np.testing.assert_allclose(M, bregman.connectivity(SIX[:, 0]), atol=1e-12)
    assert objective == pytest.approx(0, abs=1e-12)
    assert len(history) == 2


def test_closure_by_hand():
    must, cannot = bregman.closure(6, [(2, 0), (4, 2)], [(4, 1), (5, 3)])
    assert must == {(0, 2), (0, 4), (2, 4)}
    assert cannot == {(0, 1), (1, 2), (1, 4), (3, 5)}
    assert bregman.conflicts(4, [(0, 1), (1, 2)], [(2, 0), (3, 0)]) == {(0, 2)}
    assert bregman.conflicts(2, [], [(1, 1)]) == {(1, 1)}
    with pytest.raises(ValueError, match="inside must-linked groups"):
        bregman.closure(3, [(0, 1)], [(1, 0)])
