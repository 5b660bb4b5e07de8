"""What a file is and what its columns are called; its rows are read later, in batches.

Arrays are never pickles, and .npy is mapped into memory, not read. The table of an .npz file is its only
array besides ids, column names and confidence; else the one called X or x; else the only one with two
dimensions, or among several of them the one called data, values or labels. Anything else is refused.
What `scipy.sparse.save_npz` wrote is one sparse matrix.
"""

import json
import os
import tokenize
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from consilience._utils._option import option
from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import shown

PARQUET_SUFFIXES = (".parquet", ".pq")
_SPREADSHEETS = (".xls", ".xlsx", ".xlsm", ".ods", ".numbers")
_ROWS = 65_536
PARQUET_ERRORS = (pa.ArrowException, OSError, UnicodeDecodeError)
# What NumPy, the standard library, anndata and h5py raise on damaged files.
_DAMAGED = (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError)
_H5AD_ERRORS = (*_DAMAGED, ValueError)
_ARCHIVE_ERRORS = (EOFError, MemoryError, SyntaxError, tokenize.TokenError, zipfile.BadZipFile)
_ARRAY_ERRORS = (*_H5AD_ERRORS, *_ARCHIVE_ERRORS, zlib.error)
_MATRICES = ("data", "values", "labels")
_IDS = ("ids", "id", "index", "obs_names")
_COLUMNS = ("columns", "feature_names", "names", "var_names")


@dataclass(frozen=True, eq=False)
class Source:
    """A file whose format and columns are known, and whose rows are read later.

    path           the file
    names          its columns
    kind           what it is, in words
    read           yields Arrow record batches, each with all columns in the order of `names`
    is_text        whether cells are text as it stands in the file, so that numbers must be found
    decimal_comma  whether a comma in a number may be its decimal point
    array          the numbers themselves, where a file holds a matrix; `names` are its columns then
    ids            names of the objects, where the format has a place for them
    annotations    further columns beside a matrix, as an Arrow table
    index          the column in which pandas stored the index of a frame, if it did
    notes          what else was found
    """

    path: Path
    names: tuple[str, ...]
    kind: str
    read: Callable[[], Iterator[Any]] | None = None
    is_text: bool = False
    decimal_comma: bool = False
    array: Any = None
    ids: Any = None
    annotations: Any = None
    index: str | None = None
    notes: tuple[str, ...] = ()

    def batches(self) -> tuple[Any, Iterator[Any]]:
        """Return the first batch, and all of them."""
        read = self._of_array() if self.read is None else self.read()
        first = next(read, None)
        if first is None:
            raise InvalidInputError(f"{self.path} has no rows; at least one is needed.")
        return first, chain([first], read)

    def places(self, names: Sequence[str]) -> list[int]:
        """Return where columns stand; in one pass, since there may be many."""
        place = {name: j for j, name in enumerate(self.names)}
        return [place[name] for name in names]

    def without(self, apart: Iterable[str | None], what: str) -> tuple[str, ...]:
        """Return the other columns, of which there must be one."""
        left_out = set(apart)
        names = tuple(name for name in self.names if name not in left_out)
        if not names:
            raise InvalidInputError(
                f"{self.path} has no column of {what} left; its columns are {shown(self.names, 12)}."
            )
        return names

    def _of_array(self) -> Iterator[Any]:
        if hasattr(self.array, "tocsr"):
            raise InvalidInputError(
                f"{self.path} holds a sparse matrix, which is a table of measurements and not of "
                "labels; consilience cluster takes it."
            )
        try:
            arrays = [pa.array(np.ascontiguousarray(column)) for column in self.array.T]
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise unreadable(self.path, error, "NumPy arrays") from None
        yield pa.RecordBatch.from_arrays(arrays, names=[str(j) for j in range(len(arrays))])


def open_source(
    path: str | os.PathLike[str],
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    representation: str | None = None,
) -> Source:
    """Find out what a file is, by its suffix; anything unknown is read as delimited text."""
    from consilience.tables._text import open_delimited

    file = Path(path)
    require_file(file)
    suffix = file.suffix.lower()
    if suffix in _SPREADSHEETS:
        raise InvalidInputError(
            f"{file} is a spreadsheet; save the sheet as CSV and give that file instead."
        )
    if suffix in PARQUET_SUFFIXES:
        return _open_parquet(file)
    if suffix in (".npy", ".npz"):
        return open_arrays(file)
    if suffix == ".h5ad":
        return _open_h5ad(file, representation)
    return open_delimited(file, header=header, delimiter=delimiter)


def require_file(file: Path) -> None:
    """Refuse a path that does not exist or is not a file."""
    if file.is_dir():
        raise InvalidInputError(f"{file} is a folder; a file is needed.")
    if not file.exists():
        raise InvalidInputError(f"There is no file {file}.")
    if file.is_file() and file.stat().st_size == 0:
        raise InvalidInputError(f"{file} is empty; a table with at least one row is needed.")


def distinct_names(names: Sequence[str], file: Path) -> tuple[str, ...]:
    """Give columns without a name one by their position, and refuse names that occur twice."""
    result = [" ".join(name.split()) or f"column_{place}" for place, name in enumerate(names, 1)]
    require_distinct(result, file)
    return tuple(result)


def require_distinct(names: Sequence[str], file: Path) -> None:
    """Refuse names that occur twice."""
    seen = set()
    for place, name in enumerate(names, 1):
        if name in seen:
            raise InvalidInputError(
                f"{file} has two columns called {name!r} (the second is column {place}); give every "
                "column a name of its own."
            )
        seen.add(name)


def unreadable(file: Path, error: Exception, kind: str = "Parquet") -> InvalidInputError:
    """Return what is wrong with a damaged file, in one line."""
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "pickle" in words or "Python objects" in words:
        words = "it holds Python objects, which are not read"
    return InvalidInputError(f"{file} cannot be read as {kind}: {words}")


# --- Parquet -------------------------------------------------------------------------------------


def _open_parquet(file: Path) -> Source:
    try:
        with pq.ParquetFile(file) as opened:
            schema, n_rows = opened.schema_arrow, opened.metadata.num_rows
    except PARQUET_ERRORS as error:
        raise unreadable(file, error) from None
    if not schema.names or not n_rows:
        raise InvalidInputError(
            f"{file} has {n_rows} rows and {len(schema.names)} columns; at least one of each is "
            "needed."
        )

    def read() -> Iterator[Any]:
        try:
            with pq.ParquetFile(file) as opened:
                yield from opened.iter_batches(_ROWS, use_threads=False)
        except PARQUET_ERRORS as error:
            raise unreadable(file, error) from None

    names = distinct_names(schema.names, file)
    index = index_columns(schema.metadata)
    is_one = len(index) == 1 and index[0] in schema.names
    stored = names[schema.names.index(index[0])] if is_one else None
    return Source(file, names, "Parquet", read, index=stored)


def index_columns(metadata: Mapping[bytes, bytes] | None) -> list[str]:
    """Return the columns in which pandas stored the index of a frame; none if this is not known."""
    try:
        stored = json.loads((metadata or {}).get(b"pandas", b"{}"))
    except (ValueError, RecursionError):
        return []
    columns = stored.get("index_columns") if isinstance(stored, dict) else None
    return [name for name in columns if isinstance(name, str)] if isinstance(columns, list) else []


# --- NumPy ---------------------------------------------------------------------------------------


def open_arrays(file: Path) -> Source:
    """Take the matrix of an .npy file, or the one of an .npz file, with ids and columns beside it."""
    try:
        named = _load(file)
        if named.keys() >= {"data", "shape", "format"}:  # what scipy.sparse.save_npz writes
            return _open_sparse(file)
        key = _main(named, file)
        beside = {name: array for name, array in named.items() if name != key}
        ids = next((beside[name].astype(str) for name in _IDS if name in beside), None)
    except InvalidInputError:
        raise
    except _ARRAY_ERRORS as error:
        raise unreadable(file, error, "NumPy arrays") from None
    matrix = _as_matrix(named[key], key, file)
    columns = next((beside[name] for name in _COLUMNS if name in beside), None)
    names = [""] * matrix.shape[1] if columns is None else [str(name) for name in columns.ravel()]
    if len(names) != matrix.shape[1]:
        raise InvalidInputError(
            f"{file} names {len(names)} columns for an array of {matrix.shape[1]}."
        )
    if ids is not None and ids.shape != (len(matrix),):
        raise InvalidInputError(
            f"{file} has ids of shape {ids.shape} for {len(matrix)} rows; one per row is needed."
        )
    rows = None if ids is None else ids.astype(object)
    note = () if len(named) == 1 else (f"{file}: array {key!r} is read.",)
    distinct = distinct_names(names, file)
    return Source(file, distinct, "a NumPy array", array=matrix, ids=rows, notes=note)


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
    if not named:
        raise InvalidInputError(f"{file} holds no array.")
    tables = [key for key in named if key not in (*_IDS, *_COLUMNS, "confidence")]
    if len(tables) == 1 or len(named) == 1:
        return (tables or list(named))[0]
    matrices = [key for key in tables if named[key].ndim == 2]
    if len(matrices) > 1:
        matrices = [key for key in _MATRICES if key in matrices]
    found = [*(key for key in ("X", "x") if key in named), *matrices]
    if not found:
        raise InvalidInputError(
            f"{file} holds the arrays {', '.join(named)}; call the table X, or keep it alone."
        )
    return found[0]


def _as_matrix(array: Array, key: str, file: Path) -> Array:
    if array.dtype.names is not None or array.dtype.kind not in "biufUS":
        raise InvalidInputError(
            f"{file}: {key} is of type {array.dtype}; numbers are needed, or text for labels."
        )
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or 0 in array.shape:
        raise InvalidInputError(
            f"{file}: {key} has shape {array.shape}; a table has two dimensions, rows and columns, "
            "and neither is empty."
        )
    return array


def _open_sparse(file: Path) -> Source:
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
    names = distinct_names([""] * matrix.shape[1], file)
    return Source(file, names, "a sparse matrix", array=matrix)


# --- AnnData -------------------------------------------------------------------------------------


def _open_h5ad(file: Path, representation: str | None) -> Source:
    """Take X, or a representation such as X_pca, with the names of cells and the columns of obs."""
    data = load_h5ad(file)
    others = [key for key in data.obsm if key != representation]
    if representation in (None, "X"):
        matrix, names = data.X, [str(name) for name in data.var_names]
    elif representation in data.obsm:
        matrix = data.obsm[representation]
        matrix = matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix
        names = [f"{representation}_{j}" for j in range(matrix.shape[1])]
    else:
        known = ", ".join(["X", *others])
        raise InvalidInputError(f"{file} has no representation {representation!r}; it has {known}.")
    if matrix is None:
        raise InvalidInputError(f"{file} has no X; choose one of {', '.join(others)}.")
    if 0 in matrix.shape:
        raise InvalidInputError(f"{file} has shape {matrix.shape}; neither side may be empty.")
    annotations = pa.Table.from_pandas(data.obs.reset_index(drop=True), preserve_index=False)
    hint = f"{file}: it also has the representations {', '.join(others)}"
    seen: Counter[str] = Counter()
    for j, name in enumerate(names):  # gene symbols repeat
        seen[name] += 1
        names[j] = name if seen[name] == 1 else f"{name}-{seen[name]}"
    return Source(
        path=file,
        names=distinct_names(names, file),
        kind=f"AnnData, {representation or 'X'}",
        read=lambda: iter(annotations.to_batches()),
        array=matrix,
        ids=np.array([str(name) for name in data.obs_names], dtype=object),
        annotations=annotations,
        notes=(f"{hint} ({option('representation')}).",) * (bool(others) and not representation),
    )


def load_h5ad(file: Path) -> Any:
    """Read an AnnData file; raise an error with the reason if this fails."""
    anndata = require("anndata", extra="anndata", owner=f"Reading {file.name}")
    try:
        # Deprecation warnings of anndata and warnings about repeated names are not useful to the user.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return anndata.read_h5ad(file)
    except _H5AD_ERRORS as error:
        raise unreadable(file, error, "H5AD") from None
