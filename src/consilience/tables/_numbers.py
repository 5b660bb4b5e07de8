"""Columns of a batch as numbers, or an error about the first cell that is not a number."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import (
    BOOLEANS,
    grouping,
    is_missing,
    looks_like_number,
    mostly_numbers,
    written_number,
)


class Place(NamedTuple):
    """Where a column of a batch stands, for errors."""

    path: Path
    column: str
    first_row: int

    def at(self, row: int) -> str:
        """Name file, row (counted from 1, the header not) and column."""
        return f"{self.path}, data row {self.first_row + row + 1}, column {self.column!r}"


class Marks:
    """The marks that the numbers of a column of text have, compared as they are read.

    Where commas stand between thousands, 1,234 must not be read as 1.234, nor the other way round.
    """

    _CONFLICTS = (
        {"groups by comma", "comma"},
        {"groups by point", "point"},
        {"groups by comma", "groups by point"},
    )

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, mark: str) -> bool:
        """Take a mark; say whether it fits those before it."""
        self._seen.add(mark)
        return not any(conflict <= self._seen for conflict in self._CONFLICTS)


def as_numbers(
    column: Any, place: Place, *, is_text: bool, decimal_comma: bool, marks: Marks
) -> Array:
    """Return float64, or float32 if the file says so, with NaN where a cell is missing."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if is_text:
        return _parse(column, place, marks, decimal_comma=decimal_comma)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise _not_numeric(column, place)
    wanted = pa.float32() if kind in (pa.float32(), pa.float16()) else pa.float64()
    values: Array = column.cast(wanted, safe=False).to_numpy(zero_copy_only=False)
    return values


def require_finite(block: Array, names: tuple[str, ...], first_row: int, path: Path) -> None:
    """Refuse infinite numbers, which cannot be measurements."""
    infinite = np.isinf(block)
    if infinite.any():
        row, place = np.argwhere(infinite)[0]
        raise InvalidInputError(
            f"{Place(path, names[place], first_row).at(int(row))}: the value is infinite; a finite "
            "number is needed."
        )


def missing_cell(
    block: Array, names: tuple[str, ...], rows: Array, path: Path
) -> InvalidInputError:
    """Name the first missing cell and the way out."""
    missing = np.isnan(block)
    row, place = np.argwhere(missing)[0]
    where = Place(path, names[place], int(rows[row])).at(0)
    several = int(missing.any(axis=1).sum())
    more = f" (it is one of {several} such rows read so far)" if several > 1 else ""
    return InvalidInputError(
        f"{where}: the value is missing{more}; fill it in, leave the column out with {option('drop')}, "
        f"or leave such rows out with {option('missing', 'drop')}."
    )


def _parse(column: Any, place: Place, marks: Marks, *, decimal_comma: bool) -> Array:
    values = _cast(column, marks, decimal_comma=decimal_comma)
    if values is not None:
        return values
    # Separators of thousands, currencies, or no number at all: look at every cell.
    cells = [None if cell is None or is_missing(cell) else cell for cell in column.to_pylist()]
    truths = [np.nan if cell is None else BOOLEANS.get(cell.strip()) for cell in cells]
    others = [row for row, truth in enumerate(truths) if truth is None]
    if not others:
        return np.array(truths)
    if 2 * len(others) < np.count_nonzero([cell is not None for cell in cells]):
        raise _bad_cell(column, others[0], str(cells[others[0]]), place)
    result = np.full(len(column), np.nan)
    for row, cell in enumerate(cells):
        if cell is None:
            continue
        value = written_number(cell, decimal_comma=decimal_comma)
        if value is None:
            raise _bad_cell(column, row, cell, place)
        if not marks.add(grouping(cell)):
            raise InvalidInputError(
                f"{place.at(row)}: {_shorten(cell)} can be read in two ways, because other numbers of "
                "the column have separators between thousands; write all of them as 1234.56."
            )
        result[row] = value
    return result


def _cast(column: Any, marks: Marks, *, decimal_comma: bool) -> Array | None:
    """Let Arrow read plain numbers, all at once; None if some cells are something else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = pc.utf8_trim_whitespace(column)
    if decimal_comma:
        n_commas = pc.count_substring(column, ",")
        has_point = pc.match_substring(column, ".")
        if pc.any(
            pc.or_(pc.greater(n_commas, 1), pc.and_(has_point, pc.greater(n_commas, 0)))
        ).as_py():
            return None
        if pc.any(has_point).as_py() and not marks.add("point"):
            return None
        if pc.any(pc.greater(n_commas, 0)).as_py() and not marks.add("comma"):
            return None
        column = pc.replace_substring(column, ",", ".")
    try:
        values: Array = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values


def _bad_cell(column: Any, row: int, cell: str, place: Place) -> InvalidInputError:
    if not mostly_numbers(column):
        return _text_column(place.at(row), cell, place.column)
    plain = " that can be read (write 1234.56 or -5)" if looks_like_number(cell) else ""
    return InvalidInputError(
        f"{place.at(row)}: {_shorten(cell)} is not a number{plain}; correct it, or leave the column out "
        f"with {option('drop', [place.column])}."
    )


def _not_numeric(column: Any, place: Place) -> InvalidInputError:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        present = column.drop_null()
        return _text_column(place.at(0), present[0].as_py() if len(present) else "", place.column)
    return InvalidInputError(
        f"{place.path}: column {place.column!r} holds {kind}, not numbers; leave it out with "
        f"{option('drop', [place.column])}."
    )


def _text_column(where: str, cell: str, name: str) -> InvalidInputError:
    return InvalidInputError(
        f"{where}: the column holds text ({_shorten(cell)}), not numbers; leave it out with "
        f"{option('drop', [name])}, name the objects by it with {option('id')}, or, if the columns are "
        "categories, let every column be a clustering: consilience combine."
    )


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
