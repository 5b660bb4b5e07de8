"""Strips mean the same to the compiler as to Python."""

import functools

import numba
import numpy as np
import pytest

from consilience._kernels import _lanes as lanes

KINDS = [np.float64, np.int16]


def _sum_of_rows(table, out):
    total = lanes.load(table, 0)
    for row in range(1, table.shape[0]):
        total = lanes.add(total, lanes.load(table, np.uint32(row)))
    lanes.store(out, 1, total)


def _tops(table, threshold):
    strip = lanes.load(table, 0)
    bits = lanes.at_least(strip, threshold)
    return lanes.largest(strip), bits, lanes.first_bit(bits)


@pytest.fixture(params=["compiled", "plain"], scope="module")
def version(request):
    """Return what makes a kernel; compiled also where the compiler is switched off for all others."""
    if request.param == "plain":
        yield lambda function: function
        return
    kept, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 0
    yield functools.cache(numba.njit)
    numba.config.DISABLE_JIT = kept


@pytest.mark.parametrize("dtype", KINDS)
def test_strips_add_like_rows(dtype, version):
    table = np.random.default_rng(0).integers(-99, 99, (5, lanes.lanes_of(dtype))).astype(dtype)
    out = np.zeros((3, table.shape[1]), dtype=dtype)
    version(_sum_of_rows)(table, out)
    np.testing.assert_array_equal(out[1], table.sum(axis=0))
    assert not out[0].any()
    assert not out[2].any()


def test_the_largest_and_who_is_near(version):
    rng = np.random.default_rng(1)
    for trial in range(16):
        strip = rng.integers(-32768, 32768, 16).astype(np.int16)
        threshold = int(strip.max()) - 9999 * (trial % 2)
        largest, bits, first = version(_tops)(strip[None, :], threshold)
        near = strip >= threshold
        assert largest == strip.max()
        assert int(bits) == sum(1 << int(place) for place in np.flatnonzero(near))
        assert first == near.argmax()


@pytest.mark.parametrize("dtype", KINDS)
def test_strips_begin_with_a_line(dtype):
    for n_rows in (1, 7):
        tables = lanes.strip_zeros(3, n_rows, dtype)
        assert tables.shape == (3, n_rows, 32 // np.dtype(dtype).itemsize)
        assert tables.ctypes.data % 64 == 0
        assert not tables.any()
    assert lanes.strip_zeros(3, 0, dtype).size == 0


WRONG = {
    "a table by columns": (lambda table: lanes.load(table, 0), np.zeros((4, 4), order="F")),
    "a row that is no integer": (lambda table: lanes.load(table, 0.0), np.zeros((4, 4))),
    "what is no strip": (lambda table: lanes.store(table, 0, table), np.zeros((4, 4))),
    "a sum with a number": (lambda table: lanes.add(lanes.load(table, 0), 1.0), np.zeros((4, 4))),
    "largest float64": (lambda table: lanes.largest(lanes.load(table, 0)), np.zeros((4, 4))),
    "a threshold that is no integer": (
        lambda table: lanes.at_least(lanes.load(table, 0), 1.0),
        np.zeros((1, 16), np.int16),
    ),
    "bits of a float": (lambda table: lanes.first_bit(table[0, 0]), np.zeros((4, 4))),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_compiler_refuses_what_is_no_strip(name, monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    function, table = WRONG[name]
    with pytest.raises(numba.TypingError):
        numba.njit(function)(table)


def test_tables_that_cannot_be_written_are_not_stored_to(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    table = np.zeros((4, 4))
    table.setflags(write=False)
    with pytest.raises(numba.TypingError):
        numba.njit(lambda table: lanes.store(table, 1, lanes.load(table, 0)))(table)
