"""Row weights as integer multiples of a small unit: their sums are the same in any order."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut

# Sums of integers stay below 2^62.
_BITS = 61
# Number of rows that a thread processes at a time.
_PIECE = 1 << 17


def power_within(total: float) -> float:
    """Return the largest power of two whose product with a total stays below 2^61."""
    return float(2.0 ** (_BITS - np.ceil(np.log2(max(total, 1e-280)))))


def whole_weights(weight: Array | None) -> tuple[Array | None, float | None]:
    """Return weights as integers, and the value of one unit (None if they were integers)."""
    if weight is None or np.issubdtype(weight.dtype, np.integer):
        return weight, None
    # Weights may be negative, because products with vectors use them too.
    power = power_within(float(np.abs(weight).sum()))
    whole = np.empty(len(weight), dtype=np.int64)

    def piece(rows: tuple[int, int]) -> None:
        whole[slice(*rows)] = np.rint(weight[slice(*rows)] * power)

    for _ in threaded(piece, cut(0, len(weight), _PIECE)):
        pass
    return whole, 1 / power
