"""Kernels on pairs of rows against NumPy."""

import numpy as np
import pytest

from consilience._kernels._pairs import (
    agreements,
    count_together,
    peel_leaves,
    quadratic_rows,
    sums_of_agreeing,
    weigh_together,
)


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


def test_members_that_put_the_ends_of_edges_together():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (30, 7)).astype(np.uint8)
    first, second = rng.integers(0, 30, (2, 90))
    same = (codes[first] == codes[second]) & (codes[first] > 0)
    known = (codes[first] > 0) & (codes[second] > 0)
    together, seen = np.empty((2, 90), np.int32)
    count_together(codes, first, second, together, seen)
    assert np.array_equal(together, same.sum(axis=1))
    assert np.array_equal(seen, known.sum(axis=1))
    weights = np.array([0.5, 0, 1, 2, 0.25, 3, 1])
    together, seen = np.empty((2, 90))
    weigh_together(codes, first, second, weights, together, seen)
    np.testing.assert_allclose(together, same @ weights)
    np.testing.assert_allclose(seen, known @ weights)


def test_leaves_are_peeled_again_and_again():
    # A triangle with a tail of three nodes, and a pair on its own.
    edges = np.array([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (6, 7)])
    ends = np.concatenate([edges[:, 0], edges[:, 1]])
    order = np.argsort(ends, kind="stable")
    neighbours = np.concatenate([edges[:, 1], edges[:, 0]])[order]
    degrees = np.bincount(ends, minlength=9)
    starts = np.concatenate([[0], np.cumsum(degrees)])
    peel_leaves(starts, neighbours, degrees, np.empty(9, np.int64))
    assert degrees.tolist() == [2, 2, 2, 0, 0, 0, 0, 0, 0]
