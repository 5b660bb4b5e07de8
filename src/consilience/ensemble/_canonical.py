"""Labels numbered 0, 1, 2, ... by first appearance."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import first_rows, relabelled

_SPARE_PLACES = 1_000


def canonical_labels(labels: Array) -> tuple[Array, Array]:
    """Number non-negative labels by first appearance, leaving no gaps.

    Returns
    -------
    labels : array (n,) of int32
    order : array (K,)
        The given label behind each new one.

    Examples
    --------
    >>> import numpy as np
    >>> canonical_labels(np.array([7, 7, 2, 7, 0]))
    (array([0, 0, 1, 0, 2], dtype=int32), array([7, 2, 0]))
    """
    largest = int(labels.max()) if len(labels) else -1
    if largest > len(labels) + _SPARE_PLACES:  # too far apart for a table of all possible labels
        given, inverse = np.unique(labels, return_inverse=True)
        dense, order = canonical_labels(inverse.reshape(-1))
        return dense, given[order]
    first = first_rows(labels, largest + 1)
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(labels))]
    rank = np.zeros(largest + 1, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return relabelled(labels, rank), order.astype(labels.dtype)
