"""Ids of several tables about the same objects.

Ids match if they are written alike. Whole numbers may be written as 7, 7.0 or 007: these match too,
unless one table has two ids that would then be the same. Tables without a common object are refused.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError

_WHOLE = re.compile(r"([+-]?)0*(\d+?)(?:\.0*)?", re.ASCII)
# If less than this share of the smaller table is in common, a warning says so.
_FEW_SHARED = 0.5


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
    aligned, n_changed, example = [], 0, None
    for name, array in zip(names, ids, strict=True):
        keys = [str(key) for key in array.tolist()]
        numbers = [_whole_number(key) for key in keys]
        if len(set(numbers)) < len(numbers):
            return as_given, None  # 7 and 007 are two objects here
        result = [spelling.setdefault(n, key) for n, key in zip(numbers, keys, strict=True)]
        changed = [(key, to) for key, to in zip(keys, result, strict=True) if key != to]
        if changed and example is None:
            example = (*changed[0], name)
        n_changed += len(changed)
        aligned.append(np.array(result, dtype=object))
    if example is None:
        return as_given, None
    key, to, name = example
    return aligned, (
        f"{plural(n_changed, 'id')} {'is' if n_changed == 1 else 'are'} matched as whole numbers "
        "although the spelling differs, such as "
        f"{key!r} in {name} and {to!r} in the other table."
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
    objects = _numbered([array for _, array in tables])
    _require_connected(tables, objects)
    n_tables = np.bincount(np.concatenate(objects))  # in how many tables an object is
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


def _numbered(ids: Sequence[Array]) -> list[Array]:
    """Number the objects of all tables, and return the numbers of every table."""
    import pyarrow as pa

    together = pa.array(np.concatenate([array.astype(object) for array in ids]).tolist())
    numbers = together.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    ends = np.cumsum([len(array) for array in ids])
    return np.split(numbers, ends[:-1])


def _require_connected(tables: Sequence[tuple[str, Array]], objects: Sequence[Array]) -> None:
    """Refuse tables of which some share no object with the first, not even through a third one."""
    reached = np.zeros(max(int(rows.max()) for rows in objects) + 1, dtype=bool)
    reached[objects[0]] = True
    waiting = list(range(1, len(tables)))
    while waiting:
        joined = [place for place in waiting if reached[objects[place]].any()]
        if not joined:
            (first, known), (name, ids) = tables[0], tables[waiting[0]]
            raise InvalidInputError(
                f"{first} and {name} have no id in common: ids are {_some(known)} in {first} and "
                f"{_some(ids)} in {name}; name the columns that hold the same ids "
                f"({option('id')}), or join row by row without ids ({option('id', value=False)})."
            )
        for place in joined:
            reached[objects[place]] = True
        waiting = [place for place in waiting if place not in joined]


def _some(ids: Array) -> str:
    return ", ".join(repr(key) for key in ids[:3].tolist()) + (", ..." if len(ids) > 3 else "")
