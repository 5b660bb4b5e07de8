"""Kernels on edges against NumPy."""

import numpy as np

from consilience._kernels._edges import count_together, peel_leaves, weigh_together


def _case():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (30, 7)).astype(np.uint8)
    first, second = rng.integers(0, 30, (2, 90))
    same = (codes[first] == codes[second]) & (codes[first] > 0)
    known = (codes[first] > 0) & (codes[second] > 0)
    return codes, first, second, same, known


def test_counts_are_exact():
    codes, first, second, same, known = _case()
    together, seen = np.empty(90, np.int32), np.empty(90, np.int32)
    count_together(codes, first, second, together, seen)
    assert np.array_equal(together, same.sum(axis=1))
    assert np.array_equal(seen, known.sum(axis=1))


def test_weights_of_members_are_summed():
    codes, first, second, same, known = _case()
    weights = np.array([0.5, 0, 1, 2, 0.25, 3, 1])
    together, seen = np.empty(90), np.empty(90)
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
