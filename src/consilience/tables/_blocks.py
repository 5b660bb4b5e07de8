"""The rows of a table, a block at a time, checked."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._id_column import as_text
from consilience.tables._numbers import Marks, Place, as_numbers, missing_cell, require_finite
from consilience.tables._roles import Request, Roles, column_roles, matrix_roles
from consilience.tables._source import Source

_ROWS = 16_384


class Block(NamedTuple):
    """Rows without missing cells.

    rows        positions in the file
    values      finite numbers, dense or CSR
    ids         names of the rows, or None
    labels      the label column, or None
    n_read      rows of the file read so far
    n_left_out  rows of this block that are left out
    """

    rows: Array
    values: Any
    ids: Array | None
    labels: Array | None
    n_read: int
    n_left_out: int


def open_blocks(
    source: Source, request: Request, missing: str, *, whole: bool
) -> tuple[Roles, Iterator[Block]]:
    """Tell columns apart and read rows; `whole` leaves a dense matrix in one piece, uncopied."""
    if source.array is not None:
        return _of_matrix(source, request, missing, whole=whole)
    batches = source.batches()
    first = next(batches, None)
    if first is None:
        raise InvalidInputError(f"{source.path} has no rows; at least one is needed.")
    roles = column_roles(source, request, first)
    return roles, _of_batches(source, roles, chain([first], batches), missing)


def _of_batches(
    source: Source, roles: Roles, batches: Iterator[Any], missing: str
) -> Iterator[Block]:
    places = source.places(roles.used)
    marks = [Marks() for _ in places]
    n_read = 0
    for batch in batches:
        columns = [
            as_numbers(
                batch.column(place),
                Place(source.path, source.names[place], n_read),
                is_text=source.is_text,
                decimal_comma=source.decimal_comma,
                marks=seen,
            )
            for place, seen in zip(places, marks, strict=True)
        ]
        values = np.column_stack(columns)
        require_finite(values, roles.used, n_read, source.path)
        rows = np.arange(n_read, n_read + len(values))
        n_read += len(values)
        complete = ~np.isnan(values).any(axis=1)
        if missing == "error" and not complete.all():
            raise missing_cell(values, roles.used, rows, source.path)
        ids, labels = (
            None if name is None else _texts(source, batch, name)[complete]
            for name in (roles.id_column, roles.label_column)
        )
        n_left_out = int(np.count_nonzero(~complete))
        yield Block(rows[complete], values[complete], ids, labels, n_read, n_left_out)


def _texts(source: Source, batch: Any, name: str) -> Array:
    column = batch.column(source.names.index(name))
    return as_text(column, f"{source.path}: column {name!r}", is_guarded=source.is_text)


def _of_matrix(
    source: Source, request: Request, missing: str, *, whole: bool
) -> tuple[Roles, Iterator[Block]]:
    if source.array.dtype.kind not in "biuf":
        raise InvalidInputError(
            f"{source.path} holds {source.array.dtype}, not numbers; to combine labels: consilience "
            "combine."
        )
    roles, ids, labels = matrix_roles(source, request)

    def blocks() -> Iterator[Block]:
        for rows, values in _slices(source, roles, whole=whole):
            complete = _complete(rows, values, roles, source, missing)
            chosen = rows[complete]
            yield Block(
                rows=chosen,
                values=values if complete.all() else values[complete],
                ids=None if ids is None else ids[chosen],
                labels=None if labels is None else labels[chosen],
                n_read=int(rows[-1]) + 1,
                n_left_out=len(rows) - len(chosen),
            )

    return roles, blocks()


def _slices(source: Source, roles: Roles, *, whole: bool) -> Iterator[tuple[Array, Any]]:
    """Divide a matrix into blocks of rows; sparse matrices stay sparse."""
    is_sparse = hasattr(source.array, "tocsr")
    matrix = source.array.tocsr() if is_sparse else source.array
    keep = source.places(roles.used)
    step = matrix.shape[0] if whole and not is_sparse else _ROWS
    for start in range(0, matrix.shape[0], step):
        values = matrix[start : start + step]
        values = values if len(keep) == matrix.shape[1] else values[:, keep]
        yield np.arange(start, start + values.shape[0]), values


def _complete(rows: Array, values: Any, roles: Roles, source: Source, missing: str) -> Array:
    """Say which rows have no missing cell."""
    stored = values.data if hasattr(values, "tocsr") else values
    if stored.dtype.kind != "f" or np.isfinite(stored).all():
        return np.ones(len(rows), dtype=bool)
    dense = values.toarray() if hasattr(values, "tocsr") else np.asarray(values)
    require_finite(dense, roles.used, int(rows[0]), source.path)
    if missing == "error":
        raise missing_cell(dense, roles.used, rows, source.path)
    return np.asarray(~np.isnan(dense).any(axis=1))
