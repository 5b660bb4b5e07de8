"""Is the first line of a text file a header? Decided by comparing it with the lines below.

A line whose first cell is empty or a usual name of an id column is a header. A line without numbers is
one, unless all lines are text and one of its cells occurs again in its column. A line with numbers is
one if most of its cells are of another kind than those below (text above numbers, or numbers above
text), or if its numbers look like names and those below do not: years, or whole numbers that rise by
one, or four and more numbers at equal distances. Anything else is data.
"""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from consilience.tables._cells import is_missing, looks_like_number, number
from consilience.tables._id_column import is_id_name

_PLAIN = re.compile(r"[+-]?\d+", re.ASCII)
_YEARS = range(1800, 2101)
# With fewer lines below, the comparison is not reliable.
_LINES = 3


class Finding(NamedTuple):
    """Whether the first line holds names, and the reason where there was a doubt."""

    is_header: bool
    reason: str | None = None


def find_header(rows: list[list[str]], *, decimal_comma: bool) -> Finding:
    """Compare the first of some rows of cells with the others."""
    first = [cell.strip() for cell in rows[0]]
    below = [[cell.strip() for cell in row] for row in rows[1:] if len(row) == len(first)]
    if all(is_missing(cell) for cell in first):
        return Finding(is_header=False)
    is_value = [looks_like_number(cell) for cell in first]
    columns: list[tuple[str, ...]] = [()] * len(first)
    if below:
        columns = list(zip(*below, strict=True))
    if not is_value[0] and (not first[0] or is_id_name(first[0])):
        return Finding(is_header=True)
    if not any(is_value):
        return _of_text(first, columns)
    if 2 * sum(map(_differs, first, columns)) > len(first):
        return Finding(is_header=True, reason="its cells are of another kind than those below")
    places = [place for place, value in enumerate(is_value) if value]
    reason = _looks_like_names(
        _numbers([first[place] for place in places], decimal_comma=decimal_comma),
        [_numbers([row[place] for place in places], decimal_comma=decimal_comma) for row in below],
        is_whole=all(_PLAIN.fullmatch(first[place]) for place in places),
    )
    if reason is not None:
        return Finding(is_header=True, reason=reason)
    return Finding(is_header=False, reason=_doubt(first, places))


def _of_text(first: list[str], columns: list[tuple[str, ...]]) -> Finding:
    """Tell names from labels: names stand above numbers, and do not occur again in their column."""
    if any(map(_differs, first, columns)):
        return Finding(is_header=True)
    for cell, column in zip(first, columns, strict=True):
        if not is_missing(cell) and cell in column:
            return Finding(is_header=False, reason=f"{cell!r} occurs again below it")
    return Finding(is_header=True)


def _differs(cell: str, column: tuple[str, ...]) -> bool:
    """Say whether a cell is a number and all cells below are not, or the other way round."""
    known = [looks_like_number(below) for below in column if not is_missing(below)]
    if not known or is_missing(cell):
        return False
    return not any(known) if looks_like_number(cell) else all(known)


def _numbers(cells: list[str], *, decimal_comma: bool) -> list[float]:
    """Return the numbers of a line; NaN where a cell is none."""
    values = [number(cell, decimal_comma=decimal_comma) for cell in cells]
    return [math.nan if value is None else value for value in values]


def _looks_like_names(
    first: list[float], below: list[list[float]], *, is_whole: bool
) -> str | None:
    """Return why the numbers of the first line are names; None if they may be data."""
    if len(first) < 2 or not below or not all(math.isfinite(value) for value in first):
        return None
    if is_whole and _are_years(first) and not any(_are_years(row) for row in below):
        return "it holds years, and the lines below do not"
    if is_whole and _rises_by_one(first) and _is_rare(_rises_by_one, below):
        with_decimals = [
            value != math.floor(value) for row in below for value in row if math.isfinite(value)
        ]
        if len(below) > 1 and with_decimals and sum(with_decimals) > 0.9 * len(with_decimals):
            return "it holds whole numbers that rise by one, and the lines below hold decimals"
        if len(first) > 2 and len(below) >= _LINES:
            return "its numbers rise by one, and those of the lines below do not"
    if len(first) > 3 and len(below) >= _LINES and _is_even(first) and _is_rare(_is_even, below):
        return "its numbers are at equal distances, and those of the lines below are not"
    return None


def _is_rare(is_special: Callable[[list[float]], bool], below: list[list[float]]) -> bool:
    """Say whether no line below is special, or at most one in twenty if it has many cells."""
    allowed = len(below) // 20 if len(below[0]) > 3 else 0
    return sum(map(is_special, below)) <= allowed


def _are_years(values: list[float]) -> bool:
    if not all(value in _YEARS for value in values):
        return False
    steps = [later - earlier for earlier, later in pairwise(values)]
    return all(step > 0 for step in steps) or all(step < 0 for step in steps)


def _rises_by_one(values: list[float]) -> bool:
    return all(later - earlier == 1 for earlier, later in pairwise(values))


def _is_even(values: list[float]) -> bool:
    steps = [later - earlier for earlier, later in pairwise(values)]
    return steps[0] > 0 and all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)


def _doubt(first: list[str], places: list[int]) -> str | None:
    """Return the reason why a line that is read as data may be a header."""
    if len(places) < len(first):
        return "it holds numbers"
    if not all(_PLAIN.fullmatch(cell) for cell in first):
        return None
    values = [float(cell) for cell in first]
    if values == [0.0] or (len(values) > 1 and (_rises_by_one(values) or _are_years(values))):
        return "nothing tells it from the lines below"
    return None
