"""Label vectors of very many rows: the smallest type that holds them.

If rows are read in stripes, they may not fit in memory, and vectors with an entry per row use most of
the memory of the calling process. Blocks get them as int32, so that kernels need only one type.
"""

from typing import Any

import numpy as np

from consilience._utils._types import Array

_WHOLE = (np.uint8, np.uint16, np.int32)
_WITH_MISSING = (np.int8, np.int16, np.int32)


def is_narrow(labels: Any) -> bool:
    """Whether a vector holds integers in fewer bytes than int32."""
    return bool(labels.dtype.kind in "iu" and labels.dtype.itemsize < 4)


def narrowed(labels: Array) -> Array:
    """Return integers in the smallest type that holds them, at most int32."""
    if is_narrow(labels) or labels.dtype.kind not in "iu":
        return labels
    low, high = int(labels.min(initial=0)), int(labels.max(initial=0))
    for dtype in _WHOLE if low >= 0 else _WITH_MISSING:
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return labels.astype(dtype, copy=False)
    return labels


def widened_rows(values: Any) -> Any:
    """Return a narrow vector as int32, anything else as it is."""
    return values.astype(np.int32) if is_narrow(values) else values


def as_narrow_as(labels: Array, given: Any) -> Array:
    """Return labels of int32, narrow if those that were given are."""
    return narrowed(labels) if is_narrow(given) else labels.astype(np.int32, copy=False)
