"""Tables with a row for every base cluster of a member: centres, feature weights, ..."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError

Tables = Mapping[str, tuple[Array | None, ...]]


def checked_tables(given: Mapping[str, Any], n_clusters: Array) -> Tables:
    """Copy tables that have one array per member, with a row for every base cluster of it."""
    return {name: _checked_table(name, table, n_clusters) for name, table in given.items()}


def select_members(tables: Tables, members: Array) -> Tables:
    """Keep the arrays of some members."""
    return {name: tuple(table[j] for j in members) for name, table in tables.items()}


def take_clusters(tables: Tables, kept: Sequence[Array]) -> Tables:
    """Keep, for every member, the rows of some base clusters, in the order given."""
    return {
        name: tuple(
            None if rows is None else rows[clusters]
            for rows, clusters in zip(table, kept, strict=True)
        )
        for name, table in tables.items()
    }


def join_members(first: Tables, second: Tables) -> Tables:
    """Append the arrays of more members; a table that only one side has is dropped."""
    return {name: (*table, *second[name]) for name, table in first.items() if name in second}


def to_text(tables: Tables) -> dict[str, list[str | None]]:
    """Convert every array to base64 text of an .npy file, for the metadata of a Parquet file."""
    return {
        name: [None if rows is None else _encoded(rows) for rows in table]
        for name, table in tables.items()
    }


def from_text(text: Mapping[str, Sequence[str | None]], n_clusters: Array) -> Tables:
    """Read what `to_text` wrote."""
    arrays = {
        name: [None if rows is None else _decoded(rows) for rows in table]
        for name, table in text.items()
    }
    return checked_tables(arrays, n_clusters)


def _encoded(rows: Array) -> str:
    buffer = io.BytesIO()
    np.save(buffer, rows, allow_pickle=False)
    return base64.b64encode(buffer.getvalue()).decode()


def _decoded(text: str) -> Array:
    rows: Array = np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False)
    return rows


def _checked_table(name: str, table: Any, n_clusters: Array) -> tuple[Array | None, ...]:
    if isinstance(table, str | bytes) or not isinstance(table, Sequence | np.ndarray):
        raise InvalidInputError(
            f"The cluster table {name!r} must be a list with one array (or None) per member; got "
            f"{type(table).__name__}."
        )
    if len(table) != len(n_clusters):
        raise InvalidInputError(
            f"The cluster table {name!r} must have one array (or None) for each of the "
            f"{len(n_clusters)} members; got {len(table)}."
        )
    return tuple(
        None if rows is None else _checked_rows(name, j, rows, int(n_clusters[j]))
        for j, rows in enumerate(table)
    )


def _checked_rows(name: str, j: int, rows: Any, n_rows: int) -> Array:
    where = f"The cluster table {name!r} of member {j}"
    try:
        array = np.array(rows)
    except ValueError as error:
        raise InvalidInputError(f"{where} must be an array; got a ragged list ({error}).") from None
    if array.dtype.kind not in "biuf":
        raise InvalidInputError(f"{where} must hold numbers; got an array of type {array.dtype}.")
    if array.ndim == 0 or len(array) != n_rows:
        raise InvalidInputError(
            f"{where} must have a row for each of its {n_rows} clusters; got shape {array.shape}."
        )
    array.setflags(write=False)
    return array
