"""The k-means engine against its oracle and scikit-learn."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from consilience.clusterers import _lloyd
from consilience.clusterers._lloyd import Points, inertia, lloyd, nearest, random_rows, spread_rows
from consilience.generate import KMeansRestarts
from oracles import lloyd as oracle
from oracles.strategies import examples

NARROW, WIDE = 3, 20


def _data(n_samples, n_columns, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(3.0, 2.0, (n_samples, n_columns)).astype(dtype)


@examples(80)
@given(
    n_samples=st.integers(2, 60),
    n_columns=st.sampled_from([1, NARROW, WIDE]),
    n_clusters=st.integers(1, 6),
    seed=st.integers(0, 1000),
    tol=st.sampled_from([0.0, 1e-12, 1e-4, 0.1]),
    small=st.sampled_from([0, _lloyd._SMALL]),
    rows=st.sampled_from([7, _lloyd._BLOCK_ROWS]),
)
def test_rounds_are_those_of_the_oracle(n_samples, n_columns, n_clusters, seed, tol, small, rows):
    """Few numbers are a compiled loop, many have bounds and blocks; both are the same k-means."""
    X = _data(n_samples, n_columns, seed)
    points = Points.of(X)
    start = random_rows(points, min(n_clusters, n_samples), np.random.default_rng(seed))
    with mock.patch.multiple(_lloyd, _SMALL=small, _BLOCK_ROWS=rows):
        run = lloyd(points, start, max_iter=20, tol=tol)
    centres, n_iter = oracle.lloyd(X, start + points.offset, 20, tol)
    np.testing.assert_allclose(run.centres, centres, atol=1e-9)
    assert run.n_iter == n_iter


@pytest.mark.parametrize("small", [0, _lloyd._SMALL])
@pytest.mark.parametrize("n_columns", [NARROW, WIDE])
def test_far_starts_run_empty_and_are_refilled(n_columns, small, monkeypatch):
    monkeypatch.setattr(_lloyd, "_SMALL", small)
    X = _data(40, n_columns)
    points = Points.of(X)
    start = np.vstack([points.values[:2], points.values[:2] + 1e3])
    run = lloyd(points, start, max_iter=50, tol=0.0)
    centres, n_iter = oracle.lloyd(X, start + points.offset, 50, 0.0)
    np.testing.assert_allclose(run.centres, centres, atol=1e-9)
    assert run.n_iter == n_iter
    assert len(np.unique(nearest(points, run.centres))) == 4


def test_clusters_stay_empty_where_rows_are_too_few(monkeypatch):
    """Three distinct rows fill three of five clusters, and the search for a fourth ends."""
    monkeypatch.setattr(_lloyd, "_SMALL", 0)
    X = np.repeat([[0.0, 0.0], [4.0, 0.0], [0.0, 8.0]], [5, 4, 3], axis=0)
    points = Points.of(X)
    start = np.vstack([points.values[0], points.values[0] + [1e3, 2e3]])
    start = np.vstack([start, start[1:] * 2, start[1:] * 3, start[1:] * 4])
    run = lloyd(points, start, max_iter=50, tol=0.0)
    assert run.converged
    labels = nearest(points, run.centres)
    assert sorted(np.unique(labels, return_counts=True)[1].tolist()) == [3, 4, 5]
    assert inertia(points, run.centres, labels) == pytest.approx(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_columns", [NARROW, WIDE])
def test_scikit_learn_finds_the_same(n_columns, dtype):
    X = make_blobs(3000, n_columns, centers=7, cluster_std=4.0, random_state=1)[0].astype(dtype)
    points = Points.of(X)
    start = random_rows(points, 7, np.random.default_rng(2))
    run = lloyd(points, start, max_iter=300, tol=1e-4)
    theirs = KMeans(7, init=start + points.offset, n_init=1).fit(X)
    labels = nearest(points, run.centres)
    assert run.centres.dtype == dtype
    assert inertia(points, run.centres, labels) == pytest.approx(theirs.inertia_, rel=1e-4)
    if dtype == np.float64:
        assert run.n_iter == theirs.n_iter_
        np.testing.assert_array_equal(labels, theirs.labels_)


@pytest.mark.parametrize("n_columns", [NARROW, WIDE])
def test_bits_do_not_depend_on_threads(n_columns, monkeypatch):
    monkeypatch.setattr(_lloyd, "_BLOCK_ROWS", 256)
    points = Points.of(_data(3000, n_columns, dtype=np.float32))
    start = random_rows(points, 9, np.random.default_rng(0))
    one, three = (lloyd(points, start, max_iter=40, tol=0.0, n_threads=t) for t in (1, 3))
    np.testing.assert_array_equal(one.centres, three.centres)
    assert one.n_iter == three.n_iter


@pytest.mark.parametrize("n_columns", [NARROW, WIDE])
def test_whole_numbers_with_many_ties_end_at_a_fixed_point(n_columns):
    X = np.random.default_rng(5).integers(0, 3, (300, n_columns)).astype(float)
    points = Points.of(X)
    run = lloyd(points, random_rows(points, 6, np.random.default_rng(1)), max_iter=300, tol=0.0)
    assert run.converged
    labels = nearest(points, run.centres)
    distances = [[oracle.squared_distance(x, c) for c in run.centres] for x in X]
    np.testing.assert_allclose(
        np.take_along_axis(np.array(distances), labels[:, None], 1)[:, 0], np.min(distances, axis=1)
    )


@pytest.mark.parametrize("kind", ["small", "large", "sparse"])
@pytest.mark.parametrize("tol", [0.0, 1e-2])
def test_converged_says_what_was_asked(kind, tol, monkeypatch):
    """At the last round that is needed it has converged, one round before it has not."""
    monkeypatch.setattr(_lloyd, "_SMALL", 0 if kind == "large" else _lloyd._SMALL)
    X = _data(600, NARROW)
    points = Points.of(sparse.csr_matrix(X) if kind == "sparse" else X)
    start = points.rows(np.arange(6))
    _, needed = oracle.lloyd(X, start + points.offset, 200, tol)
    assert (tol == 0) == (needed > oracle.lloyd(X, start + points.offset, 200, 1e-2)[1])
    for limit, converged in ((needed - 1, False), (needed, True), (needed + 1, True)):
        run = lloyd(points, start, max_iter=limit, tol=tol)
        assert (run.n_iter, run.converged) == (min(limit, needed), converged)


@pytest.mark.parametrize("small", [0, _lloyd._SMALL])
def test_equal_rows_do_not_change_sides_for_ever(small, monkeypatch):
    """Five distinct rows and eight centres, two of them in the same place."""
    monkeypatch.setattr(_lloyd, "_SMALL", small)
    X = np.repeat(_data(5, NARROW), 37, axis=0)
    points = Points.of(X)
    run = lloyd(points, points.rows(np.arange(8) * 20), max_iter=50, tol=0.0)
    assert run.converged
    assert run.n_iter < 10
    assert len(np.unique(nearest(points, run.centres))) == 5


def test_offsets_do_not_cost_digits():
    X = _data(400, NARROW)
    start = np.arange(5)
    near, far = Points.of(X), Points.of(X + 1e7)
    runs = [lloyd(p, p.rows(start), max_iter=100, tol=0.0) for p in (near, far)]
    np.testing.assert_allclose(runs[1].centres - 1e7, runs[0].centres, atol=1e-6)


def test_random_rows_differ():
    X = np.repeat(_data(5, NARROW), 200, axis=0)
    X[0, 0] = -0.0
    for kind in (np.asarray, sparse.csr_matrix):
        points = Points.of(kind(X))
        for seed in range(20):
            rows = random_rows(points, 4, np.random.default_rng(seed))
            assert len(np.unique(rows, axis=0)) == len(rows) == 4
        assert len(random_rows(points, 30, np.random.default_rng(0))) == 6


def test_random_rows_are_uniform():
    points = Points.of(np.arange(4.0)[:, None])
    rng = np.random.default_rng(0)
    first = [random_rows(points, 2, rng)[0, 0] for _ in range(2000)]
    counts = np.unique(np.array(first), return_counts=True)[1]
    assert len(counts) == 4
    assert counts.min() > 400


def test_sparse_rows_go_to_scikit_learn():
    X = np.maximum(_data(300, WIDE), 2.0) - 2.0
    dense, thin = Points.of(X), Points.of(sparse.csr_matrix(X))
    places = np.arange(5)
    runs = [lloyd(p, p.rows(places), max_iter=100, tol=1e-4) for p in (dense, thin)]
    np.testing.assert_allclose(runs[0].centres, runs[1].centres, atol=1e-8)
    np.testing.assert_array_equal(nearest(dense, runs[0].centres), nearest(thin, runs[1].centres))


def test_parts_of_points():
    X = _data(30, 5)
    rows, columns, factors = np.array([3, 3, 9]), np.array([1, 4]), np.arange(1.0, 6.0)
    dense, thin = Points.of(X), Points.of(sparse.csr_matrix(X))
    for points in (dense, thin):
        every = np.arange(30)
        values = points.rows(every) + points.offset
        np.testing.assert_allclose(values, X)
        np.testing.assert_allclose(points.take(rows).rows(np.arange(3)) + points.offset, X[rows])
        part = points.columns(columns)
        np.testing.assert_allclose(part.rows(every) + part.offset, X[:, columns])
        weighted = points.times(factors)
        np.testing.assert_allclose(weighted.rows(every) + weighted.offset, X * factors)
    np.testing.assert_allclose(dense.take(rows).squares, (dense.values[rows] ** 2).sum(axis=1))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_spread_rows_are_distinct_and_spread(make):
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(4) * 10, 25, axis=0)
    points = Points.of(make(X))
    for _ in range(20):
        assert len(np.unique(spread_rows(points, 4, rng), axis=0)) == 4
    assert len(spread_rows(points, 9, rng)) == 4, "there are four distinct rows"


def test_best_of_several_runs_is_at_least_as_good():
    X = np.random.default_rng(0).random((300, 3))
    one = KMeansRestarts(n_members=10, n_clusters=8, random_state=0).fit(X)
    best = KMeansRestarts(n_members=10, n_clusters=8, n_init=5, random_state=0).fit(X)
    points = Points.of(X)

    def mean_inertia(generator):
        return np.mean([inertia(points, m.centres, m.labels) for m in generator.members_])

    assert mean_inertia(best) < mean_inertia(one)


def test_bounds_of_moves_are_rounded_to_the_safe_side():
    behind = np.array([[0.0], [3.0], [9.0]])
    centres = np.array([[0.0], [4.0], [7.0]], dtype=np.float32)
    moves = _lloyd._Moves.of(behind, centres)
    drift, others, gaps = moves.bounds.astype(np.float64)
    # Movements may only be overstated, and half the distance to the next centre only understated.
    eps = float(np.finfo(np.float32).eps)
    np.testing.assert_allclose(drift, [0, 1, 2], rtol=5 * eps)
    np.testing.assert_allclose(others, [2, 2, 1], rtol=5 * eps)
    np.testing.assert_allclose(gaps, [2, 1.5, 1.5], rtol=5 * eps)
    assert np.all(drift[1:] > [1, 2])
    assert np.all(others > [2, 2, 1])
    assert np.all(gaps < [2, 1.5, 1.5])
    assert moves.half.tolist() == [0, 8, 24.5]
    assert moves.scale.tolist() == [49, 20 * eps]
