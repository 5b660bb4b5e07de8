"""Every kernel against a plain NumPy oracle; run once more with the compiler switched off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience._kernels._gather import (
    CHUNK,
    argmax_scores,
    fill_tiles,
    gather_rows,
    screen_rows,
)
from consilience._kernels._gram import MOST_JOINT, overlap_counts, overlaps
from consilience._kernels._hash import hash_rows, rows_match
from consilience._kernels._lanes import lanes_of, strip_zeros
from consilience._kernels._nearest import add_rows, nearest_centres
from consilience._kernels._relabel import count_codes, encode_rows, first_places, recode_rows
from consilience._kernels._relocate import relocate_rows
from consilience._kernels._scatter import add_tiles, count_labels, count_observed, scatter_rows
from consilience._kernels._softmax import softmax_rows
from oracles import kernels as oracle

NONE = np.empty(0, dtype=np.int32)
CODE_TYPES = [np.uint8, np.uint16, np.uint32]


class Case:
    """Random codes of a few members, some missing, and what belongs to them."""

    def __init__(self, seed=0, dtype=np.uint8, n_rows=23, n_members=5, most_clusters=5):
        self.rng = np.random.default_rng(seed)
        self.n_clusters = self.rng.integers(1, most_clusters + 1, n_members)
        self.offsets = oracle.offsets_of(self.n_clusters)
        self.n_padded = int(self.n_clusters.sum()) + n_members
        shape = (n_rows, n_members)
        self.codes = self.rng.integers(0, self.n_clusters + 1, shape).astype(dtype)

    def table(self, width):
        """Random rows, zero where a missing label points."""
        table = self.rng.normal(size=(self.n_padded, width))
        table[self.offsets] = 0
        return table


def tiles_of(table):
    """Cut the columns of a table into strips."""
    lanes = lanes_of(table.dtype)
    tiles = strip_zeros(table.shape[1] // lanes, len(table), table.dtype)
    tiles[:] = table.reshape(len(table), -1, lanes).transpose(1, 0, 2)
    return tiles


def strips_of(values):
    """Cut the rows of a matrix into strips."""
    return values.reshape(-1, lanes_of(values.dtype))


@pytest.fixture(params=CODE_TYPES, ids=lambda dtype: dtype.__name__)
def case(request):
    return Case(dtype=request.param)


# No row, fewer than go together, none left over, some left over, more than a chunk; one member.
SHAPES = [(0, 5), (1, 5), (3, 1), (8, 4), (23, 7), (CHUNK + 2, 1)]


@pytest.mark.parametrize(("n_rows", "n_members"), SHAPES)
@pytest.mark.parametrize("width", [4, 12])
def test_gather(n_rows, n_members, width):
    case = Case(n_rows=n_rows, n_members=n_members)
    table, bias = case.table(width), case.rng.normal(size=width)
    out = np.empty((n_rows, width))
    gather_rows(case.codes, case.offsets, tiles_of(table), strips_of(bias), strips_of(out))
    expected = oracle.gather(case.codes, case.offsets, table, bias)
    np.testing.assert_allclose(out, expected, atol=1e-12)


def test_gather_ignores_missing_labels(case):
    codes = np.zeros_like(case.codes)
    out = np.empty((len(codes), 4))
    gather_rows(codes, case.offsets, tiles_of(case.table(4)), np.arange(4.0)[None, :], out)
    assert (out == np.arange(4.0)).all()


def _screened(case, table, bias, margin, current):
    labels = np.empty(len(case.codes), np.int32)
    bias = strips_of(bias.astype(np.int16))
    tiles = tiles_of(table.astype(np.int16))
    n_doubtful = screen_rows(case.codes, case.offsets, tiles, bias, margin, current, labels)
    assert n_doubtful == np.count_nonzero(labels < 0)
    return labels


@pytest.mark.parametrize(("n_rows", "n_members"), SHAPES)
@pytest.mark.parametrize("with_current", [False, True])
@pytest.mark.parametrize("width", [16, 32])
def test_screen_of_exact_sums_is_an_argmax(n_rows, n_members, width, with_current):
    # Whole numbers make ties; a column of the smallest number can never win.
    case = Case(n_rows=n_rows, n_members=n_members)
    table, bias = np.round(case.table(width)), np.zeros(width)
    bias[-1], table[:, -1] = -32768, 0
    current = case.rng.integers(0, width, n_rows).astype(np.int32)
    labels = _screened(case, table, bias, 0, current if with_current else NONE)
    scores = oracle.gather(case.codes, case.offsets, table, bias)
    expected = oracle.choose(scores, current if with_current else None, 1e-9)
    np.testing.assert_array_equal(labels, expected.astype(int))


@pytest.mark.parametrize("width", [16, 32])
def test_screen_leaves_what_lies_within_the_margin(case, width):
    table, bias = np.round(10 * case.table(width)), np.zeros(width)
    labels = _screened(case, table, bias, 5, NONE)
    ordered = np.sort(oracle.gather(case.codes, case.offsets, table, bias), axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 5
    assert 0 < clear.sum() < len(clear)
    best = oracle.gather(case.codes, case.offsets, table, bias).argmax(axis=1)
    np.testing.assert_array_equal(labels, np.where(clear, best, -1))


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_argmax_of_scores(seed, with_current):
    rng = np.random.default_rng(seed)
    scores = rng.integers(-2, 3, (6, 4)) / 3 + rng.choice([0, 1e-12, -1e-12], (6, 4))
    current = rng.integers(0, 4, 6).astype(np.int32)
    labels = np.empty(6, np.int32)
    argmax_scores(scores, current if with_current else NONE, 1e-9, labels, np.empty(0))
    expected = oracle.choose(scores, current if with_current else None, 1e-9)
    np.testing.assert_array_equal(labels, expected)


def test_argmax_keeps_the_current_label_when_nothing_can_win():
    labels = np.empty(2, np.int32)
    scores = np.full((2, 3), -np.inf)
    argmax_scores(scores, np.array([2, -1], np.int32), 1e-9, labels, np.empty(0))
    assert labels.tolist() == [2, 0]


@pytest.mark.parametrize("dtype", [np.float64, np.int16])
@pytest.mark.parametrize("width", [1, 4, 18])
def test_tables_become_tiles_and_back(dtype, width):
    rng = np.random.default_rng(width)
    table = rng.integers(-9, 9, (5, width)).astype(dtype)
    rows = np.array([1, 2, 4, 5, 6])
    lanes = lanes_of(np.dtype(dtype))
    tiles = strip_zeros(-(-width // lanes), 7, np.dtype(dtype))
    fill_tiles(table, rows, tiles)
    padded = np.zeros((7, len(tiles) * lanes), dtype)
    padded[rows, :width] = table
    np.testing.assert_array_equal(tiles, padded.reshape(7, -1, lanes).transpose(1, 0, 2))
    total = np.ones((7, width), dtype)
    add_tiles(tiles, total)
    np.testing.assert_array_equal(total, 1 + padded[:, :width])


@pytest.mark.parametrize("kind", ["none", "integer", "float"])
def test_count_labels(case, kind):
    n_rows = len(case.codes)
    labels = case.rng.integers(0, 3, n_rows).astype(np.int32)
    weight = {
        "none": np.ones(n_rows, dtype=np.int64),
        "integer": case.rng.integers(0, 5, n_rows),
        "float": case.rng.random(n_rows),
    }[kind]
    table = np.zeros((3, case.n_padded), dtype=np.uint32 if kind == "none" else weight.dtype)
    count_labels(case.codes, case.offsets, labels, None if kind == "none" else weight, table)
    one_hot = np.eye(3, dtype=np.int64)[labels]
    expected = oracle.scatter(case.codes, case.offsets, one_hot, weight, case.n_padded)
    np.testing.assert_allclose(table.T, expected, rtol=1e-14)


@pytest.mark.parametrize(("n_rows", "n_members"), SHAPES)
def test_scatter_rows(n_rows, n_members):
    case = Case(n_rows=n_rows, n_members=n_members)
    values = case.rng.normal(size=(n_rows, 8))
    tiles = strip_zeros(2, case.n_padded, np.float64)
    scatter_rows(case.codes, case.offsets, strips_of(values), tiles)
    table = tiles.transpose(1, 0, 2).reshape(case.n_padded, 8)
    expected = oracle.scatter(case.codes, case.offsets, values, np.ones(n_rows), case.n_padded)
    np.testing.assert_allclose(table, expected, atol=1e-12)


def test_overlaps(case):
    weight = case.rng.integers(1, 4, len(case.codes))
    table = np.zeros((case.n_padded, case.n_padded), dtype=np.int64)
    overlaps(np.ascontiguousarray(case.codes.T), case.offsets, weight, table)
    expected = oracle.overlaps(case.codes, case.offsets, weight, case.n_padded)
    np.testing.assert_array_equal(table, expected)


def _overlap_counts(case, codes):
    table = np.zeros((case.n_padded, case.n_padded), dtype=np.int64)
    left = np.empty(len(codes), dtype=np.uint32)
    strips = strip_zeros(1, MOST_JOINT + 2 + len(codes) // 8, np.int16)[0]
    cells = strips[MOST_JOINT + 2 :].reshape(-1)
    columns, offsets = np.ascontiguousarray(codes.T), case.offsets.astype(np.int64)
    overlap_counts(columns, offsets, case.n_clusters + 1, left, strips, cells, table)
    assert not cells.any()
    return table


# One member; even and odd numbers; members too large to be taken as one, to be counted apart; no rows.
@pytest.mark.parametrize(
    ("n_rows", "n_members", "most_clusters"),
    [(0, 3, 2), (300, 1, 3), (301, 4, 3), (300, 5, 3), (900, 3, 20), (30, 5, 40)],
)
def test_overlap_counts(n_rows, n_members, most_clusters):
    case = Case(3, n_rows=n_rows, n_members=n_members, most_clusters=most_clusters)
    table = _overlap_counts(case, case.codes)
    ones = np.ones(n_rows, dtype=np.int64)
    expected = oracle.overlaps(case.codes, case.offsets, ones, case.n_padded)
    np.testing.assert_array_equal(table, expected)


def test_overlap_counts_of_all_codes(case):
    table = _overlap_counts(case, np.tile(case.codes, (8, 1)))
    eights = np.full(len(case.codes), 8)
    expected = oracle.overlaps(case.codes, case.offsets, eights, case.n_padded)
    np.testing.assert_array_equal(table, expected)


def test_count_observed(case):
    weights = case.rng.random(5)
    out = np.empty(len(case.codes))
    count_observed(case.codes, weights, out)
    np.testing.assert_allclose(out, (case.codes > 0) @ weights)


@given(st.integers(0, 2**32 - 1))
def test_encode_rows_in_two_steps(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, 6, (11, 3))
    first = np.array([0, 6, 12, 18])
    lookup, values = np.zeros(18, dtype=np.int64), np.zeros(18, dtype=np.int64)
    n_clusters = np.zeros(3, dtype=np.int64)
    codes = np.empty((11, 3), dtype=np.uint8)
    for part in (slice(0, 4), slice(4, 11)):
        encode_rows(labels[part], first, lookup, n_clusters, codes[part], values)
    expected, names = oracle.relabel(labels)
    np.testing.assert_array_equal(codes, expected)
    assert [values[f : f + k].tolist() for f, k in zip(first, n_clusters, strict=False)] == names


def test_count_codes(case):
    offsets = case.offsets.astype(np.int64)
    counts = np.zeros(case.n_padded, dtype=np.int64)
    count_codes(case.codes, offsets, counts)
    ones = np.ones(len(case.codes), dtype=np.int64)
    expected = oracle.scatter(case.codes, offsets, ones[:, None], ones, case.n_padded)
    np.testing.assert_array_equal(counts, expected[:, 0])


def test_equal_rows_have_equal_hashes_and_others_do_not(case):
    codes = np.vstack([case.codes, case.codes[::-1]])
    hashes = np.empty(len(codes), dtype=np.uint64)
    with np.errstate(over="ignore"):  # without the compiler, NumPy reports the wanted wrap-around
        hash_rows(codes, hashes)
    same_row = (codes[:, None, :] == codes[None, :, :]).all(axis=2)
    np.testing.assert_array_equal(hashes[:, None] == hashes[None, :], same_row)


def test_rows_match(case):
    rows = np.arange(len(case.codes))
    assert rows_match(case.codes, rows)
    case.codes[0], case.codes[1] = 1, 0
    assert not rows_match(case.codes, np.where(rows == 0, 1, rows))


@pytest.mark.parametrize("weighted", [False, True])
def test_softmax_rows(weighted):
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=300, size=(9, 4))
    weight = rng.random(9) if weighted else np.ones(9)
    rho, totals = scores.copy(), np.zeros(4)
    log_likelihood = softmax_rows(rho, weight if weighted else None, totals)
    normaliser = np.logaddexp.reduce(scores, axis=1)
    np.testing.assert_allclose(rho, np.exp(scores - normaliser[:, None]), atol=1e-15)
    np.testing.assert_allclose(log_likelihood, weight @ normaliser)
    np.testing.assert_allclose(totals, weight @ rho)


def _disagreement(codes, labels, member_cost, weight):
    """Pairs that a member and the labels treat differently, at the price of that member."""
    together = labels[:, None] == labels[None, :]
    pairs = weight[:, None] * weight[None, :]
    total = 0.0
    for j, price in enumerate(member_cost):
        known = codes[:, j] > 0
        member = codes[:, j][:, None] == codes[:, j][None, :]
        counted = pairs * known[:, None] * known[None, :]
        total += price * np.sum(counted * (member != together)) / 2
    return total


@given(st.integers(0, 2**32 - 1))
def test_relocation_follows_the_cost_it_claims(seed):
    case = Case(seed, n_rows=9)
    labels = case.rng.integers(0, 3, 9).astype(np.int32)
    labels[:3] = [0, 1, 2]
    weight = case.rng.integers(1, 3, 9)
    cost = case.rng.random(5)
    counts = np.zeros((case.n_padded, 3), dtype=np.int64)
    count_labels(case.codes, case.offsets, labels, weight, counts.T)
    totals = np.array(
        [
            [(weight * (labels == k) * (case.codes[:, j] > 0)).sum() for k in range(3)]
            for j in range(5)
        ]
    )
    used = np.bincount(labels, minlength=3)
    before = _disagreement(case.codes, labels, cost, weight)
    offsets = case.offsets.astype(np.int64)
    moved = relocate_rows(case.codes, offsets, weight, labels, cost, counts, totals, used)
    after = _disagreement(case.codes, labels, cost, weight)
    assert after < before if moved else after == before
    np.testing.assert_array_equal(used, np.bincount(labels, minlength=3))
    recounted = np.zeros_like(counts)
    count_labels(case.codes, case.offsets, labels, weight, recounted.T)
    np.testing.assert_array_equal(
        np.delete(counts, case.offsets, 0), np.delete(recounted, case.offsets, 0)
    )


@pytest.mark.parametrize(
    ("n_rows", "n_restarts", "n_clusters", "width"), [(0, 1, 1, 1), (57, 3, 4, 2)]
)
def test_nearest_centres_of_all_restarts(n_rows, n_restarts, n_clusters, width):
    rng = np.random.default_rng(0)
    points, weight = rng.normal(size=(n_rows, width)), rng.random(n_rows)
    centres = rng.normal(size=(n_restarts, n_clusters, width))
    labels = np.empty((n_rows, n_restarts), dtype=np.int64)
    distance = np.empty((n_rows, n_restarts))
    products = points @ centres.reshape(-1, width).T
    squares = np.square(points).sum(axis=1)
    nearest_centres(products, np.square(centres).sum(axis=2), squares, labels, distance)
    apart = np.square(points[:, None, None] - centres).sum(axis=3)
    np.testing.assert_array_equal(labels, apart.argmin(axis=2))
    np.testing.assert_allclose(distance, apart.min(axis=2), atol=1e-12)
    sums, sizes = np.zeros(centres.shape), np.zeros(centres.shape[:2])
    add_rows(points, weight, labels, sums, sizes)
    member = labels[..., None] == np.arange(n_clusters)
    np.testing.assert_allclose(sums, np.einsum("irk,i,id->rkd", member, weight, points))
    np.testing.assert_allclose(sizes, np.einsum("irk,i->rk", member, weight))


def test_recoding_by_a_table_of_all_labels():
    labels = np.array([[3, -1], [0, 2], [9, 0]], dtype=np.int16)
    first, size = np.array([0, 4]), np.array([4, 2])
    lookup = np.array([1, 0, 0, 2, 1, 2], dtype=np.uint8)
    codes = np.empty((3, 2), dtype=np.uint8)
    recode_rows(labels, first, size, lookup, codes)
    assert codes.tolist() == [[2, 0], [1, 0], [0, 1]]


def test_first_places():
    first = np.full(4, 5)
    first_places(np.array([3, 0, 3, 1, 0]), first)
    assert first.tolist() == [1, 3, 5, 0]


def test_the_first_of_equally_near_centres():
    # Centres 1, -1 and 1 on a line: the first and last are the same, and 0 is as far from all.
    points, centres = np.array([[0.0], [2.0], [-3.0]]), np.array([[1.0], [-1.0], [1.0]])
    labels, distance = np.empty((3, 1), dtype=np.int64), np.empty((3, 1))
    nearest_centres(points @ centres.T, np.ones((1, 3)), np.square(points[:, 0]), labels, distance)
    assert labels[:, 0].tolist() == [0, 0, 1]
    assert distance[:, 0].tolist() == [1, 1, 4]
