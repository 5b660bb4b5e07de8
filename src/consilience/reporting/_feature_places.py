"""Places of objects by their features."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience.generate.internals import Rows
from consilience.partition import leading_eigenvectors


class FeaturePlaces(NamedTuple):
    """Two coordinates per object, what they are, and the share of the variance that each one holds."""

    places: Array
    axes: tuple[str, str]
    shares: tuple[float, float]
    scaling: str
    principal: bool


def feature_places(X: Any, names: list[str], scaling: str) -> FeaturePlaces | None:
    """Return places by the first two principal components; two columns are shown as they are.

    Scaling and components are those of the rows given. None if fewer than two columns vary.
    """
    scaled = Rows(None if scaling == "none" else scaling, X)(X)
    if scaled.shape[1] == 2 and not sparse.issparse(scaled) and X.shape[1] == 2:
        places = np.asarray(scaled, dtype=np.float64)
        variance = places.var(axis=0)
        if np.any(variance <= 0):
            return None
        first, second = (variance / variance.sum()).tolist()
        return FeaturePlaces(
            places, (names[0], names[1]), (first, second), scaling, principal=False
        )
    values, places, total = _principal(scaled)
    if len(values) < 2 or values[1] <= 1e-9 * values[0]:
        return None
    shares = (float(values[0] / total), float(values[1] / total))
    axes = ("first principal component", "second principal component")
    return FeaturePlaces(places, axes, shares, scaling, principal=True)


def _principal(rows: Any) -> tuple[Array, Array, float]:
    """Return two variances, the coordinates (m, 2), and the variance of all columns.

    By the smaller of the two matrices of products, of columns or of rows; there are few rows.
    """
    n_rows, n_columns = rows.shape
    if min(n_rows, n_columns) < 2:
        return np.zeros(0), np.zeros((n_rows, 2)), 0.0
    if sparse.issparse(rows) or n_columns > n_rows:
        products = rows @ rows.T
        products = np.asarray(products.toarray() if sparse.issparse(products) else products)
        products = products.astype(np.float64)
        middle = products.mean(axis=0)
        products += products.mean() - middle - middle[:, None]
        values, vectors = leading_eigenvectors(products, 2)
        values = np.maximum(values, 0.0)
        return values, vectors * np.sqrt(values), float(np.trace(products))
    centred = np.asarray(rows, dtype=np.float64) - np.asarray(rows, dtype=np.float64).mean(axis=0)
    products = centred.T @ centred
    values, vectors = leading_eigenvectors(products, 2)
    return np.maximum(values, 0.0), centred @ vectors, float(np.trace(products))
