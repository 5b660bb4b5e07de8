"""Vectors with an entry per row: labels, weights and hashes, processed by threads.

All operations are sums, comparisons or look-ups of integers, so results do not depend on threads.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._collect import is_narrow, narrowed
from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut

Rows = tuple[int, int]

# Number of rows that a thread processes at a time.
_PIECE = 1 << 18
# Sums of weights as integers stay below 2^62.
_BITS = 61


def label_sizes(labels: Any, n_labels: int, weight: Array | None = None) -> Array:
    """Return the number of rows of every label, or their weight as float64."""
    from consilience._kernels._label import add_sizes

    labels = np.asarray(labels)
    dtype = np.int64 if weight is None else np.float64

    def piece(rows: Rows) -> Array:
        sizes = np.zeros(n_labels, dtype=dtype)
        part = None if weight is None else weight[slice(*rows)]
        add_sizes(labels[slice(*rows)], part, sizes)
        return sizes

    sizes = np.zeros(n_labels, dtype=dtype)
    for part in threaded(piece, cut(0, len(labels), _PIECE)):
        sizes += part
    return sizes


def n_different(labels: Any, other: Any) -> int:
    """Return how many rows have different labels in two vectors."""
    from consilience._kernels._label import count_different

    labels, other = np.asarray(labels), np.asarray(other)

    def piece(rows: Rows) -> int:
        return int(count_different(labels[slice(*rows)], other[slice(*rows)]))

    return sum(threaded(piece, cut(0, len(labels), _PIECE)))


def label_digest(labels: Any) -> bytes:
    """Return a digest of 16 bytes; equal label vectors have equal digests, collisions are unlikely."""
    from consilience._kernels._hash import digest_labels

    labels = np.asarray(labels)

    def piece(rows: Rows) -> Array:
        sums = np.zeros(2, dtype=np.uint64)
        digest_labels(labels[slice(*rows)], rows[0], sums)
        return sums

    total = np.zeros(2, dtype=np.uint64)
    for part in threaded(piece, cut(0, len(labels), _PIECE)):
        total += part
    return total.tobytes()


def relabelled(labels: Any, new: Array) -> Any:
    """Return new[label] of every row, a vector of int32; a narrow one if it was narrow.

    Narrow labels that do not change are not copied.
    """
    from consilience._kernels._label import look_up

    new = new.astype(np.int32)
    narrow = is_narrow(labels)
    if narrow and np.array_equal(new, np.arange(len(new))):
        return labels
    out = np.empty(len(labels), dtype=narrowed(new).dtype if narrow else np.int32)

    def piece(rows: Rows) -> None:
        look_up(new, labels[slice(*rows)], out[slice(*rows)])

    _on_pieces(piece, len(labels))
    return out


def first_rows(labels: Any, n_labels: int) -> Array:
    """Return the first row of every label, n where it does not occur."""
    from consilience._kernels._label import first_places

    n_rows = len(labels)
    first = np.full(n_labels, n_rows, dtype=np.int64)
    missing = n_labels
    for low, high in cut(0, n_rows, _PIECE):
        # Most labels occur early; the search stops when all are found.
        found = np.full(n_labels, high - low, dtype=np.int64)
        first_places(labels[low:high], found)
        new = (found < high - low) & (first == n_rows)
        first[new] = found[new] + low
        missing -= int(np.count_nonzero(new))
        if not missing:
            break
    return first


def row_hashes(rows: Array) -> Array:
    """Return a 64-bit hash of every row of a matrix; equal rows have equal hashes."""
    from consilience._kernels._hash import hash_rows

    hashes = np.empty(len(rows), dtype=np.uint64)

    def piece(part: Rows) -> None:
        hash_rows(rows[slice(*part)], hashes[slice(*part)])

    _on_pieces(piece, len(rows))
    return hashes


def distinct(hashes: Array) -> Array:
    """Return every hash once, sorted; faster than `np.unique`, which looks for repeats by hashing."""
    hashes = np.sort(hashes)
    first = np.ones(len(hashes), dtype=bool)
    np.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    return hashes if first.all() else hashes[first]


def whole_weights(weight: Array | None) -> tuple[Array | None, float | None]:
    """Return weights as integer multiples of a small unit, and the unit; None if they were integers.

    Sums of integers are the same in any order.
    """
    if weight is None or np.issubdtype(weight.dtype, np.integer):
        return weight, None
    # Weights may be negative, because products with vectors use them too.
    power = power_within(float(np.abs(weight).sum()))
    whole = np.empty(len(weight), dtype=np.int64)

    def piece(rows: Rows) -> None:
        whole[slice(*rows)] = np.rint(weight[slice(*rows)] * power)

    _on_pieces(piece, len(weight))
    return whole, 1 / power


def power_within(total: float) -> float:
    """Return the largest power of two whose product with a total stays below 2^61."""
    return float(2.0 ** (_BITS - np.ceil(np.log2(max(total, 1e-280)))))


def _on_pieces(function: Callable[[Rows], None], n_rows: int) -> None:
    for _ in threaded(function, cut(0, n_rows, _PIECE)):
        pass
