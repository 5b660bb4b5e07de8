"""Gaussian mixtures by expectation maximisation, as two matrix products per iteration.

A Gaussian density is the exponential of a linear function of the statistics z(x) = (1, x, x x'), or
(1, x, x^2) if covariances are diagonal. So the log densities of all rows under all components are one
product of the statistics with a table, and all moments are one product of the responsibilities with the
statistics.
"""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.clusterers._lloyd import Points, nearest, spread_rows

# Added to every variance, relative to the mean variance of the columns.
_LEAST_VARIANCE = 1e-3


class Mixture(NamedTuple):
    """A fitted mixture.

    table       (statistics, K) log density of a row under every component, from its statistics
    n_iter      number of iterations
    converged   whether the last iteration increased the likelihood by at most the tolerance
    likelihood  mean log likelihood of a row, without the constant that depends on the columns alone
    """

    table: Array
    n_iter: int
    converged: bool
    likelihood: float


def statistics(X: Array, *, diagonal: bool) -> Array:
    """Return (1, x, x^2) or (1, x, upper triangle of x x') for every row."""
    ones = np.ones((len(X), 1))
    if diagonal:
        return np.hstack([ones, X, np.square(X)])
    rows, columns = np.triu_indices(X.shape[1])
    return np.hstack([ones, X, X[:, rows] * X[:, columns]])


def fit_mixture(
    X: Array,
    n_components: int,
    rng: np.random.Generator,
    *,
    diagonal: bool,
    max_iter: int,
    tol: float,
    start: Array | None = None,
) -> Mixture:
    """Fit a mixture from k-means++ rows, each with the rows nearest to it, or from labels `start`.

    It stops when the mean log likelihood of a row increases by at most `tol`. Columns should have
    variances of about one.
    """
    Z = statistics(X, diagonal=diagonal)
    if start is None:
        points = Points.of(X)
        rows = spread_rows(points, n_components, rng) + points.offset
        start = nearest(points, rows)
    responsibilities = np.eye(int(start.max()) + 1)[start]
    # Data without variance need a positive minimum too.
    level = _LEAST_VARIANCE * (float(X.var(axis=0).mean()) or 1.0)
    before, n_iter, converged = -np.inf, 0, False
    table = np.empty((Z.shape[1], 0))
    while n_iter < max_iter and not converged:
        n_iter += 1
        table = _log_densities(responsibilities.T @ Z, X.shape[1], level, diagonal=diagonal)
        scores = Z @ table
        largest = scores.max(axis=1, keepdims=True)
        responsibilities = np.exp(scores - largest)
        total = responsibilities.sum(axis=1, keepdims=True)
        responsibilities /= total
        likelihood = float((np.log(total) + largest).mean())
        converged, before = likelihood - before <= tol, likelihood
    return Mixture(table, n_iter, converged, before)


def likeliest(X: Array, table: Array, *, diagonal: bool) -> Array:
    """Return the component with the largest density for every row, int32."""
    labels: Array = (statistics(X, diagonal=diagonal) @ table).argmax(axis=1).astype(np.int32)
    return labels


def _log_densities(moments: Array, n_columns: int, level: float, *, diagonal: bool) -> Array:
    """Turn sums of statistics per component into the table of weighted log densities."""
    size = np.maximum(moments[:, :1], 1e-10)
    mean = moments[:, 1 : n_columns + 1] / size
    log_share = np.log(size[:, 0] / size.sum())
    second = moments[:, n_columns + 1 :] / size
    linear: Array
    log_root: Array
    quadratic: Array
    if diagonal:
        precision = 1 / (np.maximum(second - np.square(mean), 0.0) + level)
        linear = precision * mean
        log_root = 0.5 * np.log(precision).sum(axis=1)
        quadratic = -0.5 * precision
    else:
        rows, columns = np.triu_indices(n_columns)
        covariance = np.zeros((len(mean), n_columns, n_columns))
        covariance[:, rows, columns] = second - mean[:, rows] * mean[:, columns]
        covariance[:, columns, rows] = covariance[:, rows, columns]
        covariance[:, np.arange(n_columns), np.arange(n_columns)] += level
        inverse = np.linalg.inv(covariance)
        linear = np.einsum("kij,kj->ki", inverse, mean)
        log_root = -0.5 * np.linalg.slogdet(covariance)[1]
        # Pairs of different columns occur once in the statistics and twice in the square.
        quadratic = -0.5 * inverse[:, rows, columns] * np.where(rows == columns, 1.0, 2.0)
    constant = log_share + log_root - 0.5 * np.einsum("ki,ki->k", linear, mean)
    return np.ascontiguousarray(np.column_stack([constant, linear, quadratic]).T)
