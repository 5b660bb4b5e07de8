"""What cells mean: missing, a number as people write it, a formula; and columns as numbers or text.

A cell of text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a carriage
return) is written with an apostrophe in front, as spreadsheets themselves write it. Cells that already
begin with apostrophes and such a character get one more, so that reading a file gives back what was
written.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError

if TYPE_CHECKING:
    from consilience.tables._source import Source

# Texts of missing cells; spaces around them are ignored.
MISSING = {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-nan", "NAN", "null", "NULL", "None"}
MISSING |= {"<NA>", "?"}
BOOLEANS = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_AMOUNT = re.compile(r"([+-]?)\s*([$€£¥₹]?)\s*([+-]?)(.*?)\s*([$€£¥₹]?)")
_COMMA_GROUPS = re.compile(r"\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}", re.ASCII)
_POINT_GROUPS = re.compile(r"\d{1,3}(\.\d{3})+,\d+", re.ASCII)
# 1,234 and 1 234 and 12 % and (12.50): meant as numbers, but not read as such.
_MEANT = re.compile(
    r"\(?\d{1,3}([ ,'\u2019\u00a0\u202f]\d{3})+([.,]\d+)?\s*%?\)?|\(?\d+([.,]\d+)?\s*%?\)?",
    re.ASCII,
)
# Marks that numbers of one column cannot have: 1,234 would be read as 1.234, or the other way round.
_CONFLICTS = (
    {"groups by comma", "comma"},
    {"groups by point", "point"},
    {"groups by comma", "groups by point"},
)


def guarded(cell: Any) -> Any:
    """Return a cell as it is written; numbers stay, also those that are given as text."""
    if not isinstance(cell, str) or _FORMULA.match(cell) is None or number(cell) is not None:
        return cell
    return "'" + cell


def unguarded(cell: str) -> str:
    """Return what `guarded` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) is not None else cell


def is_missing(cell: str) -> bool:
    """Say whether a cell is missing."""
    return cell.strip() in MISSING


def number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number in a cell; None if it is not a number.

    Decimal commas are read where the comma does not separate cells.
    """
    text = cell.strip()
    # float() also takes 1_000 and digits of other scripts, which are no numbers in a table.
    if "_" in text or not text.isascii():
        return None
    if decimal_comma and text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value


def written_number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number that a cell is, also with a currency or separators of thousands.

    Separators are read where they can mean one thing only: 65,361.86 and 1,234,567, and 65.361,86 where
    the comma does not separate cells. 1,234 in a comma-separated file is refused.
    """
    value = number(cell, decimal_comma=decimal_comma)
    if value is not None:
        return value
    is_negative, digits = _without_currency(cell)
    if _COMMA_GROUPS.fullmatch(digits):
        digits = digits.replace(",", "")
    elif decimal_comma and _POINT_GROUPS.fullmatch(digits):
        digits = digits.replace(".", "")
    value = number(digits, decimal_comma=decimal_comma) if digits[:1].isdigit() else None
    return -value if is_negative and value is not None else value


def looks_like_number(cell: str) -> bool:
    """Say whether a cell is meant as a number or as true or false, read as such or not."""
    text = cell.strip()
    if text in BOOLEANS or written_number(text, decimal_comma=True) is not None:
        return True
    return _MEANT.fullmatch(_without_currency(text)[1]) is not None


def mostly_numbers(column: Any) -> bool:
    """Say whether half or more of the cells of an Arrow column of text are meant as numbers."""
    cells = [text for text in column.slice(0, 1000).to_pylist() if text is not None]
    return 2 * sum(map(looks_like_number, cells)) >= len(cells)


def cell_at(path: Path, row: int, column: str) -> str:
    """Name a cell for an error; rows are counted from 0 here and from 1 in the text."""
    return f"{path}, data row {row + 1}, column {column!r}"


def shorten(text: str, most: int = 40) -> str:
    """Quote a text, cut if it is long."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")


def shown(names: Sequence[str], most: int = 6) -> str:
    """List the first of many names."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def decoded(column: Any) -> Any:
    """Return an Arrow column without dictionary encoding."""
    is_encoded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if is_encoded else column


def is_text(column: Any) -> bool:
    """Say whether an Arrow column holds text."""
    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def as_text(column: Any, source: "Source", name: str) -> Array:
    """Return the cells of an id or label column as text, None where missing."""
    try:
        text = decoded(column).cast(pa.string())
    except pa.ArrowException:
        raise InvalidInputError(
            f"{source.path}: column {name!r} holds {column.type}, which cannot be read as ids or "
            f"labels; leave it out with {option('drop')}, or name another column."
        ) from None
    cells = pc.utf8_trim_whitespace(text).to_pylist()
    if source.is_text:
        cells = [None if cell is None else unguarded(cell) for cell in cells]
    return np.array(cells, dtype=object)


def as_numbers(column: Any, source: "Source", name: str, first_row: int, marks: set[str]) -> Array:
    """Return float64, or float32 if the file says so, with NaN where a cell is missing.

    `marks` holds the marks that the numbers of the column had in earlier batches, and is added to.
    """
    column = decoded(column)
    kind = column.type
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if source.is_text:
        values = _plain_numbers(column, marks, decimal_comma=source.decimal_comma)
        return _parsed(column, source, name, first_row, marks) if values is None else values
    if is_text(column):
        present = column.drop_null()
        first = present[0].as_py() if len(present) else ""
        raise _text_column(cell_at(source.path, first_row, name), first, name)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise InvalidInputError(
            f"{source.path}: column {name!r} holds {kind}, not numbers; leave it out with "
            f"{option('drop', [name])}."
        )
    wanted = pa.float32() if kind in (pa.float32(), pa.float16()) else pa.float64()
    result: Array = column.cast(wanted, safe=False).to_numpy(zero_copy_only=False)
    return result


def _plain_numbers(column: Any, marks: set[str], *, decimal_comma: bool) -> Array | None:
    """Let Arrow read plain numbers, all at once; None if some cells are something else."""
    column = pc.utf8_trim_whitespace(column)
    if decimal_comma:
        if pc.any(pc.match_substring_regex(column, r"(?s),.*[.,]|\..*,")).as_py():
            return None
        here = {mark for mark, text in (("point", "."), ("comma", ",")) if _occurs(text, column)}
        if _in_conflict(marks | here):
            return None
        marks |= here
        column = pc.replace_substring(column, ",", ".")
    try:
        values: Array = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values


def _parsed(column: Any, source: "Source", name: str, first_row: int, marks: set[str]) -> Array:
    """Read separators of thousands, currencies, or true and false, cell by cell."""
    cells = {row: cell for row, cell in enumerate(column.to_pylist()) if cell is not None}
    cells = {row: cell for row, cell in cells.items() if not is_missing(cell)}
    n_truths = sum(cell.strip() in BOOLEANS for cell in cells.values())
    result = np.full(len(column), np.nan)
    for row, cell in cells.items():
        where = cell_at(source.path, first_row + row, name)
        if 2 * n_truths > len(cells):
            value = BOOLEANS.get(cell.strip())
        else:
            value = written_number(cell, decimal_comma=source.decimal_comma)
            marks.add(_mark(cell))
        if value is None and not mostly_numbers(column):
            raise _text_column(where, cell, name)
        if value is None:
            plain = " that can be read (write 1234.56 or -5)" if looks_like_number(cell) else ""
            raise InvalidInputError(
                f"{where}: {shorten(cell)} is not a number{plain}; correct it, or leave the column "
                f"out with {option('drop', [name])}."
            )
        if _in_conflict(marks):
            raise InvalidInputError(
                f"{where}: {shorten(cell)} can be read in two ways, because other numbers of the "
                "column have separators between thousands; write all of them as 1234.56."
            )
        result[row] = value
    return result


def _occurs(text: str, column: Any) -> bool:
    return bool(pc.any(pc.match_substring(column, text)).as_py())


def _in_conflict(marks: set[str]) -> bool:
    return any(conflict <= marks for conflict in _CONFLICTS)


def _mark(cell: str) -> str:
    """Return which marks a number has: "," or "." between thousands, a mark alone, or nothing."""
    digits = _without_currency(cell)[1]
    if _COMMA_GROUPS.fullmatch(digits):
        return "groups by comma"
    if _POINT_GROUPS.fullmatch(digits):
        return "groups by point"
    if "," in digits:
        return "comma"
    return "point" if "." in digits else ""


def _without_currency(cell: str) -> tuple[bool, str]:
    """Take a sign and a currency away; return whether the number is negative, and the rest."""
    found = _AMOUNT.fullmatch(cell.strip())
    if found is None:
        return False, ""
    sign, before, after, digits, behind = found.groups()
    if len(sign + after) > 1 or len(before + behind) > 1:
        return False, ""
    return sign + after == "-", digits


def _text_column(where: str, cell: str, name: str) -> InvalidInputError:
    return InvalidInputError(
        f"{where}: the column holds text ({shorten(cell)}), not numbers; leave it out with "
        f"{option('drop', [name])}, name the objects by it with {option('id')}, or, if the columns are "
        "categories, let every column be a clustering: consilience combine."
    )
