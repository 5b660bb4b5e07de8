"""Data without clusters, with the covariance of given data or with the values of every axis."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def structureless_data(X: Array, rng: np.random.Generator) -> Array:
    """Draw as many rows from the normal distribution with the mean and covariance of X.

    One cluster by construction. With more columns than rows the covariance has the rank of X.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.diagnose import structureless_data
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((5000, 2)) @ [[1.0, 1.0], [0.0, 1.0]]
    >>> null = structureless_data(X, rng)
    >>> bool(np.allclose(np.cov(null.T), np.cov(X.T), atol=0.01))
    True
    """
    mean = X.mean(axis=0)
    _, spread, axes = np.linalg.svd(X - mean, full_matrices=False)
    scores = rng.standard_normal((len(X), len(spread))) * spread / np.sqrt(max(1, len(X) - 1))
    null: Array = (scores @ axes + mean).astype(X.dtype)
    return null


def permuted_axes(X: Array, rng: np.random.Generator) -> Array:
    """Put the values of every principal axis into a random order of its own.

    Every axis keeps its values, heavy tails and skewness too; clusters that need two axes are gone.
    """
    mean = X.mean(axis=0)
    left, spread, axes = np.linalg.svd(X - mean, full_matrices=False)
    scores = rng.permuted(left * spread, axis=0)
    null: Array = (scores @ axes + mean).astype(X.dtype)
    return null
