"""Where rows come from. Incidence never opens a file: it asks a source."""

from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

Array = np.ndarray[Any, Any]


class BlockSource(Protocol):
    """Rows that can be read in any order; picklable, so that another process can read them too.

    A source whose rows lie in other processes or on a GPU also has an attribute `executor`, which works
    there. One in which a few rows are found without reading the others has `pick(rows)`.
    """

    @property
    def n_rows(self) -> int:
        """Return how many rows there are."""
        ...

    @property
    def by_stripe(self) -> bool:
        """Say whether reading is work (a file, a computation): then whole stripes are read."""
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
        """Return how many rows there are."""
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
    """What sources outside memory have in common: rows and columns are taken while reading."""

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
        """Return how many rows there are."""
        return len(self.rows)

    def read(self, start: int, stop: int) -> Array:
        """Read the stretch that holds the rows, and keep them."""
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
        """Return how many rows there are."""
        return self.source.n_rows

    def read(self, start: int, stop: int) -> Array:
        """Read rows, and keep the columns."""
        return np.ascontiguousarray(self.source.read(start, stop)[:, self.columns])
