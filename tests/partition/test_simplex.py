"""Projection to the simplex and quadratic programs on it, against every support."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from consilience.partition._simplex import minimise_on_simplex, project_to_simplex
from oracles.factorisation import projection, quadratic_program
from oracles.strategies import examples

NUMBERS = st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 3))
VECTORS = st.integers(1, 7).flatmap(lambda r: arrays(float, r, elements=NUMBERS))


@given(VECTORS)
@examples(300)
def test_projection_against_every_support(vector):
    np.testing.assert_allclose(project_to_simplex(vector), projection(vector), atol=1e-9)


@given(VECTORS, NUMBERS)
@examples(150)
def test_projection_ignores_shifts_and_keeps_the_simplex(vector, shift):
    projected = project_to_simplex(vector)
    assert (projected >= 0).all()
    assert projected.sum() == pytest.approx(1)
    np.testing.assert_allclose(project_to_simplex(vector + shift), projected, atol=1e-12)
    np.testing.assert_allclose(project_to_simplex(projected), projected, atol=1e-12)


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32))
@examples(300)
def test_program_against_every_support(r, rank, seed):
    rng = np.random.default_rng(seed)
    root = rng.integers(-3, 4, (r, rank)).astype(float)
    G, b = root @ root.T, rng.integers(-9, 10, r).astype(float)
    ridged = G + 1e-9 * np.trace(G) / r * np.eye(r)
    wanted, found = quadratic_program(ridged, b), minimise_on_simplex(G, b)
    value = found @ ridged @ found - 2 * b @ found
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1)
    assert value == pytest.approx(wanted @ ridged @ wanted - 2 * b @ wanted, abs=1e-8)
    if np.linalg.eigvalsh(G)[0] > 1e-3:
        np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_program_against_scipy():
    G = np.array([[20, 12, 12, 10], [12, 20, 12, 10], [12, 12, 20, 14], [10, 10, 14, 18.0]])
    b = np.array([14, 14, 10, 10.0])
    reference = minimize(
        lambda w: w @ G @ w - 2 * b @ w,
        np.full(4, 0.25),
        bounds=[(0, 1)] * 4,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(minimise_on_simplex(G, b), reference.x, atol=1e-5)
    np.testing.assert_allclose(minimise_on_simplex(G, b), [3 / 7, 3 / 7, 0, 1 / 7], atol=1e-8)


def test_start_does_not_matter():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(6, 6))
    G, b = root @ root.T, rng.normal(size=6)
    corner = np.eye(6)[3]
    np.testing.assert_allclose(
        minimise_on_simplex(G, b, corner), minimise_on_simplex(G, b), atol=1e-9
    )


def test_nothing_to_minimise():
    np.testing.assert_allclose(minimise_on_simplex(np.zeros((2, 2)), np.zeros(2)), [0.5, 0.5])
    assert minimise_on_simplex(np.array([[3.0]]), np.array([1.0])).tolist() == [1.0]
