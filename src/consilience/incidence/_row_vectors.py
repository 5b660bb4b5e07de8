"""Operations on label vectors of all rows, by threads or on the GPU.

All operations are sums, comparisons or look-ups of integers, so results do not depend on threads.
"""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._device_vector import DeviceVector
from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut
from consilience.incidence._narrow import is_narrow, narrowed

Rows = tuple[int, int]

# Number of rows that a thread processes at a time.
_PIECE = 1 << 18


def label_sizes(labels: Any, n_labels: int, weight: Array | None = None) -> Array:
    """Return the number of rows of every label, or their weight as float64."""
    if isinstance(labels, DeviceVector) and weight is None:
        from consilience.incidence._cuda import sizes_on_device

        return sizes_on_device(labels, n_labels)
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
    if isinstance(labels, DeviceVector) and isinstance(other, DeviceVector):
        from consilience.incidence._cuda import n_different_on_device

        return n_different_on_device(labels, other)
    from consilience._kernels._label import count_different

    labels, other = np.asarray(labels), np.asarray(other)

    def piece(rows: Rows) -> int:
        return int(count_different(labels[slice(*rows)], other[slice(*rows)]))

    return sum(threaded(piece, cut(0, len(labels), _PIECE)))


def label_digest(labels: Any) -> bytes:
    """Return a digest of 16 bytes; equal label vectors have equal digests, collisions are unlikely."""
    if isinstance(labels, DeviceVector):
        from consilience.incidence._cuda import digest_on_device

        return digest_on_device(labels)
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
    if isinstance(labels, DeviceVector):
        from consilience.incidence._cuda import relabelled_on_device

        return relabelled_on_device(labels, new)
    from consilience._kernels._label import look_up

    new = new.astype(np.int32)
    narrow = is_narrow(labels)
    if narrow and np.array_equal(new, np.arange(len(new))):
        return labels
    out = np.empty(len(labels), dtype=narrowed(new).dtype if narrow else np.int32)

    def piece(rows: Rows) -> None:
        look_up(new, labels[slice(*rows)], out[slice(*rows)])

    for _ in threaded(piece, cut(0, len(labels), _PIECE)):
        pass
    return out


def first_rows(labels: Any, n_labels: int) -> Array:
    """Return the first row of every label, n where it does not occur."""
    n_rows = len(labels)
    if isinstance(labels, DeviceVector):
        from consilience.incidence._cuda import first_rows_on_device

        return first_rows_on_device(labels, n_labels)
    from consilience._kernels._relabel import first_places

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


def widened(labels: DeviceVector) -> Array:
    """Return labels in host memory as int32."""
    from consilience._kernels._label import widen
    from consilience.incidence._cuda import downloaded

    out = np.empty(len(labels), dtype=np.int32)
    for start, stored in downloaded(labels):
        part = out[start : start + len(stored)]

        def piece(rows: Rows, stored: Array = stored, part: Array = part) -> None:
            widen(stored[slice(*rows)], part[slice(*rows)])

        for _ in threaded(piece, cut(0, len(stored), _PIECE)):
            pass
    return out
