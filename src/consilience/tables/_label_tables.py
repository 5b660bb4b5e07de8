"""Tables in which every column is a clustering, and one labelling of such a table."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import AmbiguousColumnError, InvalidInputError
from consilience.tables import _cells
from consilience.tables._ids import IdColumn, check_ids, find_id_column, require_columns
from consilience.tables._source import Source, open_source

# What write_labels puts beside labels.
_CONFIDENCE = ("confidence", "consensus_confidence")
_USUAL = ("consensus", "cluster", "clusters", "label", "labels", "class", "truth", "target")


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


@dataclass(frozen=True, eq=False)
class Labels:
    """A labelling and the objects it belongs to.

    labels  (n,) whole numbers, -1 = missing, or text, None = missing
    ids     (n,) names of the objects, or None
    column  where the labels come from
    notes   what was found and decided, in sentences
    """

    labels: Array
    ids: Array | None
    column: str
    notes: tuple[str, ...]


def read_label_table(
    path: str | os.PathLike[str],
    *,
    id: IdColumn = None,  # noqa: A002 - the word users know
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
        names = tuple(source.annotations.column_names)
        source = replace(source, names=names, kind="AnnData, obs", notes=())
    if not source.names:
        raise InvalidInputError(f"{source.path} has no columns in obs, so it has no labels.")
    first, batches = source.batches()
    is_beside = source.ids is not None and id is None
    id_column = None if is_beside else find_id_column(source, id, first)
    require_columns(source, drop, "drop")
    require_columns(source, columns or (), "columns")
    if columns is None:
        columns = source.without((id_column, *drop, *_CONFIDENCE), "labels")
    wanted = [*columns, *([] if id_column is None else [id_column])]
    places = source.places(wanted)
    cells = pa.Table.from_batches([batch.select(places) for batch in batches])
    ids = source.ids if id is not False else None
    if id_column is not None:
        ids = _cells.as_text(cells.column(len(columns)), source, id_column)
    if ids is not None:
        check_ids(ids, np.arange(len(ids)), source, id_column or "ids")
    labels = {name: _as_labels(cells.column(j), source, name) for j, name in enumerate(columns)}
    found = "no ids" if ids is None else f"ids from {id_column or 'ids'!r}"
    size = f"{plural(cells.num_rows, 'row')}, {plural(len(columns), 'column')} of labels"
    note = f"{source.path}: {source.kind}, {size} ({_cells.shown(columns)}), {found}."
    return LabelTable(labels, ids, id_column, cells.num_rows, (note, *source.notes))


def read_labels(
    path: str | os.PathLike[str],
    *,
    column: str | None = None,
    id: IdColumn = None,  # noqa: A002 - the word users know
    header: bool | None = None,
    delimiter: str | None = None,
) -> Labels:
    r"""Read one column of labels, and the ids beside it.

    Parameters
    ----------
    path : path
        The file, in any format of `read_label_table`.
    column : str, optional
        The column; default the only one besides ids and confidence, else the one called consensus,
        cluster, label, class, truth or target.
    id : str, False or None
        The column that names the objects, found as by `read_table`; False: none.
    header, delimiter : optional
        As in `read_table`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     _ = file.write_text("id,cluster,confidence\nx,0,0.9\ny,1,0.8\n")
    ...     labels = read_labels(file)
    >>> labels.labels.tolist(), labels.ids.tolist(), labels.column
    ([0, 1], ['x', 'y'], 'cluster')
    """
    if column is None:
        source = open_source(path, header=header, delimiter=delimiter)
        known = source.names if source.annotations is None else source.annotations.column_names
        column = next((name for name in known if name.lower() in _USUAL), None)
    columns = None if column is None else [column]
    table = read_label_table(path, id=id, columns=columns, header=header, delimiter=delimiter)
    names = [name for name in table.labels if name not in _CONFIDENCE]
    if len(names) != 1:
        raise AmbiguousColumnError(
            f"{path} has {len(names)} columns that could be labels ({', '.join(names[:8])}); name one."
        )
    return Labels(table.labels[names[0]], table.ids, names[0], table.notes)


def _as_labels(column: Any, source: Source, name: str) -> Array:
    """Return whole numbers if all cells are, with -1 for missing; else text, None where missing.

    Fractions and amounts such as $653.61 are refused: every one would be a cluster of its own.
    """
    column = _cells.decoded(column)
    if pa.types.is_floating(column.type):
        floats = column.cast(pa.float64()).to_pylist()
        cells = [None if f is None or not math.isfinite(f) else _as_written(f) for f in floats]
    else:
        cells = _cells.as_text(column, source, name).tolist()
    cells = [None if cell is None or _cells.is_missing(cell) else cell for cell in cells]
    comma = source.decimal_comma
    values = [None if cell is None else _cells.number(cell, decimal_comma=comma) for cell in cells]
    known = [cell for cell in cells if cell is not None]
    are_numbers = len(known) == sum(value is not None for value in values)
    suspects = values
    if not are_numbers:
        suspects = [
            None
            if cell is None or value is not None
            else _cells.written_number(cell, decimal_comma=comma)
            for cell, value in zip(cells, values, strict=True)
        ]
    if are_numbers or 2 * sum(map(_cells.looks_like_number, known)) >= len(known):
        for row, value in enumerate(suspects):
            if value is not None and not value.is_integer():
                where = _cells.cell_at(source.path, row, name)
                raise InvalidInputError(
                    f"{where}: {cells[row]} is a measurement, not a label; leave the column out with "
                    f"{option('drop', [name])}, or cluster measurements with consilience cluster."
                )
    if are_numbers and all(value is None or abs(value) < 2**53 for value in values):
        return np.array([-1 if value is None else int(value) for value in values], dtype=np.int64)
    return np.array(cells, dtype=object)


def _as_written(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
