"""Ids: which column names the objects, and which ids of several tables name the same object.

The id column is the one that is asked for; else the one in which pandas stored an index without repeats;
else the first column that is called id, index or row, or ends in _id or Id, or is first in a header and
has no name; else the first column if it is text and no value occurs twice. Text means that not even half
of the cells are meant as numbers (65,361.86, $5 and true among them), so that a wrong cell in a column
of numbers is reported as an error.

Ids of several tables match if they are written alike. Whole numbers may be written as 7, 7.0 or 007:
these match too, unless one table has two ids that would then be the same. Tables without a common object
are refused.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import cell_at, decoded, is_text, mostly_numbers, shown
from consilience.tables._source import Source

IdColumn = str | Literal[False] | None
_NAMES = ("id", "ids", "index", "row", "rowname", "obs_id")
_ENDING = re.compile(r"([_\s.-]id|[a-z]I[dD])$")
_WHOLE = re.compile(r"([+-]?)0*(\d+?)(?:\.0*)?", re.ASCII)
# If less than this share of the smaller table is in common, a warning says so.
_FEW_SHARED = 0.5


def is_id_name(name: str) -> bool:
    """Say whether a column of this name usually holds ids."""
    name = name.strip()
    return name.lower() in _NAMES or _ENDING.search(name) is not None


def find_id_column(source: Source, wanted: IdColumn, first_batch: Any) -> str | None:
    """Return the name of the id column; None if there is none, or none is wanted."""
    if wanted is False:
        return None
    if wanted is not None:
        require_columns(source, [wanted], "id")
        return wanted
    if source.index is not None:
        column = first_batch.column(source.names.index(source.index))
        return source.index if _is_distinct(column) else None
    for name in source.names:
        if is_id_name(name):
            return name
    column = decoded(first_batch.column(0))
    is_number = source.is_text and mostly_numbers(column)
    if len(source.names) > 1 and is_text(column) and not is_number and _is_distinct(column):
        return source.names[0]
    return None


def _is_distinct(column: Any) -> bool:
    """Say whether a value is in every row, and none twice, as far as can be seen."""
    try:
        n_distinct = int(pc.count_distinct(decoded(column)).as_py())
    except pa.ArrowNotImplementedError:  # lists and the like are no ids
        return False
    return not column.null_count and n_distinct == len(column) > 0


def require_columns(source: Source, wanted: Sequence[str], parameter: str) -> None:
    """Say which column a file does not have, which a parameter names."""
    for name in wanted:
        if name not in source.names:
            raise InvalidInputError(
                f"{source.path} has no column {name!r} ({option(parameter)}); its columns are "
                f"{shown(source.names, 12)}."
            )


def check_ids(
    ids: Array, rows: Array, source: Source, column: str, *, are_features: bool = False
) -> None:
    """Refuse ids that are missing or repeated; features may repeat, as a gene with two probes."""
    way_out = f"name another column with {option('id')}, or say {option('id', value=False)}"
    first: dict[Any, int] = {}
    for row, key in zip(rows.tolist(), ids.tolist(), strict=True):
        if key is None:
            what = "name of the feature" if are_features else "id"
            where = cell_at(source.path, row, column)
            raise InvalidInputError(f"{where}: the {what} is missing; {way_out}.")
        if first.setdefault(key, row) != row and not are_features:
            raise InvalidInputError(
                f"{cell_at(source.path, row, column)}: the id {key!r} is also that of data row "
                f"{first[key] + 1}; ids must be distinct: {way_out}."
            )


# --- ids of several tables -----------------------------------------------------------------------


class AlignedIds(NamedTuple):
    """Ids that are equal exactly where they name the same object.

    ids      one array per table
    matched  what was matched although it is written differently, as a sentence, or None
    overlap  that few objects are shared, as a sentence, or None
    """

    ids: list[Array]
    matched: str | None
    overlap: str | None


def align_ids(names: Sequence[str], ids: Sequence[Array]) -> AlignedIds:
    """Write the ids of all tables alike, and compare which objects they have in common.

    Parameters
    ----------
    names : sequence of str
        What the tables are called, for messages.
    ids : sequence of arrays
        Distinct ids of every table, text or whole numbers.

    Raises
    ------
    InvalidInputError
        If some tables have no object in common with the others.
    """
    if len({array.dtype.kind in "iu" for array in ids if len(array)}) > 1:
        ids = [np.array([str(key) for key in array.tolist()], dtype=object) for array in ids]
    aligned, matched = _written_alike(names, ids)
    return AlignedIds(aligned, matched, _overlap(names, aligned))


class Side(NamedTuple):
    """One of two files about the same objects: its name, its ids or None, and its number of rows."""

    path: str
    ids: Array | None
    n_rows: int


def match_rows(first: Side, second: Side) -> tuple[Array, Array, list[str]]:
    """Return the rows of both that belong together, and what to say about the others.

    By id if both have ids, else row by row.
    """
    if first.ids is None or second.ids is None:
        if first.n_rows != second.n_rows:
            raise InvalidInputError(
                f"{first.path} has {plural(first.n_rows, 'row')} and {second.path} has "
                f"{second.n_rows}; without ids in both they cannot be matched. Name the id column with "
                f"{option('id')}."
            )
        rows = np.arange(first.n_rows)
        return rows, rows, ["Matched row by row, since not both files have ids."]
    ids = [np.asarray(first.ids), np.asarray(second.ids)]
    aligned = align_ids((first.path, second.path), ids)
    place = {key: row for row, key in enumerate(aligned.ids[1].tolist())}
    there = np.array([place.get(key, -1) for key in aligned.ids[0].tolist()])
    here = np.flatnonzero(there >= 0)
    notes = [] if aligned.matched is None else [aligned.matched]
    if len(here) < max(first.n_rows, second.n_rows):
        verb = "is" if len(here) == 1 else "are"
        notes.append(
            f"{plural(len(here), 'object')} {verb} in both; {first.n_rows - len(here)} only in "
            f"{first.path}, {second.n_rows - len(here)} only in {second.path}."
        )
    return here, there[here], notes


def _written_alike(names: Sequence[str], ids: Sequence[Array]) -> tuple[list[Array], str | None]:
    """Give every number the spelling that it has in the first table that lists it."""
    as_given = list(ids)
    if all(array.dtype.kind in "iu" for array in ids):
        return as_given, None
    spelling: dict[str, str] = {}
    aligned, changed = [], []
    for name, array in zip(names, ids, strict=True):
        keys = [str(key) for key in array.tolist()]
        numbers = [_whole_number(key) for key in keys]
        if len(set(numbers)) < len(numbers):
            return as_given, None  # 7 and 007 are two objects here
        result = [spelling.setdefault(n, key) for n, key in zip(numbers, keys, strict=True)]
        changed += [(key, to, name) for key, to in zip(keys, result, strict=True) if key != to]
        aligned.append(np.array(result, dtype=object))
    if not changed:
        return as_given, None
    key, to, name = changed[0]
    return aligned, (
        f"{plural(len(changed), 'id')} {'is' if len(changed) == 1 else 'are'} matched as whole numbers "
        f"although the spelling differs, such as {key!r} in {name} and {to!r} in the other table."
    )


def _whole_number(key: str) -> str:
    """Return 7 for 7, 7.0, +7 and 007; other text as it is, marked so that it equals no number."""
    found = _WHOLE.fullmatch(key)
    if found is None:
        return "text " + key
    sign, digits = found.groups()
    return ("-" if sign == "-" and digits != "0" else "") + digits


def _overlap(names: Sequence[str], ids: Sequence[Array]) -> str | None:
    """Refuse tables that cannot be joined; return a sentence if hardly anything is shared."""
    tables = [(name, array) for name, array in zip(names, ids, strict=True) if len(array)]
    if len(tables) < 2:
        return None
    together = pa.array([key for _, array in tables for key in array.tolist()])
    numbers = together.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    objects = np.split(numbers, np.cumsum([len(array) for _, array in tables])[:-1])
    _require_connected(tables, objects)
    n_tables = np.bincount(numbers)  # in how many tables an object is
    worst: tuple[float, int, int, int] = (1.0, 0, 0, 0)
    for place, rows in enumerate(objects):
        shared = int(np.count_nonzero(n_tables[rows] > 1))
        n_others = len(n_tables) - (len(rows) - shared)
        smaller = min(len(rows), n_others)
        worst = min(worst, (shared / smaller, place, shared, smaller))
    share, place, shared, smaller = worst
    if share >= _FEW_SHARED:
        return None
    others = tables[1 - place][0] if len(tables) == 2 else "the others"
    return (
        f"Only {shared} of {smaller} objects ({share:.0%} of the smaller side) are both in "
        f"{tables[place][0]} and in {others}; check that the ids name the same objects."
    )


def _require_connected(tables: Sequence[tuple[str, Array]], objects: Sequence[Array]) -> None:
    """Refuse tables of which some share no object with the first, not even through a third one."""
    reached = np.zeros(max(int(rows.max()) for rows in objects) + 1, dtype=bool)
    reached[objects[0]] = True
    waiting = list(range(1, len(tables)))
    while waiting:
        joined = [place for place in waiting if reached[objects[place]].any()]
        if not joined:
            (first, known), (name, ids) = tables[0], tables[waiting[0]]
            here, there = (
                shown([repr(key) for key in keys[:4].tolist()], 3) for keys in (known, ids)
            )
            raise InvalidInputError(
                f"{first} and {name} have no id in common: ids are {here} in {first} and {there} in "
                f"{name}; name the columns that hold the same ids ({option('id')}), or join row by row "
                f"without ids ({option('id', value=False)})."
            )
        for place in joined:
            reached[objects[place]] = True
        waiting = [place for place in waiting if place not in joined]
