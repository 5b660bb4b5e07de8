"""Strips mean the same to the compiler as to Python."""

import numba
import numpy as np
import pytest

from consilience._kernels import _lanes as lanes

KINDS = [np.float64, np.int16]


@numba.njit
def _sum_of_rows(table, out):
    total = lanes.load(table, 0)
    for row in range(1, table.shape[0]):
        total = lanes.add(total, lanes.load(table, np.uint32(row)))
    lanes.store(out, 1, total)


@numba.njit
def _tops(table, threshold):
    strip = lanes.load(table, 0)
    bits = lanes.at_least(strip, threshold)
    return lanes.largest(strip), bits, lanes.first_bit(bits)


@pytest.mark.parametrize("dtype", KINDS)
def test_strips_add_like_rows(dtype):
    table = np.random.default_rng(0).integers(-99, 99, (5, lanes.lanes_of(dtype))).astype(dtype)
    out = np.zeros((3, table.shape[1]), dtype=dtype)
    _sum_of_rows(table, out)
    np.testing.assert_array_equal(out[1], table.sum(axis=0))
    assert not out[0].any()
    assert not out[2].any()


def test_the_largest_and_who_is_near():
    rng = np.random.default_rng(1)
    for _ in range(20):
        strip = rng.integers(-32768, 32768, (1, 16)).astype(np.int16)
        threshold = int(strip.max()) - 9999
        largest, bits, first = _tops(strip, max(threshold, -32768))
        near = strip[0] >= threshold
        assert largest == strip.max()
        assert int(bits) == sum(1 << int(lane) for lane in np.flatnonzero(near))
        assert first == near.argmax()


@pytest.mark.parametrize("dtype", KINDS)
def test_strips_begin_with_a_line(dtype):
    for n_rows in (1, 7):
        tables = lanes.strip_zeros(3, n_rows, dtype)
        assert tables.shape == (3, n_rows, 32 // np.dtype(dtype).itemsize)
        assert tables.ctypes.data % 64 == 0
        assert not tables.any()
    assert lanes.strip_zeros(3, 0, dtype).size == 0


def test_only_tables_of_strips_are_loaded():
    with pytest.raises((numba.TypingError, ValueError)):
        _sum_of_rows(np.zeros((4, 5), order="F"), np.zeros((4, 4)))
