"""Validation of data: arrays, sparse matrices and data frames to finite numbers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from consilience._utils._estimators import remember_columns
from consilience._utils._plain_numbers import require_plain_numbers
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError, WrongTypeError

_ROWS = 16_384
# Columns whose largest absolute value is outside these limits are refused: products of four such numbers
# leave the range of float64, and what is too small would be taken for zero.
_LEAST, _MOST = 1e-75, 1e75
# Sums of squares of numbers outside these limits leave the range of float32.
_LEAST_NARROW, _MOST_NARROW = 1e-15, 1e15


_checked: ContextVar[bool] = ContextVar("checked", default=False)


@contextmanager
def features_checked() -> Iterator[None]:
    """Let generators that are fitted inside take arrays as they are, since they were checked before."""
    token = _checked.set(True)
    try:
        yield
    finally:
        _checked.reset(token)


def read_features(owner: Any, X: Any, *, reset: bool) -> Any:
    """Return a C-contiguous array or CSR matrix of finite float32 or float64 numbers.

    float32 stays float32 unless its numbers are very large or small; everything else becomes float64.
    Columns whose products would leave the range of float64 are refused. The number and names of columns
    are stored on `owner` by scikit-learn if `reset`, and compared otherwise.
    """
    if _checked.get() and isinstance(X, np.ndarray):
        remember_columns(owner, X, reset=reset)
        return np.ascontiguousarray(X)
    frame, names = _as_frame(X), None
    if frame is None:
        require_plain_numbers(X, f"{type(owner).__name__}: X")
        try:
            read = validate_data(
                owner,
                X,
                reset=reset,
                dtype=[np.float64, np.float32],
                accept_sparse="csr",
                order="C",
                ensure_all_finite=False,
            )
        except TypeError as error:
            raise WrongTypeError(
                f"{type(owner).__name__}: X holds something that is not a number ({error})."
            ) from None
        except ValueError as error:
            # Of an array with one dimension, scikit-learn's message holds all numbers.
            message = re.sub(r"array=\[.*?\]\.\n", "", str(error), flags=re.DOTALL)
            raise InvalidInputError(message) from None
    else:
        remember_columns(owner, X, reset=reset)
        read = _numbers(frame, type(owner).__name__)
        names = [str(name) for name in frame.columns]
    place = _first_not_finite(read)
    if place is not None:
        row, column = place
        what = "NaN" if np.isnan(read[row, column]) else "infinity (inf)"
        raise InvalidInputError(
            f"{type(owner).__name__}: X contains {what} in row {row}, {_called(column, names)}; every "
            "number must be finite. Drop or impute such rows first."
        )
    largest = _largest(read)
    _require_range(largest, names, type(owner).__name__, small=reset)
    too_small = np.any((largest > 0) & (largest < _LEAST_NARROW))
    if read.dtype == np.float32 and (too_small or np.any(largest > _MOST_NARROW)):
        return read.astype(np.float64)
    return read


def _as_frame(X: Any) -> Any:
    """Return a narwhals frame for pandas, polars and pyarrow tables; None for anything else."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    if isinstance(X, np.ndarray | list | tuple) or sparse.issparse(X):
        return None
    try:
        frame: Any = nw.from_native(X, pass_through=True)
    except NarwhalsError as error:
        words = " ".join(str(error).split())
        raise InvalidInputError(f"The data frame cannot be read: {words}") from None
    if isinstance(frame, nw.LazyFrame):
        raise InvalidInputError(
            f"{type(X).__module__}.{type(X).__name__} is lazy; call collect() (polars) or compute() "
            "(dask) first."
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def _numbers(frame: Any, owner: str) -> Array:
    """Put the columns of a frame side by side; null becomes NaN."""
    import narwhals.stable.v2 as nw

    n_rows, n_columns = frame.shape
    if n_rows < 1 or n_columns < 1:
        what = "sample" if n_rows < 1 else "feature"
        raise InvalidInputError(
            f"Found a data frame with 0 {what}(s) (shape={frame.shape}) while a minimum of 1 is "
            f"required by {owner}."
        )
    narrow = all(kind == nw.Float32 for kind in frame.schema.values())
    X = np.empty(frame.shape, dtype=np.float32 if narrow else np.float64)
    for column, series in enumerate(frame.iter_columns()):
        if not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
            raise InvalidInputError(
                f"{owner}: column {series.name!r} holds {series.dtype}, not numbers; drop or encode "
                "it, or let CategoricalColumns make members of such columns."
            )
        X[:, column] = _column(series, X.dtype)
    return X


def _column(series: Any, dtype: Any) -> Array:
    import narwhals.stable.v2 as nw

    numbers = series.cast(nw.Float32 if dtype == np.float32 else nw.Float64)
    values: Array = np.asarray(numbers.to_numpy(), dtype=dtype)
    if series.null_count():
        values = np.where(series.is_null().to_numpy(), np.nan, values)
    return values


def _first_not_finite(X: Any) -> tuple[int, int] | None:
    """Return row and column of the first number that is NaN or infinite."""
    if sparse.issparse(X):
        bad = np.flatnonzero(~np.isfinite(X.data))
        if not len(bad):
            return None
        return int(np.searchsorted(X.indptr, bad[0], side="right")) - 1, int(X.indices[bad[0]])
    for start in range(0, len(X), _ROWS):
        finite = np.isfinite(X[start : start + _ROWS])
        if not finite.all():
            row, column = np.argwhere(~finite)[0]
            return start + int(row), int(column)
    return None


def _largest(X: Any) -> Array:
    """Return the largest absolute value of every column."""
    if sparse.issparse(X):
        return np.asarray(abs(X).max(axis=0).toarray().ravel(), dtype=np.float64)
    largest = np.maximum(X.max(axis=0), -X.min(axis=0))
    return np.asarray(largest, dtype=np.float64)


def _require_range(largest: Array, names: list[str] | None, owner: str, *, small: bool) -> None:
    """Refuse columns of huge numbers, and of tiny ones too if they are to be learned from."""
    bad = (largest > _MOST) | ((largest > 0) & (largest < _LEAST) & small)
    if bad.any():
        column = int(np.argmax(bad))
        raise InvalidInputError(
            f"{owner}: the largest absolute value of {_called(column, names)} is {largest[column]:.3g}, "
            "and products of such numbers leave the range of floating point; multiply the column by a "
            f"constant, so that it lies between {_LEAST:g} and {_MOST:g}."
        )


def _called(column: int, names: list[str] | None) -> str:
    return f"column {column}" if names is None else f"column {names[column]!r}"
