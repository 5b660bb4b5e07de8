"""Distinct rows of the label matrix, with multiplicities."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from consilience._utils._config import thread_count
from consilience._utils._types import Array
from consilience.incidence import cut, threaded
from consilience.incidence.internals import distinct, row_hashes

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble


# Hashes are sorted by one thread up to this number of rows, or with fewer threads than this.
_FEW_ROWS = 1 << 19
_MANY_THREADS = 4


class Profiles(NamedTuple):
    """Identical rows, merged.

    ensemble      the distinct rows, in order of first appearance; its incidence counts every row as
                  often as it occurs
    inverse       (n,) the distinct row of every object
    multiplicity  (q,) summed weight of the objects of every distinct row
    """

    ensemble: "Ensemble"
    inverse: Array
    multiplicity: Array


def merge_rows(ensemble: "Ensemble", apart: Array | None) -> Profiles:
    """Merge identical rows; those that a mask marks keep rows of their own."""
    codes = ensemble.codes
    first, inverse = group_rows(codes if apart is None else mark_apart(codes, apart))
    multiplicity = weight_of_groups(inverse, len(first), ensemble.sample_weight)
    distinct = ensemble.with_rows(codes[first], multiplicity)
    return Profiles(distinct, inverse, multiplicity)


def weight_of_groups(inverse: Array, n_groups: int, row_weight: Array | None) -> Array:
    """Return how often every group occurs, or the weight of its rows."""
    if row_weight is None:
        return np.bincount(inverse, minlength=n_groups)
    weight = np.zeros(n_groups, dtype=row_weight.dtype)
    np.add.at(weight, inverse, row_weight)
    return weight


def bytes_merged(n_distinct: int, n_samples: int, n_members: int) -> int:
    """Return the memory for merging: the distinct rows, and the index of every object."""
    return 2 * n_distinct * n_members + 16 * n_samples


def count_distinct(codes: Array) -> int:
    """Return the number of distinct rows (of distinct 64-bit hashes, to be exact)."""
    hashes = row_hashes(codes)
    n_threads = thread_count()
    if len(hashes) <= _FEW_ROWS or n_threads < _MANY_THREADS:
        return len(distinct(hashes))
    ends = [np.uint64(end) for end in np.linspace(0, 2.0**64, n_threads + 1)[1:-1]]
    ends = [np.uint64(0), *ends, np.uint64(2**64 - 1)]

    def in_range(part: tuple[int, int]) -> int:
        # Every thread selects and sorts its own part of the hashes.
        low, high = ends[part[0]], ends[part[1]]
        last = part[1] == n_threads
        own = (hashes >= low) & ((hashes <= high) if last else (hashes < high))
        return len(distinct(hashes[own]))

    return sum(threaded(in_range, cut(0, n_threads, 1)))


def group_rows(codes: Array) -> tuple[Array, Array]:
    """Return the first row of every group of identical rows, and the group of every row.

    Rows are compared by a 64-bit hash and the groups are then verified cell by cell; if two different
    rows have the same hash, rows are sorted instead.
    """
    from consilience._kernels._hash import rows_match

    first, inverse = _by_first_appearance(row_hashes(codes))
    if not rows_match(codes, first[inverse]):
        rows = np.ascontiguousarray(codes).view(np.dtype((np.void, codes.strides[0])))[:, 0]
        first, inverse = _by_first_appearance(rows)
    return first, inverse


def mark_apart(codes: Array, apart: Array) -> Array:
    """Return codes with additional columns that make every marked row unique."""
    n_marked = int(np.count_nonzero(apart))
    if n_marked == 0:
        return codes
    number = np.zeros(len(codes), dtype=np.int64)
    number[apart] = np.arange(1, n_marked + 1)
    base = int(np.iinfo(codes.dtype).max) + 1
    digits = [codes]
    while number.any():
        digits.append((number % base).astype(codes.dtype)[:, None])
        number //= base
    return np.hstack(digits)


def _by_first_appearance(keys: Array) -> tuple[Array, Array]:
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[order] = np.arange(len(first))
    return first[order], rank[inverse.reshape(-1)]
