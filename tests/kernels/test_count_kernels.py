"""Kernels that count, add, encode and hash against NumPy; run once more without the compiler."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience._kernels._gather import CHUNK
from consilience._kernels._gram import MOST_JOINT, overlap_counts, overlaps
from consilience._kernels._hash import digest_labels, digest_rows, hash_rows, rows_match
from consilience._kernels._label import add_sizes, count_different, first_places, look_up
from consilience._kernels._lanes import strip_zeros
from consilience._kernels._relabel import count_codes, encode_rows, recode_rows
from consilience._kernels._scatter import count_changes, count_labels, count_observed, scatter_rows
from oracles import kernels as oracle


class Case:
    """Random codes of a few members, some missing, and what belongs to them."""

    def __init__(self, seed=0, dtype=np.uint8, n_rows=23, n_members=5, most_clusters=5):
        self.rng = np.random.default_rng(seed)
        self.n_clusters = self.rng.integers(1, most_clusters + 1, n_members)
        self.offsets = oracle.offsets_of(self.n_clusters)
        self.n_padded = int(self.n_clusters.sum()) + n_members
        shape = (n_rows, n_members)
        self.codes = self.rng.integers(0, self.n_clusters + 1, shape).astype(dtype)
        self.ones = np.ones(n_rows, dtype=np.int64)


@pytest.fixture(params=[np.uint8, np.uint16, np.uint32], ids=lambda dtype: dtype.__name__)
def case(request):
    return Case(dtype=request.param)


@pytest.mark.parametrize("kind", ["none", "integer", "float"])
def test_count_labels(case, kind):
    n_rows = len(case.codes)
    labels = case.rng.integers(0, 3, n_rows).astype(np.int32)
    weight = {
        "none": case.ones,
        "integer": case.rng.integers(0, 5, n_rows),
        "float": case.rng.random(n_rows),
    }[kind]
    table = np.zeros((3, case.n_padded), dtype=np.uint32 if kind == "none" else weight.dtype)
    count_labels(case.codes, case.offsets, labels, None if kind == "none" else weight, table)
    one_hot = np.eye(3, dtype=np.int64)[labels]
    expected = oracle.scatter(case.codes, case.offsets, one_hot, weight, case.n_padded)
    np.testing.assert_allclose(table.T, expected, rtol=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_changes_of_counts(case, weighted):
    n_rows = len(case.codes)
    before, labels = case.rng.integers(0, 4, (2, n_rows)).astype(np.int32)
    weight = case.rng.integers(1, 5, n_rows) if weighted else case.ones
    kind = np.int64 if weighted else np.uint32
    table, sizes = np.zeros((4, case.n_padded), dtype=kind), np.zeros(4, dtype=kind)
    with np.errstate(over="ignore"):  # unsigned numbers wrap around
        given = weight if weighted else None
        count_changes(case.codes, case.offsets, before, labels, given, table, sizes)
    if not weighted:
        table, sizes = table.view(np.int32), sizes.view(np.int32)
    eye = np.eye(4, dtype=np.int64)
    change = weight[:, None] * (eye[labels] - eye[before])
    np.testing.assert_array_equal(sizes, change.sum(axis=0))
    expected = oracle.scatter(case.codes, case.offsets, change, case.ones, case.n_padded)
    np.testing.assert_array_equal(table.T, expected)


@pytest.mark.parametrize(("n_rows", "n_members"), [(0, 5), (3, 1), (23, 7), (CHUNK + 2, 1)])
def test_scatter_rows(n_rows, n_members):
    case = Case(n_rows=n_rows, n_members=n_members)
    values = case.rng.normal(size=(n_rows, 8))
    tiles = strip_zeros(2, case.n_padded, np.float64)
    scatter_rows(case.codes, case.offsets, values.reshape(-1, 4), tiles)
    table = tiles.transpose(1, 0, 2).reshape(case.n_padded, 8)
    expected = oracle.scatter(case.codes, case.offsets, values, case.ones, case.n_padded)
    np.testing.assert_allclose(table, expected, atol=1e-12)


def test_overlaps(case):
    weight = case.rng.integers(1, 4, len(case.codes))
    table = np.zeros((case.n_padded, case.n_padded), dtype=np.int64)
    overlaps(np.ascontiguousarray(case.codes.T), case.offsets, weight, table)
    expected = oracle.overlaps(case.codes, case.offsets, weight, case.n_padded)
    np.testing.assert_array_equal(table, expected)


# One member; even and odd numbers; members too large to be taken as one, to be counted apart; no rows.
@pytest.mark.parametrize(
    ("n_rows", "n_members", "most_clusters"),
    [(0, 3, 2), (300, 1, 3), (301, 4, 3), (300, 5, 3), (900, 3, 20), (30, 5, 40)],
)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_overlap_counts(n_rows, n_members, most_clusters, dtype):
    case = Case(3, dtype, n_rows, n_members, most_clusters)
    table = np.zeros((case.n_padded, case.n_padded), dtype=np.int64)
    left = np.empty(n_rows, dtype=np.uint32)
    strips = strip_zeros(1, MOST_JOINT + 2 + n_rows // 8, np.int16)[0]
    cells = strips[MOST_JOINT + 2 :].reshape(-1)
    columns, offsets = np.ascontiguousarray(case.codes.T), case.offsets.astype(np.int64)
    overlap_counts(columns, offsets, case.n_clusters + 1, left, strips, cells, table)
    assert not cells.any()
    expected = oracle.overlaps(case.codes, case.offsets, case.ones, case.n_padded)
    np.testing.assert_array_equal(table, expected)


def test_count_observed(case):
    weights = case.rng.random(5)
    out = np.empty(len(case.codes))
    count_observed(case.codes, weights, out)
    np.testing.assert_allclose(out, (case.codes > 0) @ weights)


# --- label vectors and codes ----------------------------------------------------------------------


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
    first = np.full(4, 5)
    first_places(np.array([3, 0, 3, 1, 0]), first)
    assert first.tolist() == [1, 3, 5, 0]


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


def test_recoding_by_a_table_of_all_labels():
    labels = np.array([[3, -1], [0, 2], [9, 0]], dtype=np.int16)
    first, size = np.array([0, 4]), np.array([4, 2])
    lookup = np.array([1, 0, 0, 2, 1, 2], dtype=np.uint8)
    codes = np.empty((3, 2), dtype=np.uint8)
    recode_rows(labels, first, size, lookup, codes)
    assert codes.tolist() == [[2, 0], [1, 0], [0, 1]]


def test_count_codes(case):
    offsets = case.offsets.astype(np.int64)
    counts = np.zeros(case.n_padded, dtype=np.int64)
    count_codes(case.codes, offsets, counts)
    expected = oracle.scatter(case.codes, offsets, case.ones[:, None], case.ones, case.n_padded)
    np.testing.assert_array_equal(counts, expected[:, 0])


# --- hashes ---------------------------------------------------------------------------------------

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


def test_equal_rows_have_equal_hashes_and_others_do_not(case):
    codes = np.vstack([case.codes, case.codes[::-1]])
    hashes = np.empty(len(codes), dtype=np.uint64)
    with np.errstate(over="ignore"):
        hash_rows(codes, hashes)
    same_row = (codes[:, None, :] == codes[None, :, :]).all(axis=2)
    np.testing.assert_array_equal(hashes[:, None] == hashes[None, :], same_row)


def test_rows_match(case):
    rows = np.arange(len(case.codes))
    assert rows_match(case.codes, rows)
    case.codes[0], case.codes[1] = 1, 0
    assert not rows_match(case.codes, np.where(rows == 0, 1, rows))
