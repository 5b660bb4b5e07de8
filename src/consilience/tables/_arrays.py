"""NumPy files, never pickles: .npy is mapped into memory, not read.

The table of an .npz file is its only array besides ids, column names and confidence; else the one called
X or x; else the only one with two dimensions, or among several of them the one called data, values or
labels. Anything else is refused. What `scipy.sparse.save_npz` wrote is one sparse matrix.
"""

import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._source import Source, distinct_names

# All that NumPy and the standard library raise about damaged files.
_UNREADABLE = (
    ValueError,
    EOFError,
    KeyError,
    OSError,
    MemoryError,
    OverflowError,
    SyntaxError,
    TypeError,
    NotImplementedError,
    RuntimeError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
_DATA = ("X", "x")
_DATA_AMONG_MATRICES = ("data", "values", "labels")
_IDS = ("ids", "id", "index", "obs_names")
_COLUMNS = ("columns", "feature_names", "names", "var_names")
_CONFIDENCE = ("confidence",)
# What scipy.sparse.save_npz writes for the kinds of matrices that it knows.
_SPARSE = {"data", "shape", "format"}


def open_arrays(file: Path) -> Source:
    """Take the matrix of an .npy file, or the one of an .npz file, with ids and columns beside it."""
    try:
        named = _load(file)
        if named.keys() >= _SPARSE:
            return _open_sparse(file)
    except _UNREADABLE as error:
        raise _unreadable(file, error) from None
    if not named:
        raise InvalidInputError(f"{file} holds no array.")
    key = _main(named, file)
    matrix = _as_matrix(named[key], key, file)
    ids = next((named[name] for name in _IDS if name in named and name != key), None)
    columns = next((named[name] for name in _COLUMNS if name in named and name != key), None)
    names = [""] * matrix.shape[1] if columns is None else [str(name) for name in columns.ravel()]
    if len(names) != matrix.shape[1]:
        raise InvalidInputError(
            f"{file} names {len(names)} columns for an array of {matrix.shape[1]}."
        )
    if ids is not None and ids.shape != (len(matrix),):
        raise InvalidInputError(
            f"{file} has ids of shape {ids.shape} for {len(matrix)} rows; one per row is needed."
        )

    def batches() -> Iterator[Any]:
        import pyarrow as pa

        try:
            arrays = [pa.array(np.ascontiguousarray(column)) for column in matrix.T]
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise _unreadable(file, error) from None
        yield pa.RecordBatch.from_arrays(arrays, names=[str(j) for j in range(len(arrays))])

    try:
        rows = None if ids is None else ids.astype(str).astype(object)
    except (UnicodeDecodeError, ValueError) as error:
        raise _unreadable(file, error) from None
    note = () if len(named) == 1 else (f"{file}: array {key!r} is read.",)
    return Source(
        path=file,
        names=distinct_names(names, file),
        kind="a NumPy array",
        batches=batches,
        array=matrix,
        ids=rows,
        notes=note,
    )


def _load(file: Path) -> dict[str, Array]:
    with file.open("rb") as stream:
        magic = stream.read(6)
        stream.seek(0)
        if magic[:2] == b"PK":
            with np.load(stream, allow_pickle=False) as opened:
                arrays = {key: opened[key] for key in opened.files}
            return {key: array for key, array in arrays.items() if isinstance(array, np.ndarray)}
    if magic != b"\x93NUMPY":
        raise ValueError("it does not begin as one")
    # Mapping refuses a header that promises more than the file holds.
    return {"the array": np.load(file, mmap_mode="r", allow_pickle=False)}


def _main(named: dict[str, Array], file: Path) -> str:
    """Return the name of the array that is the table."""
    beside = (*_IDS, *_COLUMNS, *_CONFIDENCE)
    tables = [key for key in named if key not in beside]
    if len(tables) == 1 or len(named) == 1:
        return (tables or list(named))[0]
    for key in _DATA:
        if key in named:
            return key
    matrices = [key for key in tables if named[key].ndim == 2]
    if len(matrices) > 1:
        matrices = [key for key in _DATA_AMONG_MATRICES if key in matrices]
    if not matrices:
        raise InvalidInputError(
            f"{file} holds the arrays {', '.join(named)}; call the table X, or keep it alone."
        )
    return matrices[0]


def _open_sparse(file: Path) -> Source:
    """Take a matrix that `scipy.sparse.save_npz` wrote."""
    from scipy import sparse

    matrix = sparse.load_npz(file)
    if matrix.format in ("csr", "csc", "bsr"):
        # SciPy's loops trust the indices, so that wrong ones would read outside of memory.
        matrix.check_format(full_check=True)
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    if matrix.dtype.kind not in "biuf" or matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidInputError(
            f"{file} holds a sparse matrix of type {matrix.dtype} and shape {matrix.shape}; numbers in "
            "rows and columns are needed."
        )

    def batches() -> Iterator[Any]:
        raise InvalidInputError(
            f"{file} holds a sparse matrix, which is a table of measurements and not of labels; "
            "consilience cluster takes it."
        )

    return Source(
        path=file,
        names=distinct_names([""] * matrix.shape[1], file),
        kind="a sparse matrix",
        batches=batches,
        array=matrix,
    )


def _unreadable(file: Path, error: Exception) -> InvalidInputError:
    if isinstance(error, InvalidInputError):
        return error
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "pickle" in words or "Python objects" in words:
        words = "it holds Python objects, which are not read"
    return InvalidInputError(f"{file} cannot be read as NumPy arrays: {words}")


def _as_matrix(array: Array, key: str, file: Path) -> Array:
    if array.dtype.names is not None or array.dtype.kind not in "biufUS":
        raise InvalidInputError(
            f"{file}: {key} is of type {array.dtype}; numbers are needed, or text for labels."
        )
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or 0 in array.shape:
        raise InvalidInputError(
            f"{file}: {key} has shape {array.shape}; a table has two dimensions, rows and columns, "
            "and neither is empty."
        )
    return array
