"""Labels numbered 0, 1, 2, ... by first appearance."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


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
    given, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    rank = np.empty(len(given), dtype=np.int32)
    rank[appearance] = np.arange(len(given), dtype=np.int32)
    return rank[inverse.reshape(-1)], given[appearance]
