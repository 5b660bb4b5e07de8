"""Data without clusters, with the covariance of given data or with the values of every column."""

import numpy as np
from scipy.special import ndtri
from sklearn.isotonic import isotonic_regression

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


def data_of_same_columns(X: Array, rng: np.random.Generator) -> Array:
    """Draw rows with the values of every column of X and its rank correlations, but no other structure.

    A normal distribution with the correlations of the normal scores of X says in which order the values
    of every column are (a Gaussian copula). Heavy tails, skewness, ties and gaps of single columns stay.
    """
    null = np.empty_like(X)
    places = structureless_data(normal_scores(X, rng), rng)
    for column in range(X.shape[1]):
        null[np.argsort(places[:, column], kind="stable"), column] = np.sort(X[:, column])
    return null


def one_mode(column: Array) -> Array:
    """Return a column with nearly the same values in the same order, but without valleys between them.

    Seen from the densest part, gaps between neighbouring values only become wider; gaps that would
    become narrower are made equal to those before them (isotonic regression).
    """
    order = np.argsort(column, kind="stable")
    values = column[order].astype(np.float64)
    gaps = np.diff(values)
    half = len(values) // 2
    # The densest part is the shortest interval that has half of the values.
    mode = int(np.argmin(values[half:] - values[: len(values) - half])) + half // 2
    below = isotonic_regression(gaps[:mode], increasing=False) if mode > 0 else gaps[:0]
    above = isotonic_regression(gaps[mode:]) if mode < len(gaps) else gaps[:0]
    changed = np.empty_like(values)
    changed[order] = values[0] + np.concatenate([[0.0], np.cumsum(np.concatenate([below, above]))])
    return changed


def normal_scores(X: Array, rng: np.random.Generator) -> Array:
    """Replace the values of every column by the quantiles of a normal distribution at their ranks.

    Equal values are ranked in a random order.
    """
    order = [np.lexsort((rng.random(len(X)), column)) for column in X.T]
    ranks = np.argsort(np.transpose(order), axis=0)
    scores: Array = ndtri((ranks + 0.5) / len(X))
    return scores
