"""Combine the results of blocks: rows are concatenated, tables are added in a fixed order.

If rows are read in stripes, they may not fit in memory, and vectors with an entry per row use most of
the memory of the calling process. Labels are then collected in the smallest type that holds them
("narrow"). Blocks get them as int32, so that kernels need only one type.
"""

from threading import Lock
from typing import Any, Protocol

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._grid import Grid
from consilience.incidence._sweep import Swept

Rows = tuple[int, int]

_WHOLE = (np.uint8, np.uint16, np.int32)
_WITH_MISSING = (np.int8, np.int16, np.int32)


class Collector(Protocol):
    """Takes the parts of consecutive blocks, stripes or groups, in row order.

    Values of rows may be stored before, in any order and by several threads, so that the thread that
    adds up tables need not copy them too.
    """

    def store(self, rows: Rows, part: Any, /) -> Any:
        """Store the values of some rows; return what is left to be added."""
        ...

    def add(self, rows: Rows, part: Any, /) -> None:
        """Take the part of some rows."""
        ...

    def result(self) -> Any:
        """Return the combined result; None if there were no parts."""
        ...


class TableSum:
    """The sum of tables: blocks to stripes, stripes to groups, groups to the whole.

    Parts may already be sums of stripes or groups; the result is bitwise identical.
    """

    def __init__(self, grid: Grid, *_: int) -> None:
        self._ends = (1, grid.stripe_rows, grid.group_rows)
        # Partial sums: of a stripe, of a group, of all rows.
        self._sums: list[Array | None] = [None, None, None]

    def store(self, rows: Rows, part: Array | None) -> Array | None:  # noqa: ARG002
        """Return the table, because tables are added in order."""
        return part

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
    """Values of every row in one array; integers in the smallest type if `narrow`."""

    def __init__(self, start: int, stop: int, *, narrow: bool = False) -> None:
        self._start = start
        self._n_rows = stop - start
        self._narrow = narrow
        self._values: Array | None = None
        self._allocating = Lock()

    def store(self, rows: Rows, part: Array | None) -> Array | None:
        """Store the values of some rows, unless their type may change."""
        if part is None or self._narrow or len(part) == self._n_rows:
            return part
        with self._allocating:
            if self._values is None:
                self._values = np.empty((self._n_rows, *part.shape[1:]), dtype=part.dtype)
        self._values[rows[0] - self._start : rows[1] - self._start] = part
        return None

    def add(self, rows: Rows, part: Array | None) -> None:
        """Store the values of the next rows."""
        if part is None:
            return
        if self._narrow:
            part = narrowed(part)
        if self._values is None:
            if len(part) == self._n_rows:
                self._values = part if part.flags.writeable else part.copy()
                return
            self._values = np.empty((self._n_rows, *part.shape[1:]), dtype=part.dtype)
        if self._narrow:  # this part has larger labels than the previous ones
            common = np.promote_types(self._values.dtype, part.dtype)
            self._values = self._values.astype(common, copy=False)
        self._values[rows[0] - self._start : rows[1] - self._start] = part

    def result(self) -> Array | None:
        """Return the array."""
        return self._values


class SweptRows:
    """Result of a sweep: labels and values of rows, sums of tables."""

    def __init__(self, grid: Grid, start: int, stop: int, *, narrow: bool = False) -> None:
        self._grid = grid
        self._rows = {name: RowValues(start, stop) for name in ("best", "values")}
        self._rows["labels"] = RowValues(start, stop, narrow=narrow)
        self._tables = {name: TableSum(grid) for name in ("counts", "memberships", "sizes")}
        self._sums: list[TableSum] = []

    def store(self, rows: Rows, part: Swept) -> Swept:
        """Store labels and values of some rows; return the tables."""
        left: dict[str, Any] = {
            name: values.store(rows, getattr(part, name)) for name, values in self._rows.items()
        }
        return part._replace(**left)

    def add(self, rows: Rows, part: Swept) -> None:
        """Add the result of the next rows."""
        for name, values in self._rows.items():
            values.add(rows, getattr(part, name))
        for name, table in self._tables.items():
            table.add(rows, getattr(part, name))
        if not self._sums:
            self._sums = [TableSum(self._grid) for _ in part.sums]
        for total, value in zip(self._sums, part.sums, strict=True):
            total.add(rows, np.array(value))  # the step may keep a reference to its result

    def result(self) -> Swept:
        """Return the sweep of all rows."""
        found = {name: part.result() for name, part in self._rows.items()}
        found |= {name: part.result() for name, part in self._tables.items()}
        sums = tuple(np.asarray(total.result()) for total in self._sums)
        return Swept(sums=sums, **found)


class Joined:
    """Concatenation of arrays of any length."""

    def __init__(self, *_: int) -> None:
        self._parts: list[Array] = []

    def store(self, rows: Rows, part: Array) -> Array:  # noqa: ARG002
        """Return the part, because lengths are not known."""
        return part

    def add(self, rows: Rows, part: Array) -> None:  # noqa: ARG002 - parts come in row order
        """Append the next part."""
        self._parts.append(part)

    def result(self) -> Array:
        """Return all parts as one array."""
        return np.concatenate(self._parts) if self._parts else np.empty(0)


def _plus(total: Array | None, part: Array | None) -> Array | None:
    """Add in place if the array is writable; parts are not shared."""
    if part is None or total is None:
        return part if total is None else total
    if isinstance(total, np.ndarray) and total.ndim and total.flags.writeable:
        total += part
        return total
    return np.asarray(total + part)


def is_narrow(labels: Any) -> bool:
    """Whether a vector holds integers in fewer bytes than int32."""
    return bool(labels.dtype.kind in "iu" and labels.dtype.itemsize < 4)


def narrowed(labels: Array) -> Array:
    """Return integers in the smallest type that holds them, at most int32."""
    if is_narrow(labels) or labels.dtype.kind not in "iu":
        return labels
    low, high = int(labels.min(initial=0)), int(labels.max(initial=0))
    for dtype in _WHOLE if low >= 0 else _WITH_MISSING:
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return labels.astype(dtype, copy=False)
    return labels


def widened_rows(values: Any) -> Any:
    """Return a narrow vector as int32, anything else as it is."""
    return values.astype(np.int32) if is_narrow(values) else values


def as_narrow_as(labels: Array, given: Any) -> Array:
    """Return labels of int32, narrow if those that were given are."""
    return narrowed(labels) if is_narrow(given) else labels.astype(np.int32, copy=False)
