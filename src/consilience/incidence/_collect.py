"""Put together what blocks return: rows side by side, tables added up in a fixed order."""

from typing import Any, Protocol

import numpy as np

from consilience.incidence._grid import Grid
from consilience.incidence._narrow import narrowed
from consilience.incidence._sweep import Swept

Array = np.ndarray[Any, Any]
Rows = tuple[int, int]


class Collector(Protocol):
    """Takes the parts of consecutive blocks, stripes or groups, in row order."""

    def add(self, rows: Rows, part: Any, /) -> None:
        """Take the part of some rows."""
        ...

    def result(self) -> Any:
        """Return what all parts amount to; None if there were none."""
        ...


class TableSum:
    """The sum of tables: blocks to stripes, stripes to groups, groups to the whole.

    Parts may be sums of stripes or groups already: the outcome is the same to the last bit.
    """

    def __init__(self, grid: Grid) -> None:
        self._ends = (1, grid.stripe_rows, grid.group_rows)
        # Unfinished sums: of a stripe, of a group, of all.
        self._sums: list[Array | None] = [None, None, None]

    def add(self, rows: Rows, part: Array | None) -> None:
        """Add the table of the next rows."""
        self._sums[0] = _plus(self._sums[0], part)
        for level in (1, 2):
            if rows[1] % self._ends[level] == 0:
                self._carry(level)

    def result(self) -> Array | None:
        """Return the sum."""
        self._carry(1)
        self._carry(2)
        return self._sums[2]

    def _carry(self, level: int) -> None:
        self._sums[level] = _plus(self._sums[level], self._sums[level - 1])
        self._sums[level - 1] = None


class RowValues:
    """What every row got, in one array; whole numbers in the smallest type if `narrow`."""

    def __init__(self, start: int, stop: int, *, narrow: bool = False) -> None:
        self._start = start
        self._n_rows = stop - start
        self._narrow = narrow
        self._values: Array | None = None

    def add(self, rows: Rows, part: Array | None) -> None:
        """Put in the values of the next rows."""
        if part is None:
            return
        if self._narrow:
            part = narrowed(part)
        if self._values is None:
            if len(part) == self._n_rows:
                is_ours = not isinstance(part, np.ndarray) or part.flags.writeable
                self._values = part if is_ours else part.copy()
                return
            self._values = np.empty((self._n_rows, *part.shape[1:]), dtype=part.dtype)
        if self._narrow:  # a part with larger labels than those before
            common = np.promote_types(self._values.dtype, part.dtype)
            self._values = self._values.astype(common, copy=False)
        self._values[rows[0] - self._start : rows[1] - self._start] = part

    def result(self) -> Array | None:
        """Return the array."""
        return self._values


class SweptRows:
    """What a sweep returns: labels and values of rows, sums of tables."""

    def __init__(self, grid: Grid, start: int, stop: int, *, narrow: bool = False) -> None:
        self._grid = grid
        self._rows = {name: RowValues(start, stop) for name in ("best", "values")}
        self._rows["labels"] = RowValues(start, stop, narrow=narrow)
        self._tables = {name: TableSum(grid) for name in ("counts", "memberships", "sizes")}
        self._sums: list[TableSum] = []

    def add(self, rows: Rows, part: Swept) -> None:
        """Take what the next rows returned."""
        for name, values in self._rows.items():
            values.add(rows, getattr(part, name))
        for name, table in self._tables.items():
            table.add(rows, getattr(part, name))
        if not self._sums:
            self._sums = [TableSum(self._grid) for _ in part.sums]
        for total, value in zip(self._sums, part.sums, strict=True):
            total.add(rows, np.array(value))  # a step may keep what it returns

    def result(self) -> Swept:
        """Return the sweep of all rows."""
        found = {name: part.result() for name, part in self._rows.items()}
        found |= {name: part.result() for name, part in self._tables.items()}
        sums = tuple(np.asarray(total.result()) for total in self._sums)
        return Swept(sums=sums, **found)


class Joined:
    """Arrays of any length, one after the other."""

    def __init__(self) -> None:
        self._parts: list[Array] = []

    def add(self, rows: Rows, part: Array) -> None:  # noqa: ARG002 - parts come in row order
        """Put the next part behind the others."""
        self._parts.append(part)

    def result(self) -> Array:
        """Return all parts as one array."""
        return np.concatenate(self._parts) if self._parts else np.empty(0)


class TableParts:
    """Makes collectors of tables, here or in another process."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def __call__(self, start: int, stop: int) -> TableSum:  # noqa: ARG002 - a sum has no place
        """Return an empty sum."""
        return TableSum(self._grid)


class RowParts:
    """Makes collectors of what every row gets."""

    def __init__(self, *, narrow: bool = False) -> None:
        self._narrow = narrow

    def __call__(self, start: int, stop: int) -> RowValues:
        """Return an array to be filled."""
        return RowValues(start, stop, narrow=self._narrow)


class SweptParts:
    """Makes collectors of sweeps."""

    def __init__(self, grid: Grid, *, narrow: bool = False) -> None:
        self._grid = grid
        self._narrow = narrow

    def __call__(self, start: int, stop: int) -> SweptRows:
        """Return an empty sweep."""
        return SweptRows(self._grid, start, stop, narrow=self._narrow)


class JoinedParts:
    """Makes collectors of parts that some rows contribute to and others do not."""

    def __call__(self, start: int, stop: int) -> Joined:  # noqa: ARG002 - lengths are not known
        """Return an empty row of parts."""
        return Joined()


Parts = TableParts | RowParts | SweptParts | JoinedParts


def _plus(total: Array | None, part: Array | None) -> Array | None:
    """Add in place where that is allowed: a part is nobody else's, but may be read-only."""
    if part is None or total is None:
        return part if total is None else total
    if isinstance(total, np.ndarray) and total.ndim and total.flags.writeable:
        total += part
        return total
    return np.asarray(total + part)
