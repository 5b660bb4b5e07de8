"""Adjusted Rand index."""

from typing import Any

from consilience.metrics._contingency import contingency
from consilience.metrics._formulas import ari_from_squares


def ari(labels_a: Any, labels_b: Any) -> float:
    """Adjusted Rand index of two labellings: 1 = the same, 0 = as expected by chance.

    Examples
    --------
    >>> ari([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    table = contingency(labels_a, labels_b)
    return float(ari_from_squares(*table.sums_of_squares(), table.n_objects))
