"""Columns whose values fall into two parts with a valley between them.

A few columns may show clusters that many others hide: every column counts the same in distances, so that
noise in twenty columns outweighs a clear gap in one.
"""

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose._cluster_separation import ValleyTest
from consilience.diagnose._spread_values import has_few_values


def columns_with_valleys(X: Array, alpha: float) -> Array:
    """Return the places of columns in which a valley has a p-value of at most alpha / d, d columns.

    Columns with few values always have gaps, so they are left out.
    """
    level = alpha / X.shape[1]
    return np.array(
        [
            place
            for place, column in enumerate(X.T)
            if not has_few_values(column) and _valley(column) <= level
        ],
        dtype=np.int64,
    )


def _valley(column: Array) -> float:
    return ValleyTest(column[:, None], _two_parts(column)).between(0, 1)


def _two_parts(column: Array) -> Array:
    """Divide values into two parts with as little variance inside as possible, 0 below and 1 above."""
    order = np.argsort(column, kind="stable")
    values = column[order] - column.mean()
    below = np.arange(1, len(values))
    above = len(values) - below
    # The sum of all values is zero, so both means follow from the sum below.
    between = np.square(values.cumsum()[:-1]) * (1 / below + 1 / above)
    labels = np.zeros(len(values), dtype=np.int32)
    labels[order[int(np.argmax(between)) + 1 :]] = 1
    return labels
