"""Rand distance."""

from typing import Any

from consilience.metrics._contingency import contingency
from consilience.metrics._formulas import rand_from_squares


def rand_distance(labels_a: Any, labels_b: Any) -> float:
    """Share of pairs of objects that are together in one labelling and apart in the other.

    One minus the Rand index; the criterion of [nguyen2007]_, equation (3).

    Examples
    --------
    >>> rand_distance([0, 0, 1], [0, 1, 1])
    0.6666666666666666
    """
    table = contingency(labels_a, labels_b)
    return float(rand_from_squares(*table.sums_of_squares(), table.n_objects))
