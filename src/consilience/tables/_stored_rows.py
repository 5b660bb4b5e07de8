"""Rows of labels in files that need not fit into memory: NPY, Parquet, or a folder of Parquet parts."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._arrays import open_arrays
from consilience.tables._parquet import unreadable
from consilience.tables._source import require_distinct, require_file

_PARQUET = (".parquet", ".pq")
# Rows that are decoded at a time, and cells: what is decoded may be eight times as large as its codes.
_ROWS = 65_536
_CELLS = 2**22


class StoredTable(Protocol):
    """Pieces of a table of labels; picklable."""

    path: Path
    names: tuple[str, ...]
    n_rows: int
    metadata: dict[bytes, bytes]

    def read(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Yield rows start..stop-1 of some columns, in small pieces: arrays or Arrow tables."""
        ...


def open_rows(path: str | os.PathLike[str]) -> StoredTable:
    """Find out what there is to read, without reading it."""
    file = Path(path)
    if file.is_dir():
        files = sorted(part for part in file.iterdir() if part.suffix.lower() in _PARQUET)
        if not files:
            raise InvalidInputError(
                f"{file} is a folder without Parquet files; put the parts there."
            )
        return ParquetRows(file, files)
    require_file(file)
    if file.suffix.lower() in _PARQUET:
        return ParquetRows(file, [file])
    if file.suffix.lower() == ".npy":
        return ArrayRows(file)
    raise InvalidInputError(
        f"{file} cannot be read piece by piece; save it as Parquet or NPY, or give a folder of Parquet "
        "files."
    )


class ArrayRows:
    """The rows of an .npy file."""

    metadata: dict[bytes, bytes] = {}  # noqa: RUF012 - never changed

    def __init__(self, path: Path) -> None:
        source = open_arrays(path)
        self.path = path
        # Workers that read it may be in another folder.
        self._file = path.absolute()
        self.names = source.names
        self.n_rows = int(source.array.shape[0])

    def read(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Map the file, copy a piece, and let go of it, so that nothing stays in memory."""
        places: Any = slice(None)
        if len(columns) != len(self.names):
            places = [self.names.index(name) for name in columns]
        size = _rows_at_a_time(len(columns))
        for low in range(start, stop, size):
            array = np.load(self._file, mmap_mode="r", allow_pickle=False)
            array = array[:, None] if array.ndim == 1 else array
            piece = np.array(array[low : min(low + size, stop)][:, places])
            del array
            yield piece


class RowGroup(NamedTuple):
    """Where a row group is, and which rows it holds."""

    file: Path
    number: int
    start: int
    stop: int


class ParquetRows:
    """The row groups of Parquet files, one below the other."""

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        self.groups: list[RowGroup] = []
        names: list[tuple[str, ...]] = []
        n_rows = 0
        for file in files:
            try:
                with pq.ParquetFile(file) as opened:
                    names.append(tuple(opened.schema_arrow.names))
                    require_distinct(names[-1], file)
                    self.metadata = dict(opened.schema_arrow.metadata or {})
                    for number in range(opened.num_row_groups):
                        length = opened.metadata.row_group(number).num_rows
                        place = file.absolute()  # workers that read it may be in another folder
                        self.groups.append(RowGroup(place, number, n_rows, n_rows + length))
                        n_rows += length
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                raise unreadable(file, error) from None
            if names[-1] != names[0]:
                raise InvalidInputError(
                    f"{file} has the columns {', '.join(names[-1])}; {files[0].name} beside it has "
                    f"{', '.join(names[0])}. All parts need the same."
                )
        self.names = names[0]
        self.n_rows = n_rows

    def read(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Decode the row groups that hold the rows, a batch at a time."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        size = _rows_at_a_time(len(columns))
        for group in self.groups:
            if group.stop <= start or group.start >= stop:
                continue
            place = group.start
            try:
                with pq.ParquetFile(group.file) as opened:
                    for batch in opened.iter_batches(
                        size, row_groups=[group.number], columns=list(columns), use_threads=False
                    ):
                        low, high = max(start - place, 0), min(stop - place, batch.num_rows)
                        place += batch.num_rows
                        if low < high:
                            yield pa.table(batch.slice(low, high - low)).select(columns)
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                raise unreadable(group.file, error) from None


def _rows_at_a_time(n_columns: int) -> int:
    return max(1, min(_ROWS, _CELLS // max(1, n_columns)))


class NumberRows:
    """Reads rows of a stored table as numbers; picklable."""

    def __init__(self, table: StoredTable, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = columns

    def __call__(self, rows: tuple[int, int]) -> Array:
        """Read rows given as a pair."""
        return np.concatenate(
            [self._as_numbers(piece, rows) for piece in self._table.read(*rows, self._columns)]
        )

    def _as_numbers(self, piece: Any, rows: tuple[int, int]) -> Array:
        if hasattr(piece, "column_names"):
            columns = [piece[name].to_numpy(zero_copy_only=False) for name in self._columns]
            piece = np.column_stack(columns)
        try:
            return np.asarray(piece, dtype=float)
        except (TypeError, ValueError) as error:
            raise InvalidInputError(
                f"{self._table.path} holds something that is not a number in rows {rows[0]} to "
                f"{rows[1]} ({error}); leave such columns out with {option('drop')}."
            ) from None
