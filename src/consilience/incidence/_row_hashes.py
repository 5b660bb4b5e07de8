"""Hashes to find identical rows."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut

# Number of rows that a thread hashes at a time.
_PIECE = 1 << 16


def distinct(hashes: Array) -> Array:
    """Return every hash once, sorted; faster than `np.unique`, which looks for repeats by hashing."""
    hashes = np.sort(hashes)
    first = np.ones(len(hashes), dtype=bool)
    np.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    return hashes if first.all() else hashes[first]


def row_hashes(rows: Array) -> Array:
    """Return a 64-bit hash of every row; equal rows have equal hashes."""
    from consilience._kernels._hash import hash_rows

    hashes = np.empty(len(rows), dtype=np.uint64)

    def piece(part: tuple[int, int]) -> None:
        hash_rows(rows[slice(*part)], hashes[slice(*part)])

    for _ in threaded(piece, cut(0, len(rows), _PIECE)):
        pass
    return hashes
