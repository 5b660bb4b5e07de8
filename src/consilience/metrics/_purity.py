"""Purity."""

from typing import Any

import numpy as np

from consilience.metrics._contingency import contingency


def purity(labels: Any, truth: Any) -> float:
    """Share of objects that belong to the most frequent class of their cluster.

    The accuracy of [nguyen2007]_, equation (5). It increases with the number of clusters: n singletons
    have purity 1.

    Examples
    --------
    >>> purity([0, 0, 1, 2], ["x", "x", "y", "y"])
    1.0
    """
    table = contingency(labels, truth)
    largest = np.zeros(len(table.row_sums), dtype=np.int64)
    np.maximum.at(largest, table.row, table.counts)
    return float(largest.sum() / table.n_objects)
