"""Kernels on pairs of rows against NumPy."""

import numpy as np
import pytest

from consilience._kernels._lloyd import small_run
from consilience._kernels._pairs import agreements, quadratic_rows, sums_of_agreeing


@pytest.fixture
def codes():
    """Codes of three members on seven rows; 0 = missing."""
    return np.random.default_rng(0).integers(0, 4, (3, 7)).astype(np.uint8)


def test_agreements(codes):
    weights = np.array([0.5, 0.0, 2.0])
    out = np.empty((4, 7))
    agreements(codes[:, :4], codes, weights, out)
    same = (codes[:, :4, None] == codes[:, None]) & (codes[:, :4, None] > 0)
    np.testing.assert_allclose(out, np.tensordot(weights, same, axes=1))


def test_sums_of_agreeing(codes):
    values = np.random.default_rng(1).random((4, 7))
    out = np.ones((3, 7))
    sums_of_agreeing(codes[:, :4], codes, values, out)
    same = (codes[:, :4, None] == codes[:, None]) & (codes[:, :4, None] > 0)
    np.testing.assert_allclose(out, 1 + (same * values).sum(axis=1))


def test_quadratic_rows(codes):
    offsets = np.array([0, 4, 8])
    table = np.random.default_rng(2).random((12, 12))
    table += table.T
    table[offsets] = 0.0  # where missing labels point
    table[:, offsets] = 0.0
    rows = np.zeros((7, 12))
    for row, code in enumerate(codes.T):
        rows[row, offsets + code] = 1.0
    out = np.empty(7)
    quadratic_rows(np.ascontiguousarray(codes.T), offsets, table, out)
    np.testing.assert_allclose(out, np.einsum("ic,cd,id->i", rows, table, rows))


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
