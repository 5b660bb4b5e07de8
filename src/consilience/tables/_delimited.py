"""Delimited text such as CSV: finds delimiter and header, and returns cells as text.

The delimiter is the one of comma, semicolon, tab and bar that cuts the first lines into equally many
cells, more than one. Whether the first line is a header is decided in `_header`, unless it is said.
"""

import csv
import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from consilience._utils._option import option
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import MISSING
from consilience.tables._guard import unguarded
from consilience.tables._header import Finding, find_header
from consilience.tables._source import Source, distinct_names

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_HEAD_LINES = 50
_LONGEST_LINE = 2**26
_BLOCK_BYTES = 2**21
_RAGGED = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", re.S)
_COMPRESSED = b"\x1f\x8b"


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
    first = rows[0]
    comma = delimiter != ","
    finding = find_header(rows, decimal_comma=comma) if header is None else Finding(header)
    found = finding.is_header
    names = [unguarded(name.strip()) for name in first] if found else [""] * len(first)
    if found and len(names) > 1 and not names[0].strip() and "index" not in names:
        names[0] = "index"  # this is how pandas and R write row names
    if found and len(rows) == 1:
        raise InvalidInputError(
            f"{file} holds a header line and nothing else; at least one row is needed."
            + (
                f" If that line is data, say {option('header', value=False)}."
                if header is None
                else ""
            )
        )
    longest = max(len(line) for line in lines)

    def batches() -> Iterator[Any]:
        return _batches(file, delimiter, len(first), skip=int(found), longest=longest)

    kind = f"{_DELIMITERS.get(delimiter, repr(delimiter))}-separated text"
    return Source(
        path=file,
        names=distinct_names(names, file),
        kind=f"{kind} with a header" if found else f"{kind} without a header",
        batches=batches,
        is_text=True,
        decimal_comma=comma,
        notes=_decision(finding, first, file),
    )


def _decision(finding: Finding, first: list[str], file: Path) -> tuple[str, ...]:
    """Say what the first line was taken for, where it could be something else."""
    if finding.reason is None:
        return ()
    shown = _shorten(", ".join(first))
    kind = "names" if finding.is_header else "data"
    otherwise = option("header", value=not finding.is_header)
    sentence = f"{file}: the first line ({shown}) is read as {kind}, because {finding.reason}"
    return (f"{sentence}; say {otherwise} if that is wrong.",)


def _first_lines(file: Path) -> list[str]:
    lines = []
    try:
        with (
            gzip.open(file) if _is_packed(file) else file.open("rb") as stream,
            io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text,
        ):
            reader = (line for line in iter(lambda: text.readline(_LONGEST_LINE), ""))
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
        return stream.read(2) == _COMPRESSED


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
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    names = [f"f{place}" for place in range(width)]
    packed = _is_packed(file)
    try:
        # Arrow reads ahead in threads of its own, which may still run after the caller has stopped: so
        # nothing of Python, no file object and no callback, may be among what they use.
        with (
            pa.input_stream(str(file), compression="gzip" if packed else None) as stream,
            arrow_csv.open_csv(
                stream,
                read_options=arrow_csv.ReadOptions(
                    use_threads=False,  # else errors do not know the line
                    column_names=names,
                    block_size=min(max(_BLOCK_BYTES, 256 * longest), 2**30),
                ),
                parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    null_values=list(MISSING),
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=True,
                ),
            ) as reader,
        ):
            for batch in reader:
                rows = batch.slice(skip)
                skip = max(0, skip - batch.num_rows)
                if rows.num_rows:
                    yield rows
    except (pa.ArrowInvalid, pa.ArrowCapacityError) as error:
        raise _explain(str(error), file) from None
    except OSError as error:
        if not packed:
            raise
        raise InvalidInputError(f"{file} cannot be unpacked by gzip: {error}.") from None


def _explain(words: str, file: Path) -> InvalidInputError:
    ragged = _RAGGED.search(words)
    if ragged is not None:
        line, expected, found, text = ragged.groups()
        return InvalidInputError(
            f"{file}, line {line} has {plural(int(found), 'cell')}; the first line has {expected}, and "
            f"every row needs as many: {_shorten(text)}"
        )
    if "UTF8" in words:
        return _not_utf8(file)
    return InvalidInputError(f"{file} cannot be read as delimited text: {_shorten(words)}")


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else text[:57] + "...")
