"""Sources of rows: arrays in memory, files and other collections."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from consilience._utils._types import Array


class BlockSource(Protocol):
    """Rows that can be read in any order; picklable, so that other processes can read them.

    A source whose rows are stored in other processes or on a GPU also has an attribute `executor`,
    which runs there. A source with random access to single rows has `pick(rows)`.
    """

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        ...

    @property
    def by_stripe(self) -> bool:
        """Whether reading is expensive (a file, a computation); whole stripes are then read."""
        ...

    def read(self, start: int, stop: int) -> Array:
        """Return rows start..stop-1 as a C-contiguous array; called from several threads at once."""
        ...

    def take(self, rows: Array) -> "BlockSource":
        """Return a source of some rows, given in ascending order."""
        ...

    def select(self, columns: Array) -> "BlockSource":
        """Return a source of some columns."""
        ...


@dataclass(frozen=True, eq=False)
class ArraySource:
    """Rows of an array in memory or memory-mapped; reading makes no copy."""

    array: Array
    by_stripe = False

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self.array.shape[0])

    def read(self, start: int, stop: int) -> Array:
        """Return a view."""
        return self.array[start:stop]

    def pick(self, rows: Array) -> Array:
        """Return a few rows."""
        return self.array[rows]

    def take(self, rows: Array) -> Self:
        """Return the rows."""
        return type(self)(self.array[rows])

    def select(self, columns: Array) -> Self:
        """Return the columns."""
        return type(self)(np.ascontiguousarray(self.array[:, columns]))


class StoredRows:
    """Base class of sources outside memory: rows and columns are selected while reading."""

    by_stripe = True

    def take(self, rows: Array) -> "TakenRows":
        """Return a source of some rows, given in ascending order."""
        return TakenRows(self, rows)  # type: ignore[arg-type]

    def select(self, columns: Array) -> "SelectedColumns":
        """Return a source of some columns."""
        return SelectedColumns(self, columns)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class TakenRows(StoredRows):
    """Some rows of a source, ascending."""

    source: BlockSource
    rows: Array

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def read(self, start: int, stop: int) -> Array:
        """Read the range that contains the rows, and select them."""
        wanted = self.rows[start:stop]
        if not len(wanted):
            return self.source.read(0, 0)
        first = int(wanted[0])
        return np.ascontiguousarray(self.source.read(first, int(wanted[-1]) + 1)[wanted - first])


@dataclass(frozen=True, eq=False)
class SelectedColumns(StoredRows):
    """Some columns of a source."""

    source: BlockSource
    columns: Array

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self.source.n_rows

    def read(self, start: int, stop: int) -> Array:
        """Read rows, and select the columns."""
        return np.ascontiguousarray(self.source.read(start, stop)[:, self.columns])
