"""Cells of CSV files that a spreadsheet would run as a formula.

A cell of text that begins with = + - @, a tab or a carriage return gets an apostrophe in front, as
spreadsheets themselves write it. Cells that already begin with apostrophes and such a character get one
more, so that reading a file gives back what was written.
"""

import re
from typing import Any

from consilience.tables._cells import number

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: Any) -> Any:
    """Return a cell as it is written; numbers stay, also those that are given as text."""
    if not isinstance(cell, str) or _FORMULA.match(cell) is None or number(cell) is not None:
        return cell
    return "'" + cell


def unguarded(cell: str) -> str:
    """Return what `guarded` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) is not None else cell
