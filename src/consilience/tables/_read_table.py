"""A table of numbers from a file."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from consilience._utils._memory import require_memory
from consilience._utils._option import option
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.tables._blocks import open_blocks
from consilience.tables._id_column import check_ids, is_id_name
from consilience.tables._roles import Request, Roles
from consilience.tables._sample import RowSample
from consilience.tables._source import Source, open_source
from consilience.tables._transpose import check_feature_names, require_transposable, transposed

NameCheck = Callable[[Array, Array, Source, str], None]


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers, what the columns and rows are called, and what was decided on the way.

    Attributes
    ----------
    values : array (n, d) or sparse matrix
        Finite numbers, float64 unless the file holds float32.
    columns : tuple of str
        Names of the d columns.
    ids : array (n,) of str, or None
        Names of the n rows; None if the file has none.
    id_column : str or None
        Where they come from.
    labels : array (n,) of str, or None
        The label column, if one was requested; None where a label is missing.
    rows : array (n,)
        Positions of the rows in the file, from 0, the header not counted; of the columns of numbers if
        the file is transposed.
    n_rows : int
        Rows in the file, or its columns of numbers if it is transposed.
    notes : tuple of str
        What was found and decided, in sentences.
    """

    values: Any
    columns: tuple[str, ...]
    ids: Array | None
    id_column: str | None
    labels: Array | None
    rows: Array
    n_rows: int
    notes: tuple[str, ...]


def read_table(  # noqa: PLR0913 - every argument is a question that a file leaves open
    path: str | os.PathLike[str],
    *,
    id: str | Literal[False] | None = None,  # noqa: A002 - the word users know
    drop: Sequence[str] = (),
    label_column: str | None = None,
    missing: Literal["error", "drop"] = "error",
    header: bool | None = None,
    delimiter: str | None = None,
    representation: str | None = None,
    transpose: bool = False,
    max_samples: int | None = None,
    random_state: RandomState = None,
) -> Table:
    r"""Read numbers from CSV or TSV (also .gz), Parquet, NPY, NPZ or H5AD.

    Parameters
    ----------
    path : path
        The file; its suffix says what it is, and unknown ones are read as delimited text.
    id : str, False or None
        The column that names the rows. None: the first that is called id, index or row or ends in _id
        or Id, else the first column if it is text and no value occurs twice. False: none.
    drop : sequence of str
        Columns to leave out.
    label_column : str, optional
        A column with known classes, kept apart; for H5AD a column of obs.
    missing : {"error", "drop"}
        What to do about rows with a missing cell: refuse, or leave them out.
    header : bool, optional
        Whether the first line of a text file holds names. None: decided by comparing it with the lines
        below; `notes` say why where that is in doubt.
    delimiter : str, optional
        What separates cells in a text file. None: the one of comma, semicolon, tab and bar that cuts
        the first lines alike.
    representation : str, optional
        For H5AD, what to read: "X", the default, or a key of obsm such as "X_pca".
    transpose : bool
        Whether rows are features and columns are objects, as in tables of genes x samples. The names of
        the columns become the ids, `id` is the column with the names of the features, `drop` leaves out
        objects, and `missing="drop"` leaves out features.
    max_samples : int, optional
        Keep a random sample of so many rows; the file may then be larger than memory. With `transpose`,
        of so many objects; the file must then fit into memory.
    random_state : int, generator or None
        Decides the sample.

    Returns
    -------
    Table
        The numbers, and what was decided.

    Notes
    -----
    Text files and Parquet are read in batches, .npy files are mapped into memory: besides the numbers
    themselves, and with `max_samples` besides the sample, only one batch is held. Cells that are empty
    or NA, NaN, null, None, ? are missing. Cells of text are refused, with file, row and column. A comma
    is a decimal point where another character separates cells. True and false are 1 and 0; currencies
    and separators of thousands are read where they can mean one thing only ($653.61, 65,361.86), and
    refused elsewhere (1,234).

    The first line is a header if its first cell is empty or a usual name of an id column, or if none of
    its cells is a number, unless all is text and a cell occurs again in its column. A line with numbers
    is a header if most of its cells are of another kind than those below, or if its numbers are years,
    or whole numbers that rise by one, and those below are not.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "plants.csv")
    ...     _ = file.write_text("plant_id;height;width\na;1,5;2\nb;0,5;4\n")
    ...     table = read_table(file)
    >>> table.values.tolist(), table.columns, table.ids.tolist()
    ([[1.5, 2.0], [0.5, 4.0]], ('height', 'width'), ['a', 'b'])
    """
    if missing not in ("error", "drop"):
        raise InvalidParameterError(f"missing must be 'error' or 'drop'; got {missing!r}.")
    if max_samples is not None and max_samples < 1:
        raise InvalidParameterError(f"max_samples must be at least 1; got {max_samples!r}.")
    source = open_source(path, header=header, delimiter=delimiter, representation=representation)
    if transpose:
        require_transposable(source, label_column)
    rng = np.random.default_rng(seed_sequence(random_state))
    sample = RowSample(None if transpose else max_samples, rng)
    request = Request(id, tuple(drop), label_column)
    roles, blocks = open_blocks(source, request, missing, whole=sample.max_samples is None)
    n_rows = n_left_out = 0
    for block in blocks:
        n_rows, n_left_out = block.n_read, n_left_out + block.n_left_out
        sample.add(block.rows, block.values, block.ids, block.labels)
        if source.array is None:
            require_memory(
                2 * sample.n_bytes,
                f"{source.path}, of which {n_rows} rows are read,",
                "Convert it to .npy, which is mapped rather than read, or keep a sample "
                f"({option('max_samples')}).",
            )
    check = check_feature_names if transpose else check_ids
    table = _table(source, roles, sample, (n_rows, n_left_out), check)
    return transposed(table, source, roles, max_samples, rng) if transpose else table


def _table(
    source: Source, roles: Roles, sample: RowSample, counts: tuple[int, int], check: NameCheck
) -> Table:
    n_rows, n_left_out = counts
    if not sample.n_rows:
        raise InvalidInputError(
            f"{source.path}: every one of the {n_rows} rows has a missing cell, so none is left; leave "
            f"out the columns that are seldom known with {option('drop')}."
        )
    rows, values, ids, labels = sample.result()
    if ids is not None and roles.id_column is not None:
        check(ids, rows, source, roles.id_column)
    if not hasattr(values, "tocsr") and values.dtype not in (np.float64, np.float32):
        values = values.astype(np.float64)
    return Table(
        values=values,
        columns=roles.used,
        ids=ids,
        id_column=roles.id_column,
        labels=labels,
        rows=rows,
        n_rows=n_rows,
        notes=_notes(source, roles, n_rows, n_left_out, len(rows)),
    )


def _notes(
    source: Source, roles: Roles, n_rows: int, n_left_out: int, n_kept: int
) -> tuple[str, ...]:
    shown = ", ".join(roles.used[:6]) + (", ..." if len(roles.used) > 6 else "")
    ids = "no ids" if roles.id_column is None else f"ids from {roles.id_column!r}"
    label = "" if roles.label_column is None else f", labels from {roles.label_column!r}"
    numbers = f"{plural(len(roles.used), 'column')} of numbers ({shown})"
    notes = [f"{source.path}: {source.kind}, {plural(n_rows, 'row')}, {numbers}, {ids}{label}."]
    notes += source.notes
    if n_left_out:
        left_out = f"{plural(n_left_out, 'row')} with missing cells"
        notes.append(f"{source.path}: {left_out} {'is' if n_left_out == 1 else 'are'} left out.")
    if n_kept < n_rows - n_left_out:
        notes.append(f"{source.path}: a random sample of {plural(n_kept, 'row')} is used.")
    notes += [
        f"{source.path}: column {name!r} looks like ids but is used as numbers; {option('drop')} leaves "
        "it out."
        for name in roles.used
        if is_id_name(name)
    ]
    return tuple(notes)
