"""Delimited text such as CSV: finds delimiter and header, and returns cells as text.

The delimiter is the one of comma, semicolon, tab and bar that cuts the first lines into equally many
cells, more than one.

A line whose first cell is empty or a usual name of an id column is a header. A line without numbers is
one, unless all lines are text and one of its cells occurs again in its column. A line with numbers is
one if most of its cells are of another kind than those below (text above numbers, or numbers above
text), or if its numbers look like names and those below do not: years, or whole numbers that rise by
one, or four and more numbers at equal distances. Anything else is data.
"""

import csv
import gzip
import io
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as arrow_csv

from consilience._utils._option import option
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError
from consilience.tables import _cells
from consilience.tables._ids import is_id_name
from consilience.tables._source import Source, distinct_names

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_HEAD_LINES = 50
_LONGEST_LINE = 2**26
_BLOCK_BYTES = 2**21
_RAGGED = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", re.S)
_PLAIN = re.compile(r"[+-]?\d+", re.ASCII)
# With fewer lines below, a header of numbers cannot be told from data by their distances.
_LINES = 3


def open_delimited(file: Path, *, header: bool | None, delimiter: str | None) -> Source:
    """Look at the first lines of a text file."""
    lines = _first_lines(file)
    if delimiter is None:
        delimiter = _find_delimiter(lines, file)
    elif len(delimiter) != 1 or delimiter in '\r\n"':
        raise InvalidInputError(f"A delimiter is one character, such as ';'; got {delimiter!r}.")
    try:
        rows = _cut(lines, delimiter)
    except csv.Error as error:
        raise InvalidInputError(f"{file} cannot be read as delimited text: {error}.") from None
    is_header, reason = bool(header), None
    if header is None:
        is_header, reason = _find_header(rows, decimal_comma=delimiter != ",")
    names = [_cells.unguarded(name.strip()) if is_header else "" for name in rows[0]]
    if is_header and len(names) > 1 and not names[0].strip() and "index" not in names:
        names[0] = "index"  # this is how pandas and R write row names
    if is_header and len(rows) == 1:
        is_data = f" If that line is data, say {option('header', value=False)}."
        raise InvalidInputError(
            f"{file} holds a header line and nothing else; at least one row is needed."
            + is_data * (header is None)
        )
    notes = []
    if reason is not None:
        first = _short(", ".join(rows[0]))
        notes.append(
            f"{file}: the first line ({first}) is read as {'names' if is_header else 'data'}, because "
            f"{reason}; say {option('header', value=not is_header)} if that is wrong."
        )
    longest = max(len(line) for line in lines)
    kind = f"{_DELIMITERS.get(delimiter, repr(delimiter))}-separated text"
    return Source(
        path=file,
        names=distinct_names(names, file),
        kind=f"{kind} with a header" if is_header else f"{kind} without a header",
        read=lambda: _batches(file, delimiter, len(names), skip=int(is_header), longest=longest),
        is_text=True,
        decimal_comma=delimiter != ",",
        notes=tuple(notes),
    )


def _first_lines(file: Path) -> list[str]:
    lines = []
    try:
        with (
            gzip.open(file) if _is_packed(file) else file.open("rb") as stream,
            io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text,
        ):
            reader = iter(lambda: text.readline(_LONGEST_LINE), "")
            lines = list(islice((line for line in reader if line.strip()), _HEAD_LINES))
    except UnicodeDecodeError as error:
        raise _not_utf8(file) from error
    except (zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{file} cannot be unpacked by gzip: {error}.") from None
    if not lines:
        raise InvalidInputError(
            f"{file} holds only blank lines; a table with at least one row is needed."
        )
    return lines


def _is_packed(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def _not_utf8(file: Path) -> InvalidInputError:
    return InvalidInputError(
        f"{file} is not text in UTF-8; save it as CSV in UTF-8, or convert it, e.g. by "
        f"iconv -f latin1 -t utf-8."
    )


def _cut(lines: list[str], delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(lines, delimiter=delimiter) if row]


def _find_delimiter(lines: list[str], file: Path) -> str:
    best, best_score = "\t" if ".tsv" in file.suffixes else ",", (0.0, 1)
    # The last line may be incomplete, and is not needed.
    sample = lines[:-1] if len(lines) > 2 else lines
    for delimiter in _DELIMITERS:
        try:
            widths = Counter(len(row) for row in _cut(sample, delimiter))
        except csv.Error:
            continue  # a wrong delimiter makes one enormous cell of a wide table
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (count / widths.total(), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _batches(file: Path, delimiter: str, width: int, *, skip: int, longest: int) -> Iterator[Any]:
    names = [f"f{place}" for place in range(width)]
    packed = _is_packed(file)
    reading = arrow_csv.ReadOptions(
        use_threads=False,  # else errors do not know the line
        column_names=names,
        block_size=min(max(_BLOCK_BYTES, 256 * longest), 2**30),
    )
    parsing = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    converting = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        null_values=list(_cells.MISSING),
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
    )
    try:
        # Arrow reads ahead in threads of its own, which may still run after the caller has stopped: so
        # nothing of Python, no file object and no callback, may be among what they use.
        with (
            pa.input_stream(str(file), compression="gzip" if packed else None) as stream,
            arrow_csv.open_csv(stream, reading, parsing, converting) as reader,
        ):
            for batch in reader:
                rows = batch.slice(skip)
                skip = max(0, skip - batch.num_rows)
                if rows.num_rows:
                    yield rows
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise _explained(str(error), file) from None
    except OSError as error:
        if not packed:
            raise
        raise InvalidInputError(f"{file} cannot be unpacked by gzip: {error}.") from None


def _explained(words: str, file: Path) -> InvalidInputError:
    ragged = _RAGGED.search(words)
    if ragged is not None:
        line, expected, found, text = ragged.groups()
        return InvalidInputError(
            f"{file}, line {line} has {plural(int(found), 'cell')}; the first line has {expected}, and "
            f"every row needs as many: {_short(text)}"
        )
    if "UTF8" in words:
        return _not_utf8(file)
    return InvalidInputError(f"{file} cannot be read as delimited text: {_short(words)}")


def _short(text: str) -> str:
    return _cells.shorten(" ".join(text.split()), 60)


# --- the first line ------------------------------------------------------------------------------


def _find_header(rows: list[list[str]], *, decimal_comma: bool) -> tuple[bool, str | None]:
    """Say whether the first line holds names, and the reason where there was a doubt."""
    first, *below = [[cell.strip() for cell in row] for row in rows if len(row) == len(rows[0])]
    places = [place for place, cell in enumerate(first) if _cells.looks_like_number(cell)]
    if all(map(_cells.is_missing, first)):
        return False, None
    if 0 not in places and (not first[0] or is_id_name(first[0])):
        return True, None
    columns: list[Sequence[str]] = list(zip(*below, strict=True)) or [()] * len(first)
    n_different = sum(map(_differs, first, columns))
    if not places:
        pairs = zip(first, columns, strict=True)
        again = [cell for cell, column in pairs if not _cells.is_missing(cell) and cell in column]
        is_data = bool(again) and not n_different
        return not is_data, f"{again[0]!r} occurs again below it" if is_data else None
    if 2 * n_different > len(first):
        return True, "its cells are of another kind than those below"
    return _of_numbers(first, below, places, decimal_comma=decimal_comma)


def _of_numbers(
    first: list[str], below: list[list[str]], places: list[int], *, decimal_comma: bool
) -> tuple[bool, str | None]:
    """Do the same for a line with numbers in some places."""
    lines = [
        [_cells.number(row[place], decimal_comma=decimal_comma) for place in places]
        for row in (first, *below)
    ]
    head, *others = [[math.nan if value is None else value for value in line] for line in lines]
    is_whole = all(_PLAIN.fullmatch(first[place]) for place in places)
    reason = _looks_like_names(head, others, is_whole=is_whole)
    if reason is not None:
        return True, reason
    if len(places) < len(first):
        return False, "it holds numbers"
    may_be_names = len(head) > 1 and (_rises_by_one(head) or _are_years(head))
    is_doubtful = is_whole and (head == [0.0] or may_be_names)
    return False, "nothing tells it from the lines below" if is_doubtful else None


def _differs(cell: str, column: Sequence[str]) -> bool:
    """Say whether a cell is a number and all cells below are not, or the other way round."""
    known = [_cells.looks_like_number(below) for below in column if not _cells.is_missing(below)]
    if not known or _cells.is_missing(cell):
        return False
    return not any(known) if _cells.looks_like_number(cell) else all(known)


def _looks_like_names(
    first: list[float], below: list[list[float]], *, is_whole: bool
) -> str | None:
    """Return why the numbers of the first line are names; None if they may be data."""
    if len(first) < 2 or not below or not all(map(math.isfinite, first)):
        return None
    if is_whole and _are_years(first) and not any(map(_are_years, below)):
        return "it holds years, and the lines below do not"
    if is_whole and _rises_by_one(first) and _is_rare(_rises_by_one, below):
        known = [value for row in below for value in row if math.isfinite(value)]
        n_decimals = sum(value != math.floor(value) for value in known)
        if len(below) > 1 and n_decimals > 0.9 * len(known):
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
    steps = [later - earlier for earlier, later in pairwise(values)]
    in_order = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    return in_order and all(value in range(1800, 2101) for value in values)


def _rises_by_one(values: list[float]) -> bool:
    return all(later - earlier == 1 for earlier, later in pairwise(values))


def _is_even(values: list[float]) -> bool:
    steps = [later - earlier for earlier, later in pairwise(values)]
    return steps[0] > 0 and all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)
