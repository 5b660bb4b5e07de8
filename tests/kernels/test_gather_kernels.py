"""Kernels that gather and choose against NumPy; run once more with the compiler switched off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience._kernels._gather import CHUNK, argmax_scores, fill_tiles, gather_rows, label_rows
from consilience._kernels._lanes import lanes_of, strip_zeros
from consilience._kernels._scatter import add_tiles
from consilience._kernels._steps import add_rows, nearest_centres, nearest_of_block, softmax_rows
from consilience.incidence._prepared import frozen
from oracles import kernels as oracle

# Read-only as in the package, since kernels are compiled per type.
NONE = frozen(np.empty(0, dtype=np.int32))
UNWEIGHTED = frozen(np.empty(0, dtype=np.int64))
TOLERANCE = 1e-9


def tiles_of(table):
    """Cut the columns of a table into strips."""
    lanes = lanes_of(table.dtype)
    tiles = strip_zeros(table.shape[1] // lanes, len(table), table.dtype)
    tiles[:] = table.reshape(len(table), -1, lanes).transpose(1, 0, 2)
    return frozen(tiles)


def strips_of(values):
    """Cut the rows of a matrix into strips."""
    return frozen(values.reshape(-1, lanes_of(values.dtype)))


class Case:
    """Codes, a table of so many columns in float64, and the same in int16, some units for one."""

    def __init__(self, n_rows, width, unit=8, n_clusters=(3, 2, 4), seed=0):
        self.rng = np.random.default_rng(seed)
        n_clusters = np.array(n_clusters)
        self.offsets = oracle.offsets_of(n_clusters)
        codes = self.rng.integers(0, n_clusters + 1, (n_rows, len(n_clusters)))
        self.codes = frozen(codes.astype(np.uint8))
        n_padded = int(n_clusters.sum()) + len(n_clusters)
        self.table, self.bias = (self.rng.normal(size=s) for s in ((n_padded, width), width))
        if unit == 1:  # exact, with many ties
            self.table, self.bias = np.rint(self.table), np.rint(self.bias)
        self.table[self.offsets] = 0
        # Every sum has four terms, so that differences are wrong by at most four halves, twice.
        self.margin = 0 if unit == 1 else 4
        self.current = frozen(self.rng.integers(0, width, n_rows).astype(np.int32))
        self.scores = oracle.gather(self.codes, self.offsets, self.table, self.bias)
        self.whole = [np.rint(unit * part).astype(np.int16) for part in (self.table, self.bias)]

    def screen(self):
        return tiles_of(self.whole[0]), strips_of(self.whole[1]), self.margin

    def exact(self):
        return tiles_of(self.table), strips_of(self.bias)


# No row, fewer than go together, none left over, some left over, more than a chunk; one member.
SHAPES = [(0, 5), (1, 5), (3, 1), (8, 4), (23, 7), (CHUNK + 2, 1)]


@pytest.mark.parametrize(("n_rows", "n_members"), SHAPES)
@pytest.mark.parametrize("width", [4, 12])
def test_gather(n_rows, n_members, width):
    case = Case(n_rows, width, n_clusters=[3] * n_members)
    out = np.empty((n_rows, width))
    gather_rows(case.codes, case.offsets, *case.exact(), out.reshape(-1, 4))
    np.testing.assert_allclose(out, case.scores, atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_argmax_of_scores(seed, with_current):
    rng = np.random.default_rng(seed)
    scores = rng.integers(-2, 3, (6, 4)) / 3 + rng.choice([0, 1e-12, -1e-12], (6, 4))
    current = rng.integers(0, 4, 6).astype(np.int32)
    labels, best = np.empty(6, np.int32), np.empty(6)
    argmax_scores(scores, current if with_current else NONE, TOLERANCE, labels, best)
    expected = oracle.choose(scores, current if with_current else None, TOLERANCE)
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(best, scores[np.arange(6), labels])


def test_argmax_keeps_the_current_label_when_nothing_can_win():
    labels = np.empty(2, np.int32)
    scores = np.full((2, 3), -np.inf)
    argmax_scores(scores, np.array([2, -1], np.int32), TOLERANCE, labels, np.empty(0))
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


# Whole numbers in one strip and in two; fractions that some sums of int16 do not decide; no screen.
SCREENS = [(16, 1), (32, 1), (16, 8), (32, 8), (4, None), (8, None)]


@pytest.mark.parametrize("n_rows", [0, 7, CHUNK + 3])
@pytest.mark.parametrize("with_current", [False, True])
@pytest.mark.parametrize(("width", "unit"), SCREENS)
def test_labels_by_a_screen_are_those_of_exact_sums(width, unit, with_current, n_rows):
    case = Case(n_rows, width, unit or 1)
    current = case.current if with_current else NONE
    screen = frozen(strip_zeros(0, 12, np.int16)), frozen(np.empty((0, 16), dtype=np.int16)), 0
    if unit is not None:
        screen = case.screen()
    labels = np.full(n_rows, -9, np.int32)
    label_rows(case.codes, case.offsets, *screen, *case.exact(), TOLERANCE, current, labels)
    expected = oracle.choose(case.scores, current if with_current else None, TOLERANCE)
    np.testing.assert_array_equal(labels, expected.astype(int))


def test_a_column_of_the_smallest_number_never_wins():
    case = Case(40, 16, 1)
    case.table[:, 3], case.bias[3], case.whole[0][:, 3], case.whole[1][3] = 0, -np.inf, 0, -32768
    labels = np.empty(40, np.int32)
    label_rows(case.codes, case.offsets, *case.screen(), *case.exact(), TOLERANCE, NONE, labels)
    scores = oracle.gather(case.codes, case.offsets, case.table, case.bias)
    assert 3 in case.scores.argmax(axis=1)
    np.testing.assert_array_equal(labels, scores.argmax(axis=1))


# --- steps ----------------------------------------------------------------------------------------


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


def test_the_first_of_equally_near_centres():
    # Centres 1, -1 and 1 on a line: the first and last are the same, and 0 is as far from all.
    points, centres = np.array([[0.0], [2.0], [-3.0]]), np.array([[1.0], [-1.0], [1.0]])
    labels, distance = np.empty((3, 1), dtype=np.int64), np.empty((3, 1))
    nearest_centres(points @ centres.T, np.ones((1, 3)), np.square(points[:, 0]), labels, distance)
    assert labels[:, 0].tolist() == [0, 0, 1]
    assert distance[:, 0].tolist() == [1, 1, 4]


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize(("n_restarts", "n_rows"), [(1, 6), (3, 0), (3, CHUNK + 2)])
def test_nearest_centres_of_gathered_points(n_rows, n_restarts, unit, scaled):
    case = Case(n_rows, 8)
    rng, width = case.rng, 6
    scale = frozen(rng.uniform(0.5, 2, n_rows)) if scaled else None
    weight = frozen(rng.integers(1, 4, n_rows)) if scaled else UNWEIGHTED
    centres = rng.normal(size=(n_restarts, 3, width))
    points = case.scores[:, :width] * (1 if scale is None else scale[:, None])
    if unit:
        points /= np.linalg.norm(points, axis=1)[:, None]
    apart = np.square(points[:, None, None] - centres).sum(axis=3)
    amounts = weight if scaled else np.ones(n_rows)
    member = (apart.argmin(axis=2)[..., None] == np.arange(3)) * amounts[:, None, None]
    sums, sizes, squares = np.ones(centres.shape), np.ones((n_restarts, 3)), np.ones(n_restarts)
    labels = np.empty(n_rows if n_restarts == 1 else 0, np.int32)
    nearest_of_block(
        case.codes, case.offsets, *case.exact(), width, unit, scale,
        np.ascontiguousarray(centres.reshape(-1, width).T), np.square(centres).sum(axis=2), weight,
        sums, sizes, squares, labels,
    )  # fmt: skip
    np.testing.assert_allclose(sums, 1 + np.einsum("irk,id->rkd", member, points), rtol=1e-10)
    np.testing.assert_allclose(sizes, 1 + member.sum(axis=0))
    np.testing.assert_allclose(squares, 1 + amounts @ apart.min(axis=2), rtol=1e-10)
    if n_restarts == 1:
        np.testing.assert_array_equal(labels, apart.argmin(axis=2)[:, 0])


def _nearest_of_one(bias, centres, lengths, *, unit):
    """Return label, squared distance and sums of one row whose labels are all missing."""
    codes, offsets = frozen(np.zeros((1, 1), np.uint8)), np.zeros(1, np.uint32)
    sums, sizes, squares = np.zeros((1, 2, 4)), np.zeros((1, 2)), np.zeros(1)
    labels = np.empty(1, np.int32)
    nearest_of_block(
        codes, offsets, tiles_of(np.zeros((2, 4))), strips_of(np.array(bias)), 4, unit, None,
        np.ascontiguousarray(np.array(centres).T), np.array([lengths]), UNWEIGHTED,
        sums, sizes, squares, labels,
    )  # fmt: skip
    return labels[0], squares[0], sums


def test_a_point_at_the_origin_is_not_scaled_to_length_one():
    centres = [[3.0, 0, 0, 0], [0, 2, 0, 0]]
    label, square, sums = _nearest_of_one([0.0, 0, 0, 0], centres, [9.0, 4.0], unit=True)
    assert (label, square) == (1, 4)
    assert not sums.any()


def test_equal_centres_the_first_and_no_square_below_zero():
    centres, lengths = [[1.0, 0, 0, 0], [1, 0, 0, 0]], [1 - 1e-9, 1 - 1e-9]
    label, square, _ = _nearest_of_one([1.0, 0, 0, 0], centres, lengths, unit=False)
    assert (label, square) == (0, 0)
