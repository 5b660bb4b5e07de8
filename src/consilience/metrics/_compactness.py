"""Compactness of clusters in feature space."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from consilience._utils._plain_numbers import require_plain_numbers
from consilience._utils._types import Array
from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError

_TILE = 2_048


def compactness(X: Any, labels: Any, *, squared: bool = False) -> float:
    """Mean distance between objects of the same cluster, weighted by cluster size; lower is tighter.

    Parameters
    ----------
    X : array (n, d)
        Features.
    labels : vector of n labels
        Objects without a label are left out.
    squared : bool, default False
        Squared Euclidean distances, O(n d) by the sums of squares; plain ones need all pairs inside
        every cluster, computed in tiles.

    Notes
    -----
    (1/n) sum_k n_k (mean over the pairs i < j of cluster k of d(x_i, x_j)), [nguyen2007]_, equation
    (4). A cluster of one object contributes 0.

    Examples
    --------
    >>> compactness([[0.0], [2.0], [9.0]], [0, 0, 1])
    1.3333333333333333
    """
    require_plain_numbers(X, "X")
    features = np.asarray(X, dtype=np.float64)
    codes = as_label_vector(labels).codes[:, 0]
    if features.ndim != 2 or len(features) != len(codes):
        raise InvalidInputError(
            f"X must have {len(codes)} rows, one per label; got an array of shape {features.shape}."
        )
    if not np.isfinite(features).all():
        row, column = np.argwhere(~np.isfinite(features))[0]
        raise InvalidInputError(
            f"X[{row}, {column}] is {features[row, column]}; it must be finite."
        )
    pair_sum = _squared_sum if squared else _distance_sum
    total = 0.0
    for code in np.unique(codes[codes > 0]):
        points = features[codes == code]
        if len(points) > 1:
            total += 2 * pair_sum(points) / (len(points) - 1)
    return total / int(np.count_nonzero(codes))


def _squared_sum(points: Array) -> float:
    """Sum of squared distances over pairs: n_k times the sum of squares about the mean."""
    return len(points) * float(np.square(points - points.mean(axis=0)).sum())


def _distance_sum(points: Array) -> float:
    """Sum of distances over pairs."""
    total = 0.0
    for start in range(0, len(points), _TILE):
        tile = points[start : start + _TILE]
        for other in range(start, len(points), _TILE):
            distances = float(cdist(tile, points[other : other + _TILE]).sum())
            # A tile with itself holds every pair twice.
            total += distances / 2 if other == start else distances
    return total
