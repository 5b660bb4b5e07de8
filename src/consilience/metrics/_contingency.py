"""The contingency table of two labellings, kept as its non-zero cells."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError


class Contingency(NamedTuple):
    """Objects in cluster u of one labelling and v of the other.

    Only cells that are not zero are kept, so that two labellings of n singletons need O(n) memory
    instead of O(n^2).
    """

    row: Array
    column: Array
    counts: Array
    row_sums: Array
    column_sums: Array

    @property
    def n_objects(self) -> int:
        """Return the number of objects that both labellings contain."""
        return int(self.counts.sum())

    def sums_of_squares(self) -> tuple[float, float, float]:
        """Return the sums of squares of the cells and of both margins."""
        joint, left, right = (float(np.square(part, dtype=np.float64).sum()) for part in self[2:])
        return joint, left, right

    def dense(self) -> Array:
        """Return the whole table."""
        table = np.zeros((len(self.row_sums), len(self.column_sums)), dtype=np.int64)
        table[self.row, self.column] = self.counts
        return table


def contingency(labels_a: Any, labels_b: Any) -> Contingency:
    """Tabulate the objects that have a label on both sides."""
    a = as_label_vector(labels_a, "the first labelling").codes[:, 0].astype(np.int64)
    b = as_label_vector(labels_b, "the second labelling").codes[:, 0].astype(np.int64)
    if len(a) != len(b):
        raise InvalidInputError(
            f"Two labellings of the same objects are needed; got {len(a)} and {len(b)} labels."
        )
    known = (a > 0) & (b > 0)
    if not known.any():
        raise InvalidInputError("No object has a label on both sides, so nothing can be compared.")
    rows = np.unique(a[known], return_inverse=True)[1]
    columns = np.unique(b[known], return_inverse=True)[1]
    n_columns = int(columns.max()) + 1
    cells, count = np.unique(rows * n_columns + columns, return_counts=True)
    row, column = np.divmod(cells, n_columns)
    return Contingency(row, column, count, np.bincount(rows), np.bincount(columns))
