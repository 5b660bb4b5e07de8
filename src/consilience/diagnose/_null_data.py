"""Data without clusters, with the covariance of given data."""

import numpy as np

from consilience._utils._types import Array


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
