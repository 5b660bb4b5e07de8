"""The features that define every cluster."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.sparsefuncs import mean_variance_axis

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.generate.internals import read_features

_SHOWN = 5
# In standard deviations of the column; what differs less does not define a cluster.
LEAST_DIFFERENCE = 0.5


class _Report(BaseEstimator):  # type: ignore[misc]
    """Dummy estimator for `validate_data`."""


def read_data(X: Any, feature_names: Any, n_samples: int) -> tuple[Any, list[str]]:
    """Return the data and the names of the columns."""
    door = _Report()
    read = read_features(door, X, reset=True)
    if read.shape[0] != n_samples:
        raise InvalidInputError(
            f"report: X must have one row per object, {n_samples}; got {read.shape[0]}."
        )
    names = getattr(door, "feature_names_in_", None) if feature_names is None else feature_names
    return read, column_names(names, read.shape[1])


def column_names(given: Any, n_columns: int) -> list[str]:
    """Return names as text; numbers if there are none."""
    names = [f"column {j}" for j in range(n_columns)] if given is None else [str(n) for n in given]
    if len(names) != n_columns:
        raise InvalidInputError(
            f"report: feature_names must have one name per column, {n_columns}; got {len(names)}."
        )
    return names


def defining_features(
    X: Any, names: list[str], labels: Array, n_clusters: int
) -> list[list[dict[str, Any]]]:
    """Return for every cluster the columns in which its mean is farthest from that of the rest.

    Columns that differ by less than half a standard deviation are left out.

    The difference is in standard deviations of the whole column, so it needs no assumption on the
    shape of clusters and columns that do not vary drop out. O(n d).
    """
    n_samples = len(labels)
    indicator = sparse.csr_matrix(
        (np.ones(n_samples), (labels, np.arange(n_samples))), shape=(n_clusters, n_samples)
    )
    sums = indicator @ X
    sums = np.asarray(sums.todense() if sparse.issparse(sums) else sums, dtype=np.float64)
    sizes = np.bincount(labels, minlength=n_clusters)[:, None]
    rest = (sums.sum(axis=0) - sums) / np.maximum(n_samples - sizes, 1)
    means = sums / sizes
    spread = np.sqrt(_variance(X))
    varies = spread > 1e-12 * np.maximum(1.0, np.abs(means).max(axis=0))
    difference = np.where(varies, means - rest, 0.0) / np.where(varies, spread, 1.0)
    if n_clusters == 1:
        return [[]]
    return [
        [
            {
                "name": names[j],
                "difference": round(float(difference[cluster, j]), 4),
                "mean": float(means[cluster, j]),
                "rest": float(rest[cluster, j]),
            }
            for j in np.argsort(-np.abs(difference[cluster]), kind="stable")[:_SHOWN]
            if abs(difference[cluster, j]) >= LEAST_DIFFERENCE
        ]
        for cluster in range(n_clusters)
    ]


def weighted_features(weights: Array, names: list[str]) -> list[list[dict[str, Any]]]:
    """Return for every cluster the columns that its consensus function gives the largest weights."""
    return [
        [
            {"name": names[j], "weight": round(float(row[j]), 4)}
            for j in np.argsort(-row, kind="stable")[:_SHOWN]
            if row[j] > 0
        ]
        for row in weights
    ]


def _variance(X: Any) -> Array:
    if sparse.issparse(X):
        return np.asarray(mean_variance_axis(X, axis=0)[1])
    return np.asarray(X.var(axis=0, dtype=np.float64))
