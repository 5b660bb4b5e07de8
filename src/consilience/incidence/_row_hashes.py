"""Hashes by which identical rows are found."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def row_hashes(rows: Array) -> Array:
    """Return a 64-bit hash of every row; equal rows have equal hashes."""
    from consilience._kernels._hash import hash_rows

    hashes = np.empty(len(rows), dtype=np.uint64)
    hash_rows(rows, hashes)
    return hashes
