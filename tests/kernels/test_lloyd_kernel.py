"""Kernels of k-means against NumPy; run once more with the compiler switched off."""

import numpy as np
import pytest

from consilience._kernels._lloyd import (
    collect_rows,
    nearest_rows,
    settle_rows,
    small_run,
    squared_distances,
)


class Case:
    """Rows, centres, labels, and bounds that hold."""

    def __init__(self, dtype, n_rows=600, n_clusters=5):
        rng = np.random.default_rng(0)
        self.values = rng.normal(size=(n_rows, 4)).astype(dtype)
        self.centres = rng.normal(size=(n_clusters, 4)).astype(dtype)
        self.half = ((self.centres**2).sum(axis=1) / 2).astype(dtype)
        self.squares = (self.values**2).sum(axis=1)
        self.products = np.ascontiguousarray(self.centres @ self.values.T)
        wide = self.values[:, None].astype(float) - self.centres
        self.distances = np.sqrt((wide**2).sum(axis=2))
        self.scale = np.array([(2 * self.half).max(), 1e-5], dtype=dtype)
        self.labels = rng.integers(-1, n_clusters, n_rows).astype(np.int32)


@pytest.fixture(params=[np.float32, np.float64], ids=lambda dtype: dtype.__name__)
def case(request):
    return Case(request.param)


def test_nearest(case):
    labels = np.full(600, -1, dtype=np.int32)
    nearest_rows(case.products, case.half, labels)
    np.testing.assert_array_equal(labels, case.distances.argmin(axis=1))


def test_ties_keep_the_label_else_take_the_first(case):
    products = np.zeros((3, 4), dtype=case.values.dtype)
    labels = np.array([-1, 0, 1, 2], dtype=np.int32)
    nearest_rows(products, np.zeros(3, products.dtype), labels)
    assert labels.tolist() == [0, 0, 1, 2]
    half = np.array([1, 0, 0], dtype=products.dtype)
    nearest_rows(products, half, labels)
    assert labels.tolist() == [1, 1, 1, 2]


def test_settled_rows_have_labels_bounds_and_sums(case):
    places = np.arange(0, 600, 2)
    labels = case.labels.copy()
    upper, lower = np.zeros((2, 600), dtype=case.values.dtype)
    known = labels >= 0
    sums, sizes = np.zeros((5, 4)), np.zeros(5, dtype=np.int64)
    np.add.at(sums, labels[known], case.values[known])
    np.add.at(sizes, labels[known], 1)
    n_changed = settle_rows(
        np.ascontiguousarray(case.products[:, places]), case.half, case.scale, case.values,
        case.squares, places, labels, upper, lower, sums, sizes,
    )  # fmt: skip
    expected = case.labels.copy()
    expected[places] = case.distances[places].argmin(axis=1)
    np.testing.assert_array_equal(labels, expected)
    assert n_changed == np.count_nonzero(expected != case.labels)
    ordered = np.sort(case.distances[places], axis=1)
    assert (upper[places] >= ordered[:, 0]).all()
    assert (lower[places] <= ordered[:, 1]).all()
    np.testing.assert_allclose(upper[places], ordered[:, 0], atol=0.02)
    np.testing.assert_allclose(lower[places], ordered[:, 1], atol=0.02)
    for k in range(5):
        assert sizes[k] == np.count_nonzero(expected == k)
        np.testing.assert_allclose(sums[k], case.values[expected == k].sum(axis=0), atol=1e-3)


def test_collected_rows_are_those_that_may_change(case):
    dtype = case.values.dtype
    labels = case.distances.argmin(axis=1).astype(np.int32)
    ordered = np.sort(case.distances, axis=1)
    upper, lower = ordered[:, 0].astype(dtype), ordered[:, 1].astype(dtype)
    upper[:3], labels[:3] = np.inf, -1
    moves = np.array([[0.1] * 5, [0.2] * 5, [0.3] * 5], dtype=dtype)
    places, rows = np.empty(600, dtype=np.int64), np.empty_like(case.values)
    count = collect_rows(case.values, labels, upper, lower, moves, places, rows)
    expected = np.flatnonzero(
        np.concatenate([[True] * 3, ordered[3:, 0] + 0.1 >= np.maximum(ordered[3:, 1] - 0.2, 0.3)])
    )
    np.testing.assert_array_equal(places[:count], expected)
    np.testing.assert_array_equal(rows[:count], case.values[expected])
    np.testing.assert_allclose(upper[3:], ordered[3:, 0] + 0.1, rtol=1e-5)
    np.testing.assert_allclose(lower, ordered[:, 1] - 0.2, atol=1e-5)


def test_squared_distances(case):
    labels = np.maximum(case.labels, 0)
    out = np.empty(600)
    squared_distances(case.values, case.centres, labels, out)
    np.testing.assert_allclose(out, case.distances[np.arange(600), labels] ** 2, rtol=1e-6)


def test_small_run_refills_empty_clusters():
    values = np.array([[0.0], [0.1], [5.0], [5.1]])
    centres = np.array([[0.0], [100.0]])
    labels = np.full(4, -1, dtype=np.int32)
    rounds, rested = small_run(values, centres, labels, 50, 0.0, -1.0)
    assert rested
    assert rounds < 50
    assert labels.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(centres[:, 0], [0.05, 5.05])


@pytest.mark.parametrize("rounding", [-1.0, 1e9])
def test_small_run_stops_when_told(rounding):
    """Without an empty cluster, rounding does not matter."""
    values = np.random.default_rng(0).random((50, 2))
    centres = values[:5].copy()
    labels = np.full(50, -1, dtype=np.int32)
    assert small_run(values, centres, labels, 1, 0.0, rounding) == (1, False)


def test_small_run_ends_by_labels_alone_or_by_rounding_after_a_refill():
    """Three centres for two distinct rows: with rounding errors a cluster is refilled every round."""
    values = np.repeat([[0.1], [0.7]], [3, 3], axis=0)
    mean = values[:3].sum() / 3
    assert mean != values[0, 0], "the mean of equal rows is another number"
    ends = []
    for rounding in (-1.0, 1e-30):
        centres = np.array([[0.1], [0.7], [9.0]])
        labels = np.full(6, -1, dtype=np.int32)
        ends.append(small_run(values, centres, labels, 40, -1.0, rounding))
        assert len(set(labels[:3].tolist())) == len(set(labels[3:].tolist())) == 1
    assert ends[0] == (40, False)
    assert ends[1][1]


def test_small_run_leaves_a_centre_empty_if_all_rows_are_at_others():
    values = np.array([[0.0], [4.0], [4.0]])
    centres = np.array([[0.0], [4.0], [9.0]])
    labels = np.full(3, -1, dtype=np.int32)
    assert small_run(values, centres, labels, 9, -1.0, 1.0) == (2, True)
    assert labels.tolist() == [0, 1, 1]
    assert centres.tolist() == [[0], [4], [9]]
