"""A table in which every column is a clustering."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import is_missing, looks_like_number, number, written_number
from consilience.tables._id_column import as_text, check_ids, find_id_column, require_columns
from consilience.tables._numbers import Place
from consilience.tables._source import Source, open_source

# What write_labels puts beside labels.
CONFIDENCE = ("confidence", "consensus_confidence")


@dataclass(frozen=True, eq=False)
class LabelTable:
    """Labels by column, and the objects they belong to.

    Attributes
    ----------
    labels : dict of str -> array (n,)
        Whole numbers, or text with None where a label is missing.
    ids : array (n,) of str, or None
        Names of the objects.
    id_column : str or None
        Where they come from.
    n_rows : int
        Objects.
    notes : tuple of str
        What was found and decided, in sentences.
    """

    labels: dict[str, Array]
    ids: Array | None
    id_column: str | None
    n_rows: int
    notes: tuple[str, ...]

    def to_arrow(self, id_column: str | None = None) -> Any:
        """Return an Arrow table, ids included if they get a name."""
        import pyarrow as pa

        columns = {} if id_column is None else {id_column: pa.array(self.ids)}
        return pa.table({**columns, **{name: pa.array(v) for name, v in self.labels.items()}})


def read_label_table(
    path: str | os.PathLike[str],
    *,
    id: str | Literal[False] | None = None,  # noqa: A002 - the word users know
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    header: bool | None = None,
    delimiter: str | None = None,
) -> LabelTable:
    r"""Read clusterings from CSV or TSV (also .gz), Parquet, NPY, NPZ, or the obs of an H5AD file.

    Parameters
    ----------
    path : path
        The file.
    id : str, False or None
        The column that names the objects, found as by `read_table`; False: none.
    columns : sequence of str, optional
        Columns to read; default all but the id column.
    drop : sequence of str
        Columns to leave out; "confidence" is left out by itself.
    header, delimiter : optional
        As in `read_table`.

    Returns
    -------
    LabelTable
        Labels by column.

    Notes
    -----
    A column is whole numbers if all its cells are, else text; empty cells are missing labels, and so is
    -1 among whole numbers when an ensemble is made of them. Columns of fractions are refused:
    they are measurements, not labels.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_label_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "segments.csv")
    ...     _ = file.write_text("id,north,south\nx,0,red\ny,1,\n")
    ...     table = read_label_table(file)
    >>> {name: column.tolist() for name, column in table.labels.items()}
    {'north': [0, 1], 'south': ['red', None]}
    """
    source = open_source(path, header=header, delimiter=delimiter)
    if source.annotations is not None:
        source = _annotations_only(source)
    batches = source.batches()
    first = next(batches, None)
    if first is None:
        raise InvalidInputError(f"{source.path} has no rows; at least one is needed.")
    id_column = None if source.ids is not None and id is None else find_id_column(source, id, first)
    used = _used_columns(source, id_column, columns, drop)
    places = source.places(used)
    ids: list[Array] = []
    cells: dict[str, list[Array]] = {name: [] for name in used}
    n_rows = 0
    for batch in chain([first], batches):
        for name, place in zip(used, places, strict=True):
            column = batch.column(place)
            cells[name].append(_cells(column, Place(source.path, name, n_rows), source))
        if id_column is not None:
            column = batch.column(source.names.index(id_column))
            where = f"{source.path}: column {id_column!r}"
            ids.append(as_text(column, where, is_guarded=source.is_text))
        n_rows += batch.num_rows
    names = source.ids if id is not False else None
    if ids:
        names = np.concatenate(ids)
    if names is not None:
        check_ids(names, np.arange(n_rows), source, id_column or "ids")
    labels = {
        name: _as_labels(
            np.concatenate(parts),
            Place(source.path, name, 0),
            decimal_comma=source.is_text and source.decimal_comma,
        )
        for name, parts in cells.items()
    }
    found = "no ids" if names is None else f"ids from {id_column or 'ids'!r}"
    shown = ", ".join(used[:6]) + (", ..." if len(used) > 6 else "")
    size = f"{plural(n_rows, 'row')}, {plural(len(used), 'column')} of labels"
    note = f"{source.path}: {source.kind}, {size} ({shown})"
    return LabelTable(labels, names, id_column, n_rows, (f"{note}, {found}.", *source.notes))


def _annotations_only(source: Source) -> Source:
    names = tuple(source.annotations.column_names)
    if not names:
        raise InvalidInputError(f"{source.path} has no columns in obs, so it has no labels.")
    return Source(source.path, names, "AnnData, obs", source.batches, ids=source.ids)


def _used_columns(
    source: Source, id_column: str | None, columns: Sequence[str] | None, drop: Sequence[str]
) -> list[str]:
    require_columns(source, drop, "drop")
    if columns is not None:
        require_columns(source, columns, "columns")
        return list(columns)
    apart = {id_column, *drop, *CONFIDENCE}
    used = [name for name in source.names if name not in apart]
    if not used:
        raise InvalidInputError(
            f"{source.path} has no column of labels; its columns are {', '.join(source.names[:12])}."
        )
    return used


def _cells(column: Any, place: Place, source: Source) -> Array:
    """Return text, None where missing; whole numbers as they would be written."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_floating(kind):
        values = column.to_numpy(zero_copy_only=False).astype(np.float64)
        fraction = np.isfinite(values) & (values != np.floor(values))
        if fraction.any():
            row = int(np.argmax(fraction))
            raise _measurement(place.at(row), f"{values[row]:g}", place.column)
        return np.array(
            [str(int(v)) if np.isfinite(v) else None for v in values.tolist()], dtype=object
        )
    where = f"{place.path}: column {place.column!r}"
    return as_text(column, where, is_guarded=source.is_text)


def _as_labels(cells: Array, place: Place, *, decimal_comma: bool) -> Array:
    """Return whole numbers if all cells are, with -1 for missing; else text."""
    values = [None if cell is None or is_missing(cell) else cell for cell in cells.tolist()]
    numbers = [
        None if cell is None else number(cell, decimal_comma=decimal_comma) for cell in values
    ]
    if all((cell is None) == (value is None) for cell, value in zip(values, numbers, strict=True)):
        for row, value in enumerate(numbers):
            if value is not None and not value.is_integer():
                raise _measurement(place.at(row), str(values[row]), place.column)
        if all(value is None or abs(value) < 2**53 for value in numbers):
            return np.array(
                [-1 if value is None else int(value) for value in numbers], dtype=np.int64
            )
    _refuse_amounts(values, place, decimal_comma=decimal_comma)
    return np.array(values, dtype=object)


def _refuse_amounts(values: list[str | None], place: Place, *, decimal_comma: bool) -> None:
    """Refuse columns such as $653.61 and 65,361.86: every amount would be a cluster of its own."""
    known = [cell for cell in values if cell is not None]
    if 2 * sum(map(looks_like_number, known)) < len(known):
        return
    for row, cell in enumerate(values):
        if cell is None or number(cell, decimal_comma=decimal_comma) is not None:
            continue
        value = written_number(cell, decimal_comma=decimal_comma)
        if value is not None and not value.is_integer():
            raise _measurement(place.at(row), cell, place.column)


def _measurement(where: str, cell: str, name: str) -> InvalidInputError:
    return InvalidInputError(
        f"{where}: {cell} is a measurement, not a label; leave the column out with "
        f"{option('drop', [name])}, or cluster measurements with consilience cluster."
    )
