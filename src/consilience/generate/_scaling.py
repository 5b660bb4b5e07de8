"""Columns brought to one scale, remembered for new rows."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._declare import Choice, Optional

Array = np.ndarray[Any, Any]

SCALING = Optional(Choice("standard", "max"))


class Scaling(NamedTuple):
    """Columns less `offset`, divided by `scale`; constant columns are divided by one."""

    offset: Array | None
    scale: Array

    @classmethod
    def fit(cls, X: Any, kind: str) -> "Scaling":
        """Learn the scale: "standard" = standard deviation, "max" = largest absolute value.

        Means are taken off dense data only; k-means does not notice, and sparse data stay sparse.
        """
        if kind == "max":
            largest = abs(X).max(axis=0)
            largest = largest.toarray().ravel() if sparse.issparse(X) else largest
            return cls(None, _divisor(np.asarray(largest, dtype=np.float64)).astype(X.dtype))
        if sparse.issparse(X):
            from sklearn.utils.sparsefuncs import mean_variance_axis

            _, variance = mean_variance_axis(X, axis=0)
            return cls(None, _divisor(np.sqrt(variance)).astype(X.dtype))
        mean = X.mean(axis=0, dtype=np.float64)
        spread = np.sqrt(np.maximum(X.var(axis=0, dtype=np.float64), 0))
        # Rounding must not make a spread of what is constant.
        spread[X.max(axis=0) == X.min(axis=0)] = 0
        return cls(mean.astype(X.dtype), _divisor(spread).astype(X.dtype))

    def apply(self, X: Any) -> Any:
        """Return scaled rows; sparse ones become dense if dense data were fitted."""
        if sparse.issparse(X) and self.offset is not None:
            X = X.toarray()
        if sparse.issparse(X):
            return sparse.csr_matrix(X.multiply(1 / self.scale[None, :]), dtype=X.dtype)
        return (X if self.offset is None else X - self.offset) / self.scale


def _divisor(scale: Array) -> Array:
    return np.where(scale > 0, scale, 1.0)
