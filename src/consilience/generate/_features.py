"""The door for data: arrays, sparse matrices and data frames into finite numbers."""

import hashlib
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from consilience._utils._plain_numbers import require_plain_numbers
from consilience.exceptions import InvalidInputError, WrongTypeError

Array = np.ndarray[Any, Any]

_ROWS = 16_384


def read_features(owner: Any, X: Any, *, reset: bool) -> Any:
    """Return a C-contiguous array or CSR matrix of finite float32 or float64 numbers.

    float32 stays float32, everything else becomes float64. scikit-learn keeps the books on `owner`:
    number and names of columns, remembered when `reset`, compared otherwise.
    """
    frame = _as_frame(X)
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
            raise InvalidInputError(str(error)) from None
        names = None
    else:
        remember_columns(owner, X, reset=reset)
        read = _numbers(frame, type(owner).__name__)
        names = [str(name) for name in frame.columns]
    _require_finite(read, names, type(owner).__name__)
    return read


def remember_columns(owner: Any, X: Any, *, reset: bool) -> None:
    """Keep scikit-learn's books on the number and names of the columns of a frame."""
    try:
        validate_data(owner, X, reset=reset, skip_check_array=True)
    except TypeError as error:
        raise WrongTypeError(" ".join(str(error).split())) from None
    except ValueError as error:
        raise InvalidInputError(str(error)) from None


def data_hash(X: Any) -> str:
    """Return a hash of the numbers, their type and their shape."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{X.dtype} {X.shape} {sparse.issparse(X)}".encode())
    if sparse.issparse(X):
        for part in (X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data):
            digest.update(np.ascontiguousarray(part).data)
    else:
        for start in range(0, len(X), _ROWS):
            digest.update(np.ascontiguousarray(X[start : start + _ROWS]).data)
    return digest.hexdigest()


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


def _require_finite(X: Any, names: list[str] | None, owner: str) -> None:
    if sparse.issparse(X):
        bad = np.flatnonzero(~(np.abs(X.data) <= _largest(X.dtype)))
        if len(bad):
            place = int(bad[0])
            row = int(np.searchsorted(X.indptr, place, side="right")) - 1
            raise _not_finite(X.data[place], row, int(X.indices[place]), names, owner)
        return
    largest = _largest(X.dtype)
    for start in range(0, len(X), _ROWS):
        # NaN is not below any number.
        usable = np.abs(X[start : start + _ROWS]) <= largest
        if not usable.all():
            row, column = (int(place) for place in np.argwhere(~usable)[0])
            raise _not_finite(X[start + row, column], start + row, column, names, owner)


def _largest(dtype: Any) -> float:
    """Return the largest number whose square, summed over many rows, is finite."""
    return float(np.sqrt(np.finfo(dtype).max)) * 1e-6


def _not_finite(
    value: Any, row: int, column: int, names: list[str] | None, owner: str
) -> InvalidInputError:
    where = f"column {column}" if names is None else f"column {names[column]!r}"
    if np.isfinite(value):
        return InvalidInputError(
            f"{owner}: X contains {value:g} in row {row}, {where}, and squares of such numbers are not "
            "finite; divide the column by a large number first."
        )
    what = "NaN" if np.isnan(value) else "infinity (inf)"
    return InvalidInputError(
        f"{owner}: X contains {what} in row {row}, {where}; every number must be finite. Drop or "
        "impute such rows first."
    )
