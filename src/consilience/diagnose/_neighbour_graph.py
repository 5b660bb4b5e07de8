"""The nearest neighbours of objects, on which borders of clusters are tested."""

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.neighbors import NearestNeighbors

Array = np.ndarray[Any, Any]

# Neighbours of an object: the logarithm of the number of objects, within these limits.
_FEWEST, _MOST = 4, 10


class NeighbourGraph(NamedTuple):
    """Objects linked with their nearest neighbours, and how sparse the data are around each.

    rows       (n, d) the data
    starts     (n + 1,) where the neighbours of an object begin
    others     neighbours of all objects, both ways
    ranks      places of the neighbours in the lists they come from, from 1
    radius     (n,) distance to the farthest of the nearest neighbours
    n_nearest  neighbours that every object lists
    """

    rows: Array
    starts: Array
    others: Array
    ranks: Array
    radius: Array
    n_nearest: int

    @classmethod
    def of(cls, rows: Array) -> Self:
        """Link every row with its nearest ones."""
        from consilience._kernels._borders import both_ways

        n_rows = len(rows)
        n_nearest = min(int(np.clip(np.log2(n_rows), _FEWEST, _MOST)), n_rows - 1)
        distance, nearest = NearestNeighbors(n_neighbors=n_nearest).fit(rows).kneighbors()
        starts, others, ranks = both_ways(nearest.astype(np.int32))
        return cls(rows, starts, others, ranks, distance[:, -1], n_nearest)
