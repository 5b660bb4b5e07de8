"""Kernels of labels against NumPy; run once more with the compiler switched off."""

import itertools

import numpy as np
import pytest

from consilience._kernels._gather import CHUNK, argmax_scores, screen_rows
from consilience._kernels._hash import digest_labels, digest_rows, hash_rows
from consilience._kernels._label import (
    add_sizes,
    count_changes,
    count_different,
    label_rows,
    look_up,
    widen,
)
from consilience._kernels._lanes import lanes_of, strip_zeros
from consilience._kernels._leads import _rounded_down, label_rows_in_doubt, largest_losses
from consilience._kernels._points import nearest_of_block
from consilience.incidence._prepared import frozen
from oracles import kernels as oracle

# Read-only as in the package, since kernels are compiled per type.
NONE = frozen(np.empty(0, dtype=np.int32))
UNWEIGHTED = frozen(np.empty(0, dtype=np.int64))
TOLERANCE = 1e-9


def tiles_of(table):
    lanes = lanes_of(table.dtype)
    tiles = strip_zeros(table.shape[1] // lanes, len(table), table.dtype)
    tiles[:] = table.reshape(len(table), -1, lanes).transpose(1, 0, 2)
    return frozen(tiles)


def strips_of(values):
    return frozen(values.reshape(-1, lanes_of(values.dtype)))


class Case:
    """Codes, a table of so many columns in float64, and the same in int16, some units for one."""

    def __init__(self, n_rows, width, unit, seed=0):
        self.rng = np.random.default_rng(seed)
        n_clusters = np.array([3, 2, 4])
        self.offsets, self.unit = oracle.offsets_of(n_clusters), unit
        codes = self.rng.integers(0, n_clusters + 1, (n_rows, 3))
        self.codes = frozen(codes.astype(np.uint8))
        self.table, self.bias = self.rng.normal(size=(12, width)), self.rng.normal(size=width)
        if unit == 1:  # exact, with many ties
            self.table, self.bias = np.rint(self.table), np.rint(self.bias)
        self.table[self.offsets] = 0
        # Every sum has four terms, so that differences are wrong by at most four halves, twice.
        self.margin = 0 if unit == 1 else 4
        self.current = frozen(self.rng.integers(0, width, n_rows).astype(np.int32))
        self.scores = oracle.gather(self.codes, self.offsets, self.table, self.bias)
        self.whole = [np.rint(unit * part).astype(np.int16) for part in (self.table, self.bias)]
        self.sums = oracle.gather(self.codes, self.offsets, *self.whole)

    def screen(self):
        return tiles_of(self.whole[0]), strips_of(self.whole[1]), self.margin

    def exact(self):
        return tiles_of(self.table), strips_of(self.bias)

    def decided(self):
        """Whether the sums of int16 are sufficient."""
        ordered = np.sort(self.sums, axis=1)
        ahead = ordered[:, -1].astype(int) - ordered[:, -2]
        return (ahead > self.margin) | (self.margin == 0), ahead


NO_SCREEN = (
    frozen(strip_zeros(0, 12, np.int16)), frozen(np.empty((0, 16), dtype=np.int16)), 0,
)  # fmt: skip
# Whole numbers in one strip and in two; fractions that some sums of int16 do not decide.
SCREENS = [(16, 1), (32, 1), (16, 8), (32, 8)]


@pytest.mark.parametrize("n_rows", [0, 7, CHUNK + 3])
@pytest.mark.parametrize("with_current", [False, True])
@pytest.mark.parametrize(("width", "unit"), SCREENS)
def test_labels_by_a_screen_are_those_of_exact_sums(width, unit, with_current, n_rows):
    case = Case(n_rows, width, unit)
    current = case.current if with_current else NONE
    labels = np.full(n_rows, -9, np.int32)
    label_rows(case.codes, case.offsets, *case.screen(), *case.exact(), TOLERANCE, current, labels)
    expected = oracle.choose(case.scores, current if with_current else None, TOLERANCE)
    np.testing.assert_array_equal(labels, expected.astype(int))
    screened = np.empty(n_rows, np.int32)
    n_doubtful = screen_rows(case.codes, case.offsets, *case.screen(), current, screened)
    assert n_doubtful == np.count_nonzero(~case.decided()[0])
    assert unit == 1 or n_rows < CHUNK or 0 < n_doubtful < n_rows


@pytest.mark.parametrize("with_current", [False, True])
@pytest.mark.parametrize("width", [4, 8])
def test_labels_without_a_screen(width, with_current):
    case = Case(CHUNK + 3, width, 1)
    current = case.current if with_current else NONE
    labels = np.full(CHUNK + 3, -9, np.int32)
    label_rows(case.codes, case.offsets, *NO_SCREEN, *case.exact(), TOLERANCE, current, labels)
    expected = oracle.choose(case.scores, current if with_current else None, TOLERANCE)
    np.testing.assert_array_equal(labels, expected)


def test_the_best_score_is_written_if_wanted():
    scores = np.array([[1.0, 3, 2], [5, 5, -1]])
    labels, best = np.empty(2, np.int32), np.empty(2)
    argmax_scores(scores, np.array([0, 1], np.int32), TOLERANCE, labels, best)
    assert labels.tolist() == [1, 1]
    assert best.tolist() == [3, 5]


@pytest.mark.parametrize("weighted", [False, True])
def test_changes_of_counts(weighted):
    case = Case(9, 4, 1)
    before, labels = case.current, frozen(case.current[::-1].copy())
    weight = case.rng.integers(1, 5, 9) if weighted else np.ones(9, dtype=np.int64)
    kind = np.int64 if weighted else np.uint32
    table, sizes = np.zeros((4, 12), dtype=kind), np.zeros(4, dtype=kind)
    given = frozen(weight) if weighted else None
    with np.errstate(over="ignore"):  # unsigned numbers wrap around
        count_changes(case.codes, case.offsets, before, labels, given, table, sizes)
    if not weighted:
        table, sizes = table.view(np.int32), sizes.view(np.int32)
    change = weight[:, None] * (
        (labels[:, None] == np.arange(4)).astype(int) - (before[:, None] == np.arange(4))
    )
    np.testing.assert_array_equal(sizes, change.sum(axis=0))
    expected = oracle.scatter(case.codes, case.offsets, change, np.ones(9, dtype=int), 12)
    np.testing.assert_array_equal(table.T, expected)


def test_sizes_differences_and_new_labels():
    labels, other = np.array([2, 0, 2, 1], np.int32), np.array([2, 1, 0, 1], np.int32)
    sizes = np.array([5, 0, 0])
    add_sizes(labels, None, sizes)
    assert sizes.tolist() == [6, 1, 2]
    weights = np.zeros(3)
    add_sizes(labels, np.array([0.5, 1, 2, 4]), weights)
    assert weights.tolist() == [1, 4, 2.5]
    assert count_different(labels, other) == 2
    assert count_different(labels, labels) == 0
    out = np.empty(4, np.int32)
    look_up(np.array([7, 8, 9], np.int32), labels, out)
    assert out.tolist() == [9, 7, 9, 8]
    widen(np.array([3, 250, 0, 1], np.uint8), out)
    assert out.tolist() == [3, 250, 0, 1]


# --- leads ----------------------------------------------------------------------------------------


def _processed(is_open):
    """All rows of a chunk are processed if half of them must be."""
    processed = is_open.copy()
    for start in range(0, len(is_open), CHUNK):
        part = slice(start, start + CHUNK)
        if 2 * is_open[part].sum() >= len(is_open[part]):
            processed[part] = True
    return processed


@pytest.mark.parametrize("n_open", [0, 3, 4, 8, CHUNK // 4])
@pytest.mark.parametrize(("width", "unit"), [*SCREENS, (4, None)])
def test_rows_in_doubt_get_labels_and_leads(width, unit, n_open):
    n_rows = 8 if n_open <= 8 else CHUNK + 6
    case = Case(n_rows, width, unit or 1, seed=n_open)
    best = case.scores.argmax(axis=1).astype(np.int32)
    best[::3] = 1
    case.current = frozen(best)
    limit, spent = case.rng.integers(0, 5, (2, width)) / 4
    leads = (limit[case.current] + case.rng.choice([0, 1], n_rows)).astype(np.float32)
    opened = case.rng.permutation(n_rows)[:n_open]
    leads[opened] -= np.float32(1.5)
    is_open = leads < limit[case.current]
    before, labels = leads.copy(), np.full(n_rows, -9, np.int32)
    screen = NO_SCREEN if unit is None else case.screen()
    label_rows_in_doubt(
        case.codes, case.offsets, *screen, unit or 1, *case.exact(), 0.125, TOLERANCE, limit, spent,
        case.current, labels, leads,
    )  # fmt: skip
    processed = _processed(is_open)
    expected = oracle.choose(case.scores, case.current, TOLERANCE)
    np.testing.assert_array_equal(labels, np.where(processed, expected, case.current))
    np.testing.assert_array_equal(leads[~processed], before[~processed])
    ordered = np.sort(case.scores, axis=1)
    lead = ordered[:, -1] - ordered[:, -2] - 0.125
    if unit is not None:
        decided, ahead = case.decided()
        lead = np.where(decided, (ahead - case.margin) / unit, lead)
    lead += spent[expected]
    found = leads.astype(float)[processed]
    assert (found <= lead[processed] + 1e-12).all()
    np.testing.assert_allclose(found, lead[processed], rtol=2.0**-22, atol=1e-12)


def test_losses_are_those_of_the_worst_row():
    rng = np.random.default_rng(0)
    starts, change, bias = np.array([0, 2, 3, 6]), rng.normal(size=(6, 4)), rng.normal(size=4)
    losses = np.empty(4)
    largest_losses(change, starts, bias, losses)
    padded = np.vstack([change, np.zeros(4)])  # the last row is for missing labels
    choices = [[*range(low, high), -1] for low, high in itertools.pairwise(starts)]
    rows = np.array([bias + padded[list(row)].sum(axis=0) for row in itertools.product(*choices)])
    for a in range(4):
        others = np.delete(rows, a, axis=1).max(axis=1)
        assert losses[a] == pytest.approx((others - rows[:, a]).max(), rel=1e-12)


def test_a_single_label_loses_nothing():
    losses = np.array([9.0])
    largest_losses(np.ones((2, 1)), np.array([0, 2]), np.array([3.0]), losses)
    assert losses.tolist() == [0]


def test_numbers_are_rounded_down():
    tenth, one = np.float32(0.1), np.float32(1)  # the first is a little more than a tenth
    assert _rounded_down(np.float64(0.5)) == 0.5
    assert 0.1 * (1 - 2.0**-22) < float(_rounded_down(np.float64(0.1))) < 0.1
    assert _rounded_down(np.float64(-0.1)) == -tenth
    above = np.float64(np.nextafter(tenth, one)) - 1e-12
    assert _rounded_down(-above) <= -above
    assert _rounded_down(np.float64(2e38)) == pytest.approx(2e38, rel=1e-6)
    assert _rounded_down(np.float64(-1e-36)) == pytest.approx(-1e-36, rel=1e-6)
    # In float32 these would become infinite and 0.
    with np.errstate(over="ignore"):
        assert _rounded_down(np.float64(1e300)) == np.float32(3e38)
    assert _rounded_down(np.float64(-1e-50)) == np.float32(-1e-37)
    assert _rounded_down(np.float64(0.0)) == 0
    assert _rounded_down(np.float64(1e-50)) == 0


# --- a step of k-means on gathered points ---------------------------------------------------------


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("n_restarts", [1, 3])
@pytest.mark.parametrize("n_rows", [0, 6, CHUNK + 2])
def test_nearest_centres_of_gathered_points(n_rows, n_restarts, unit, scaled):
    case = Case(n_rows, 8, 8)
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


def test_a_point_at_the_origin_is_not_scaled_to_length_one():
    codes, offsets = frozen(np.zeros((1, 1), np.uint8)), np.zeros(1, np.uint32)
    tiles, bias = tiles_of(np.zeros((2, 4))), strips_of(np.zeros(4))
    sums, sizes, squares = np.zeros((1, 2, 4)), np.zeros((1, 2)), np.zeros(1)
    labels = np.empty(1, np.int32)
    centres = np.array([[3.0, 0, 0, 0], [0, 2, 0, 0]])
    nearest_of_block(
        codes, offsets, tiles, bias, 4, True, None, np.ascontiguousarray(centres.T),
        np.array([[9.0, 4.0]]), UNWEIGHTED, sums, sizes, squares, labels,
    )  # fmt: skip
    assert labels.tolist() == [1]
    assert squares.tolist() == [4]
    assert not sums.any()


def test_equal_centres_the_first_and_no_square_below_zero():
    codes, offsets = frozen(np.zeros((1, 1), np.uint8)), np.zeros(1, np.uint32)
    tiles, bias = tiles_of(np.zeros((2, 4))), strips_of(np.array([1.0, 0, 0, 0]))
    sums, sizes, squares = np.zeros((1, 2, 4)), np.zeros((1, 2)), np.zeros(1)
    labels = np.empty(1, np.int32)
    centres = np.array([[1.0, 0, 0, 0], [1, 0, 0, 0]])
    lengths = np.array([[1 - 1e-9, 1 - 1e-9]])
    nearest_of_block(
        codes, offsets, tiles, bias, 4, False, None, np.ascontiguousarray(centres.T),
        lengths, UNWEIGHTED, sums, sizes, squares, labels,
    )  # fmt: skip
    assert labels.tolist() == [0]
    assert squares.tolist() == [0]


# --- fingerprints ---------------------------------------------------------------------------------

STEP, PLACE = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = 2**64


def _hash(row):
    state = STEP
    for code in row:
        state = (state ^ int(code)) * MIX_1 % WORD
        state ^= state >> 27
    state = (state ^ (state >> 30)) * MIX_2 % WORD
    return state ^ (state >> 31)


def _sums(words):
    """Two sums of mixed words."""
    first = second = 0
    for word in words:
        mixed = word * MIX_1 % WORD
        mixed = (mixed ^ (mixed >> 27)) * MIX_2 % WORD
        mixed ^= mixed >> 31
        first, second = (first + mixed) % WORD, (second + mixed * (mixed >> 31)) % WORD
    return [first, second]


def test_digests_are_those_of_whole_numbers_modulo_a_word():
    codes = np.random.default_rng(0).integers(0, 9, (5, 3)).astype(np.uint8)
    hashes, digest = np.empty(5, np.uint64), np.empty(2, np.uint64)
    labels, sums = np.array([4, 0, 7], np.int32), np.array([10, 20], np.uint64)
    with np.errstate(over="ignore"):  # without the compiler, NumPy reports the wanted wrap-around
        hash_rows(codes, hashes)
        digest_rows(codes, digest)
        digest_labels(labels, 6, sums)
    assert hashes.tolist() == [_hash(row) for row in codes]
    assert digest.tolist() == _sums(_hash(row) + i * PLACE for i, row in enumerate(codes))
    first, second = _sums(label + (6 + i) * PLACE + STEP for i, label in enumerate([4, 0, 7]))
    assert sums.tolist() == [(10 + first) % WORD, (20 + second) % WORD]
