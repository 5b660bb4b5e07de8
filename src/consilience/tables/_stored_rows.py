"""Tables of labels as they are stored: Parquet as a whole, and files that need not fit into memory.

These are NPY files, Parquet files and folders of Parquet parts.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._ids import find_id_column
from consilience.tables._source import (
    PARQUET_ERRORS,
    PARQUET_SUFFIXES,
    Source,
    index_columns,
    open_arrays,
    require_distinct,
    require_file,
    unreadable,
)

# Rows that are decoded at a time, and cells: what is decoded may be eight times as large as its codes.
_ROWS = 65_536
_CELLS = 2**22


def read_parquet(file: Path) -> tuple[Any, str | None]:
    """Return the table in a Parquet file, and the column that names its rows if there is one."""
    try:
        require_distinct(pq.read_schema(file).names, file)
        table = pq.read_table(file, partitioning=None)
    except PARQUET_ERRORS as error:
        raise unreadable(file, error) from None
    names = tuple(table.column_names)
    index = index_columns(table.schema.metadata)
    known = index[0] if len(index) == 1 and index[0] in names else None
    source = Source(file, names, "Parquet", index=known)
    return table, find_id_column(source, None, table) if names else None


def open_rows(path: str | os.PathLike[str]) -> "StoredTable":
    """Find out what there is to read, without reading it."""
    file = Path(path)
    if file.is_dir():
        files = sorted(part for part in file.iterdir() if part.suffix.lower() in PARQUET_SUFFIXES)
        if not files:
            raise InvalidInputError(
                f"{file} is a folder without Parquet files; put the parts there."
            )
        return ParquetRows(file, files)
    require_file(file)
    if file.suffix.lower() in PARQUET_SUFFIXES:
        return ParquetRows(file, [file])
    if file.suffix.lower() == ".npy":
        return ArrayRows(file)
    raise InvalidInputError(
        f"{file} cannot be read piece by piece; save it as Parquet or NPY, or give a folder of Parquet "
        "files."
    )


class ArrayRows:
    """The rows of an .npy file; picklable."""

    def __init__(self, path: Path) -> None:
        source = open_arrays(path)
        self.path = path
        # Workers that read it may be in another folder.
        self._file = path.absolute()
        self.names = source.names
        self.n_rows = int(source.array.shape[0])
        self.metadata: dict[bytes, bytes] = {}

    def read(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Yield pieces of rows start..stop-1 of some columns as arrays.

        The file is mapped, a piece copied, and let go of again, so that nothing stays in memory.
        """
        places = [self.names.index(name) for name in columns]
        size = _rows_at_a_time(columns)
        for low in range(start, stop, size):
            array = np.load(self._file, mmap_mode="r", allow_pickle=False)
            array = array[:, None] if array.ndim == 1 else array
            rows = array[low : min(low + size, stop)]
            piece = np.array(rows if len(places) == len(self.names) else rows[:, places])
            del array, rows
            yield piece


class ParquetRows:
    """The row groups of Parquet files, one below the other; picklable."""

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        self.path = path
        self.n_rows = 0
        self.names: tuple[str, ...] = ()
        self._groups: list[tuple[Path, int, int, int]] = []  # file, number, first row, next row
        for file in files:
            try:
                with pq.ParquetFile(file) as opened:
                    schema, described = opened.schema_arrow, opened.metadata
            except PARQUET_ERRORS as error:
                raise unreadable(file, error) from None
            require_distinct(schema.names, file)
            self.names = self.names or tuple(schema.names)
            if tuple(schema.names) != self.names:
                raise InvalidInputError(
                    f"{file} has the columns {', '.join(schema.names)}; {files[0].name} beside it has "
                    f"{', '.join(self.names)}. All parts need the same."
                )
            self.metadata: dict[bytes, bytes] = dict(schema.metadata or {})
            for number in range(described.num_row_groups):
                stop = self.n_rows + described.row_group(number).num_rows
                # Workers that read it may be in another folder.
                self._groups.append((file.absolute(), number, self.n_rows, stop))
                self.n_rows = stop

    def read(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Yield pieces of rows start..stop-1 of some columns as Arrow tables, a batch at a time."""
        size = _rows_at_a_time(columns)
        for file, number, first, end in self._groups:
            if end <= start or first >= stop:
                continue
            place = first
            try:
                with pq.ParquetFile(file) as opened:
                    for batch in opened.iter_batches(
                        size, row_groups=[number], columns=list(columns), use_threads=False
                    ):
                        low, high = max(start - place, 0), min(stop - place, batch.num_rows)
                        place += batch.num_rows
                        if low < high:
                            yield pa.table(batch.slice(low, high - low)).select(columns)
            except PARQUET_ERRORS as error:
                raise unreadable(file, error) from None


def _rows_at_a_time(columns: Sequence[str]) -> int:
    return max(1, min(_ROWS, _CELLS // max(1, len(columns))))


StoredTable = ArrayRows | ParquetRows


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
