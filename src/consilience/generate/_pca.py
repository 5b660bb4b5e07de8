"""Principal axes, and how many of them the data need."""

from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._memory import require_memory
from consilience._utils._types import Array

# With more columns than this, the dimension is estimated on as many rows.
_EXACT = 1_000
# Scores whose spread is this small, relative to the largest, are rounding errors.
_CONSTANT = 1e-6


def dimension(X: Any, kept: float, rng: np.random.Generator) -> int:
    """Return how many principal axes keep a share of the variance; at least 2 where there are 2.

    Exact up to 1,000 columns; beyond, that of 1,000 rows drawn at random, since their inner products
    tell the same variances at less cost.
    """
    if X.shape[1] <= _EXACT:
        variances = np.linalg.eigvalsh(covariance(X))[::-1]
    else:
        n_rows = min(_EXACT, X.shape[0])
        rows = X[np.sort(rng.choice(X.shape[0], size=n_rows, replace=False))]
        products = rows @ rows.T
        products = products.toarray() if sparse.issparse(products) else products
        products = products.astype(np.float64)
        means = products.mean(axis=0)
        centred = products - means - means[:, None] + means.mean()
        variances = np.linalg.eigvalsh(centred)[::-1]
    return min(int(X.shape[1]), max(2, count_kept(variances, kept)))


def count_kept(variances: Array, kept: float) -> int:
    """Return the least number of leading variances whose sum is the given share of all."""
    sums = np.cumsum(np.maximum(variances, 0))
    if sums[-1] <= 0:
        return 1
    # The sum of all must not miss a share of 1 by rounding.
    return int(np.searchsorted(sums, kept * sums[-1] * (1 - 1e-12))) + 1


def covariance(X: Any) -> Array:
    """Return the (d, d) covariance, in float64."""
    n_samples, n_features = X.shape
    require_memory(
        8 * n_features**2,
        f"The covariance of {n_features} columns",
        "Give n_components, or reduce the columns first.",
    )
    if sparse.issparse(X):
        products = (X.T @ X).toarray().astype(np.float64) / n_samples
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        return np.asarray(products - np.outer(mean, mean))
    mean = X.mean(axis=0, dtype=np.float64)
    products = np.zeros((n_features, n_features))
    for start in range(0, n_samples, 16_384):
        rows = X[start : start + 16_384].astype(np.float64) - mean
        products += rows.T @ rows
    return np.asarray(products / n_samples)


def leading_axes(matrix: Array, n_axes: int) -> Array:
    """Return the leading eigenvectors of a symmetric matrix as columns; largest entries positive."""
    vectors = np.linalg.eigh(matrix)[1][:, ::-1][:, :n_axes]
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))


def principal_axes(X: Any, n_axes: int | None, kept: float, rng: np.random.Generator) -> Array:
    """Return (d, d') axes of the centred data: as many as requested, else to keep a share of variance.

    A given number of axes of wide sparse data is found without the covariance.
    """
    n_features = X.shape[1]
    if n_axes is not None and sparse.issparse(X) and n_features > _EXACT and n_axes < min(X.shape):
        from sklearn.decomposition import PCA

        model = PCA(n_axes, svd_solver="arpack", random_state=int(rng.integers(2**31)))
        return np.ascontiguousarray(model.fit(X).components_.T)
    matrix = covariance(X)
    if n_axes is None:
        n_axes = count_kept(np.linalg.eigvalsh(matrix)[::-1], kept)
    return np.ascontiguousarray(leading_axes(matrix, n_axes))


def to_unit_variance(X: Any, axes: Array) -> Array:
    """Divide axes by the standard deviation of the scores X has on them; constant scores stay."""
    spread = np.asarray(X @ axes).std(axis=0, dtype=np.float64)
    return np.asarray(axes / np.where(spread > _CONSTANT * spread.max(initial=0.0), spread, 1.0))
