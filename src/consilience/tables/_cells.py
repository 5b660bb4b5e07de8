"""What one cell of a text file means."""

import math
from typing import Any

# What files write where there is nothing; spaces around do not count.
MISSING = (
    "",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "NaN",
    "nan",
    "-nan",
    "NAN",
    "null",
    "NULL",
    "None",
    "<NA>",
    "?",
)
_MISSING = frozenset(MISSING)


def is_missing(cell: str) -> bool:
    """Say whether a cell stands for nothing."""
    return cell.strip() in _MISSING


def number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number that a cell is; None if it is none.

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


def mostly_numbers(column: Any, *, decimal_comma: bool) -> bool:
    """Say whether half or more of the cells of an Arrow column of text are numbers."""
    cells = [text for text in column.slice(0, 1000).to_pylist() if text is not None]
    numbers = sum(number(text, decimal_comma=decimal_comma) is not None for text in cells)
    return 2 * numbers >= len(cells)
