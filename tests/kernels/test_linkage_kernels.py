"""Kernels of agglomeration against dense matrices; run once more with the compiler switched off."""

import numpy as np
import pytest

from consilience._kernels._linkage import (
    average_merges,
    fill_values,
    merge_minima,
    similarities,
    triangle_means,
    vector_means,
)
from oracles import kernels as oracle

OTHERS = np.array([0, 2, 3, 7, 11])
KEPT, GONE = 5, 9


class Case:
    """Random codes of five members, some missing, weights of base clusters, sizes of rows."""

    def __init__(self, dtype):
        rng = np.random.default_rng(1)
        n_clusters = rng.integers(1, 6, 5)
        self.offsets = oracle.offsets_of(n_clusters).astype(np.int64)
        self.codes = rng.integers(0, n_clusters + 1, (12, 5)).astype(dtype)
        self.members = np.ascontiguousarray(self.codes.T)
        self.weights = rng.uniform(1, 2, int(n_clusters.sum()) + 5)
        self.weights[self.offsets] = 0
        self.sizes = rng.integers(1, 4, 12).astype(float)
        self.rows = np.zeros((12, len(self.weights)))
        for i, codes in enumerate(self.codes):
            self.rows[i, self.offsets + codes] = 1
        self.S = self.rows @ np.diag(self.weights) @ self.rows.T

    def triangle(self):
        return (self.S * np.outer(self.sizes, self.sizes))[np.triu_indices(12, 1)]


@pytest.fixture(params=[np.uint8, np.uint16, np.uint32], ids=lambda dtype: dtype.__name__)
def case(request):
    return Case(request.param)


@pytest.mark.parametrize("start", [0, 4, 12])
def test_similarities(case, start):
    out = np.full(12 - start, np.nan)
    similarities(case.members, case.offsets, case.weights, 3, start, out)
    np.testing.assert_allclose(out, case.S[3, start:], atol=1e-12)


def test_similarities_of_many_rows():
    # more rows than one tile holds
    codes = np.random.default_rng(0).integers(0, 3, (3, 5000)).astype(np.uint8)
    offsets, weights = np.array([0, 3, 6]), np.array([0, 1, 2, 0, 4, 8, 0, 16, 32.0])
    out = np.empty(4900)
    similarities(codes, offsets, weights, 7, 100, out)
    same = (codes[:, [7]] == codes[:, 100:]) & (codes[:, [7]] > 0)
    np.testing.assert_array_equal(out, weights[offsets + codes[:, 7]] @ same)


def test_triangle(case):
    values = np.empty(66)
    for start, stop in [(0, 5), (5, 12)]:
        fill_values(case.members, case.offsets, case.weights, case.sizes, start, stop, values)
    np.testing.assert_allclose(values, case.triangle(), atol=1e-12)


def test_means_from_the_triangle(case):
    out = np.empty(5)
    triangle_means(case.triangle(), 12, OTHERS, KEPT, case.sizes, 2.0, out)
    np.testing.assert_allclose(out, case.S[KEPT, OTHERS] / 2, atol=1e-12)


def test_merging_in_the_triangle(case):
    values = case.triangle()
    merge_minima(values, 12, OTHERS, KEPT, GONE)
    expected = case.S * np.outer(case.sizes, case.sizes)
    merged = np.minimum(expected[KEPT, OTHERS], expected[GONE, OTHERS])
    expected[KEPT, OTHERS] = expected[OTHERS, KEPT] = merged
    np.testing.assert_allclose(values, expected[np.triu_indices(12, 1)], atol=1e-12)


@pytest.mark.parametrize("alone", [True, False])
def test_means_from_sums_of_rows(case, alone):
    # slot 2 holds rows 2 and 4; slot KEPT is one row, or two
    sums = case.sizes[:, None] * case.rows
    sizes = case.sizes.copy()
    place_of = np.full(12, -1)
    for place, (kept, gone) in enumerate([(2, 4), (KEPT, GONE)][: 1 if alone else 2]):
        sums[kept] += sums[gone]
        sizes[kept] += sizes[gone]
        place_of[kept] = place
    vectors = sums[[2, KEPT]]
    out = np.empty(5)
    table = case.weights * sums[KEPT]
    rows = (case.codes, case.offsets, case.sizes)
    vector_means(rows, OTHERS, KEPT, sizes, 2.0, place_of, vectors, table, out)
    expected = sums[OTHERS] @ table / (sizes[OTHERS] * sizes[KEPT] * 2)
    np.testing.assert_allclose(out, expected, atol=1e-12)


def _merged(sums, sizes, total, tolerance):
    """Merge the first pair of clusters whose mean similarity is, up to a tolerance, the largest."""
    sums, sizes, active, steps = sums.copy(), sizes.copy(), list(range(len(sizes))), []
    while len(active) > 1:
        means = {
            (a, b): sums[a, b] / (sizes[a] * sizes[b] * total)
            for place, a in enumerate(active)
            for b in active[place + 1 :]
        }
        threshold = max(means.values()) - tolerance
        kept, gone = next(pair for pair, mean in means.items() if mean >= threshold)
        steps.append(((kept, gone), 1 - means[kept, gone]))
        sums[kept] += sums[gone]
        sums[:, kept] += sums[:, gone]
        sizes[kept] += sizes[gone]
        active.remove(gone)
    return steps


@pytest.mark.parametrize("tolerance", [1e-9, 0.1])
def test_merges_by_the_mean_of_all_pairs(tolerance):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(1, 4, 9).astype(float)
        sums = np.triu(rng.integers(0, 5, (9, 9)), 1) * np.outer(sizes, sizes)
        sums += sums.T
        leaves, heights = np.empty((8, 2), np.int64), np.empty(8)
        expected = _merged(sums, sizes, 4.0, tolerance)
        average_merges(sums[np.triu_indices(9, 1)], sizes, 4.0, tolerance, leaves, heights)
        assert leaves.tolist() == [list(pair) for pair, _ in expected]
        assert heights.tolist() == [height for _, height in expected]
