"""Counts (words of texts, genes of cells, events) as rows that Euclidean distances suit."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.generate._one_thread import one_thread

# Axes that are kept of the weighted counts.
_AXES = 50
# What dense data need to be taken for counts: columns, share of zeros, share of ones among the others.
_COLUMNS, _ZEROS, _ONES = 50, 0.5, 0.25


def looks_like_counts(X: Any) -> bool:
    """Say whether data look like counts.

    Sparse data do if no number is negative. Dense data do if there are many columns of whole numbers,
    at least half of them zeros, and at least a quarter of the others ones. Pixels have many zeros too,
    but few ones.
    """
    if sparse.issparse(X):
        return bool(X.nnz > 0 and X.data.min() >= 0)
    if X.shape[1] < _COLUMNS or X.min() < 0:
        return False
    positive = X[X > 0]
    if len(positive) == 0 or len(positive) > (1 - _ZEROS) * X.size:
        return False
    whole = np.all(positive == np.floor(positive))
    return bool(whole and np.mean(positive == 1) >= _ONES)


class CountRows(NamedTuple):
    """Logarithms of counts, rows of length one, on their leading axes.

    weights  (d,) what every column counts: its inverse document frequency, or one
    axes     (d, m) leading right singular vectors of the weighted rows
    """

    weights: Array
    axes: Array

    @classmethod
    def fit(cls, X: Any, *, rare_counts_more: bool) -> "CountRows":
        """Learn the weights of the columns and the axes."""
        from sklearn.utils.extmath import randomized_svd

        counts = sparse.csr_matrix(X)
        _require_counts(counts)
        n_rows, n_columns = counts.shape
        weights = np.ones(n_columns)
        if rare_counts_more:
            present = np.bincount(counts.indices[counts.data > 0], minlength=n_columns)
            weights = np.log((1 + n_rows) / (1 + present)) + 1
        weighted = _weighted(counts, weights)
        n_axes = max(1, min(_AXES, n_rows - 1, n_columns - 1))
        with one_thread():  # the axes must not depend on the number of threads
            _, _, axes = randomized_svd(weighted, n_axes, random_state=0)
        return cls(weights, np.ascontiguousarray(axes.T))

    @property
    def n_columns(self) -> int:
        """Return the columns of the rows, the axes."""
        return int(self.axes.shape[1])

    @property
    def dtype(self) -> Any:
        """Return the type of their numbers."""
        return self.axes.dtype

    def apply(self, X: Any) -> Array:
        """Return rows of length one on the leading axes; a row without any count is zero."""
        with one_thread():
            rows = np.asarray(_weighted(sparse.csr_matrix(X), self.weights) @ self.axes)
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Array = rows / np.where(length > 0, length, 1.0)
        return unit


def _require_counts(counts: Any) -> None:
    negative = np.flatnonzero(counts.data < 0)
    if len(negative):
        place = int(negative[0])
        row = int(np.searchsorted(counts.indptr, place, side="right")) - 1
        raise InvalidInputError(
            f"Counts must not be negative; the number in row {row}, column "
            f"{int(counts.indices[place])} is {counts.data[place]:g}. Choose another scaling."
        )


def _weighted(counts: Any, weights: Array) -> Any:
    """Return log(1 + count) times the weight of the column, rows scaled to length one."""
    weighted = counts.astype(np.float64)
    weighted.data = np.log1p(np.maximum(weighted.data, 0.0)) * weights[weighted.indices]
    squares = np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel()
    scale = 1 / np.sqrt(np.where(squares > 0, squares, 1.0))
    return sparse.diags_array(scale) @ weighted
