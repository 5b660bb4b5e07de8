"""The data that members are made from: columns as they are, scaled columns, or weighted counts."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._declare import Choice, Optional
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.generate._one_thread import one_thread
from consilience.incidence import is_chunked, map_rows

SCALING = Optional(Choice("standard", "max", "common"))
# Allowed values; "auto" tries several of them.
SCALINGS = ("auto", "standard", "max", "common", "counts", "log-counts")
# As many columns of equal variance would have the same sum of squared variances; at least this share of
# all columns is enough for one common scale.
_PARTICIPATION = 0.2
# Variances that differ by less than this factor are one common scale already.
_SAME = 1.02
# Axes that are kept of the weighted counts.
_AXES = 50
# What dense data need to be taken for counts: columns, share of zeros, share of ones among the others.
_COLUMNS, _ZEROS, _ONES = 50, 0.5, 0.25


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


class Rows:
    """A fitted scaling: from rows of the data to rows that members see."""

    def __init__(self, kind: str | None, X: Any) -> None:
        self.name = "none" if kind is None else kind
        self._fitted: Scaling | CountRows | None = None
        if kind in ("counts", "log-counts"):
            self._fitted = CountRows.fit(X, rare_counts_more=kind == "counts")
        elif self.name != "none":
            self._fitted = Scaling.fit(X, self.name)

    def __call__(self, X: Any) -> Any:
        """Return rows as members see them; of data in chunks, in chunks."""
        if self._fitted is None:
            return X
        if not is_chunked(X):
            return self._fitted.apply(X)
        fitted = self._fitted
        return map_rows(fitted.apply, X, width=fitted.n_columns, dtype=fitted.dtype)


def scalings_to_try(X: Any, given: str | None) -> list[str | None]:
    """Return the scalings to look at; what a user names is the only one.

    "auto" is "counts" and "log-counts" for data that look like counts. For others it is "standard", and
    "common" unless all columns have nearly the same variance, or few of many hold nearly all of it:
    there the common scale would hide the other columns.
    """
    if given != "auto":
        return [given]
    if looks_like_counts(X):
        return ["counts", "log-counts"]
    variances = column_variances(X)
    varying = variances[variances > 0]
    if sparse.issparse(X) or len(varying) < 2 or varying.max() < _SAME * varying.min():
        return ["standard"]
    # Squares of variances may leave the range of floating point.
    shares = variances / variances.max()
    n_equal = shares.sum() ** 2 / np.square(shares).sum()
    return ["standard", "common"] if n_equal >= _PARTICIPATION * len(variances) else ["standard"]


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
