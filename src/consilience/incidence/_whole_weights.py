"""Weights of rows as whole numbers of a small unit: their sums are the same in any order."""

from typing import Any

import numpy as np

from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut

Array = np.ndarray[Any, Any]

# Sums of whole numbers stay below 2^62.
_BITS = 61
# Rows that a thread takes at a time.
_PIECE = 1 << 17


def power_within(total: float) -> float:
    """Return the largest power of two whose product with a total stays below 2^61."""
    return float(2.0 ** (_BITS - np.ceil(np.log2(max(total, 1e-280)))))


def whole_weights(weight: Array | None) -> tuple[Array | None, float | None]:
    """Return weights as whole numbers, and what one of their units is worth; None if they are whole."""
    if weight is None or np.issubdtype(weight.dtype, np.integer):
        return weight, None
    # Weights may be negative: a product with a vector is a weighted table too.
    power = power_within(float(np.abs(weight).sum()))
    whole = np.empty(len(weight), dtype=np.int64)

    def piece(rows: tuple[int, int]) -> None:
        whole[slice(*rows)] = np.rint(weight[slice(*rows)] * power)

    for _ in threaded(piece, cut(0, len(weight), _PIECE)):
        pass
    return whole, 1 / power
