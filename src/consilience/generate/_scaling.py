"""Scaling of columns, stored for new rows."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._declare import Choice, Optional
from consilience._utils._types import Array

SCALING = Optional(Choice("standard", "max", "common"))


class Scaling(NamedTuple):
    """Columns less `offset`, divided by `scale`; constant columns are divided by one."""

    offset: Array | None
    scale: Array

    @classmethod
    def fit(cls, X: Any, kind: str) -> "Scaling":
        """Learn the scale.

        "standard" is the standard deviation and "max" the largest absolute value of every column;
        "common" is one number for all columns, the root of their mean variance. Means are taken off
        dense data only; k-means does not notice, and sparse data stay sparse.
        """
        if kind == "max":
            largest = abs(X).max(axis=0)
            largest = largest.toarray().ravel() if sparse.issparse(X) else largest
            return cls(None, _divisor(np.asarray(largest, dtype=np.float64)).astype(X.dtype))
        variance = column_variances(X)
        if kind == "common":
            variance = np.full(len(variance), variance.mean())
        scale = _divisor(np.sqrt(variance)).astype(X.dtype)
        mean = None if sparse.issparse(X) else X.mean(axis=0, dtype=np.float64).astype(X.dtype)
        return cls(mean, scale)

    @property
    def n_columns(self) -> int:
        """Return the columns of scaled rows."""
        return len(self.scale)

    @property
    def dtype(self) -> Any:
        """Return the type of their numbers."""
        return self.scale.dtype

    def apply(self, X: Any) -> Any:
        """Return scaled rows; sparse ones become dense if dense data were fitted."""
        if sparse.issparse(X) and self.offset is not None:
            X = X.toarray()
        if sparse.issparse(X):
            return sparse.csr_matrix(X.multiply(1 / self.scale[None, :]), dtype=X.dtype)
        return (X if self.offset is None else X - self.offset) / self.scale


def column_variances(X: Any) -> Array:
    """Return the variance of every column of dense or sparse data; exactly 0 for constant columns."""
    if sparse.issparse(X):
        from sklearn.utils.sparsefuncs import mean_variance_axis

        return np.asarray(mean_variance_axis(X, axis=0)[1], dtype=np.float64)
    variance: Array = np.maximum(X.var(axis=0, dtype=np.float64), 0)
    # Rounding must not make a spread of what is constant.
    variance[X.max(axis=0) == X.min(axis=0)] = 0
    return variance


def _divisor(scale: Array) -> Array:
    return np.where(scale > 0, scale, 1.0)
