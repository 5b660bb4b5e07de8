"""What one cell of a text file means."""

import math
import re
from typing import Any

# Texts of missing cells; spaces around them are ignored.
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
    """Say whether a cell is missing."""
    return cell.strip() in _MISSING


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


_SIGN_AND_CURRENCY = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<before>[$€£¥₹]?)\s*(?P<after>[+-]?)(?P<digits>.*?)\s*(?P<behind>[$€£¥₹]?)"
)
_COMMA_GROUPS = re.compile(r"\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}", re.ASCII)
_POINT_GROUPS = re.compile(r"\d{1,3}(\.\d{3})+,\d+", re.ASCII)
# 1,234 and 1 234 and 12 % and (12.50): meant as numbers, but not read as such.
_MEANT = re.compile(
    r"\(?\d{1,3}([ ,'\u2019\u00a0\u202f]\d{3})+([.,]\d+)?\s*%?\)?|\(?\d+([.,]\d+)?\s*%?\)?",
    re.ASCII,
)
BOOLEANS = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}


def written_number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number that a cell is, also with a currency or separators of thousands.

    Separators are read where they can mean one thing only: 65,361.86 and 1,234,567, and 65.361,86 where
    the comma does not separate cells. 1,234 in a comma-separated file is refused.
    """
    value = number(cell, decimal_comma=decimal_comma)
    if value is not None:
        return value
    negative, digits = _without_currency(cell)
    if _COMMA_GROUPS.fullmatch(digits):
        value = float(digits.replace(",", ""))
    elif decimal_comma and _POINT_GROUPS.fullmatch(digits):
        value = float(digits.replace(".", "").replace(",", "."))
    elif digits[:1].isdigit():
        value = number(digits, decimal_comma=decimal_comma)
    if value is None:
        return None
    return -value if negative else value


def grouping(cell: str) -> str:
    """Return which marks a number has: "," or "." between thousands, a mark alone, or nothing."""
    digits = _without_currency(cell)[1]
    if _COMMA_GROUPS.fullmatch(digits):
        return "groups by comma"
    if _POINT_GROUPS.fullmatch(digits):
        return "groups by point"
    if "," in digits:
        return "comma"
    return "point" if "." in digits else ""


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


def _without_currency(cell: str) -> tuple[bool, str]:
    """Take a sign and a currency away; return whether the number is negative, and the rest."""
    found = _SIGN_AND_CURRENCY.fullmatch(cell.strip())
    if found is None:
        return False, ""
    signs, currencies = found["sign"] + found["after"], found["before"] + found["behind"]
    if len(signs) > 1 or len(currencies) > 1:
        return False, ""
    return signs == "-", found["digits"]
