"""Normalised mutual information."""

from typing import Any

from consilience.metrics._contingency import contingency
from consilience.metrics._formulas import nmi_from_sums, xlogx


def nmi(labels_a: Any, labels_b: Any, *, average_method: str = "geometric") -> float:
    """Normalised mutual information of two labellings, from 0 to 1.

    Parameters
    ----------
    labels_a, labels_b : vectors of n labels
        Objects missing on either side are left out.
    average_method : {"geometric", "arithmetic", "min", "max"}, default "geometric"
        Normaliser of the mutual information; geometric, the square root of the product of the two
        entropies, is usual in the cluster ensemble literature [strehl2002]_.

    Notes
    -----
    Not corrected for chance: two random labellings score above 0. One side with a single cluster gives
    0, both sides 1.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    table = contingency(labels_a, labels_b)
    value = nmi_from_sums(
        xlogx(table.counts).sum(),
        xlogx(table.row_sums).sum(),
        xlogx(table.column_sums).sum(),
        table.n_objects,
        average_method,
    )
    return float(value)
