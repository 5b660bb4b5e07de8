"""A table of numbers from a file, as a whole or a block of rows at a time."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from consilience._utils._memory import require_memory
from consilience._utils._option import option
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.tables._cells import as_numbers, as_text, cell_at, shown
from consilience.tables._ids import (
    IdColumn,
    check_ids,
    find_id_column,
    is_id_name,
    require_columns,
)
from consilience.tables._source import Source, open_source

Missing = Literal["error", "drop"]
_ROWS = 16_384


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


class Block(NamedTuple):
    """Rows without missing cells.

    rows    positions in the file
    values  finite numbers, dense or CSR
    ids     names of the rows, or None
    labels  the label column, or None
    n_read  rows of the file read so far
    """

    rows: Array
    values: Any
    ids: Array | None
    labels: Array | None
    n_read: int


class _Columns(NamedTuple):
    """What the columns of a table are for; `numbers` are those of numbers."""

    ids: str | None
    labels: str | None
    numbers: tuple[str, ...]


def read_table(  # noqa: PLR0913 - every argument is a question that a file leaves open
    path: str | os.PathLike[str],
    *,
    id: IdColumn = None,  # noqa: A002 - the word users know
    drop: Sequence[str] = (),
    label_column: str | None = None,
    missing: Missing = "error",
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
    if max_samples is not None and max_samples < 1:
        raise InvalidParameterError(f"max_samples must be at least 1; got {max_samples!r}.")
    source = open_source(path, header=header, delimiter=delimiter, representation=representation)
    if transpose:
        _require_transposable(source, label_column)
    rng = np.random.default_rng(seed_sequence(random_state))
    most = None if transpose else max_samples
    columns, blocks = _open_blocks(source, id, drop, label_column, missing, whole=most is None)
    n_rows, n_known, (rows, values, ids, labels) = _collected(source, blocks, most, rng)
    if ids is not None and columns.ids is not None:
        check_ids(ids, rows, source, columns.ids, are_features=transpose)
    if not hasattr(values, "tocsr") and values.dtype not in (np.float64, np.float32):
        values = values.astype(np.float64)
    n_left_out = n_rows - n_known
    if transpose:
        features = tuple(f"row_{row + 1}" for row in rows) if ids is None else tuple(map(str, ids))
        n_rows = n_known = len(columns.numbers)
        named = "no names" if columns.ids is None else f"names from {columns.ids!r}"
        content = (
            f"{plural(len(features), 'row')} of features ({shown(features)}; {named}), {n_rows} "
            f"{'column is the object' if n_rows == 1 else 'columns are the objects'}"
        )
        rows = np.arange(n_rows)
        if max_samples is not None and max_samples < n_rows:
            rows = np.sort(rng.choice(n_rows, max_samples, replace=False))
        values, ids = _turned(values, rows, source), np.array(columns.numbers, dtype=object)[rows]
        columns = _Columns(None, None, features)
    else:
        named = "no ids" if columns.ids is None else f"ids from {columns.ids!r}"
        labelled = "" if label_column is None else f", labels from {label_column!r}"
        numbers = f"{plural(len(columns.numbers), 'column')} of numbers ({shown(columns.numbers)})"
        content = f"{plural(n_rows, 'row')}, {numbers}, {named}{labelled}"
    notes = [f"{path}: {source.kind}, {content}.", *source.notes]
    if n_left_out:
        left_out = f"{plural(n_left_out, 'feature' if transpose else 'row')} with missing cells"
        notes.append(f"{path}: {left_out} {'is' if n_left_out == 1 else 'are'} left out.")
    if len(rows) < n_known:
        sample = plural(len(rows), "object" if transpose else "row")
        notes.append(f"{path}: a random sample of {sample} is used.")
    notes += [
        f"{path}: column {name!r} looks like ids but is used as numbers; {option('drop')} leaves it out."
        for name in columns.numbers
        if is_id_name(name) and not transpose
    ]
    return Table(values, columns.numbers, ids, columns.ids, labels, rows, n_rows, tuple(notes))


def read_blocks(
    path: str | os.PathLike[str],
    *,
    id: IdColumn = None,  # noqa: A002 - the word users know
    drop: Sequence[str] = (),
    label_column: str | None = None,
    missing: Missing = "error",
    header: bool | None = None,
    delimiter: str | None = None,
    representation: str | None = None,
) -> Iterator[Block]:
    r"""Read numbers a block of rows at a time.

    Parameters
    ----------
    path : path
        The file.
    id, drop, label_column, missing, header, delimiter, representation : optional
        As in `read_table`.

    Yields
    ------
    Block
        With `rows` (positions in the file), `values`, `ids` and `labels`.

    Notes
    -----
    Ids are not compared across blocks.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_blocks
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "data.csv")
    ...     _ = file.write_text("x,y\n1,2\n3,4\n")
    ...     [block.values.sum() for block in read_blocks(file)]
    [np.float64(10.0)]
    """
    source = open_source(path, header=header, delimiter=delimiter, representation=representation)
    return _open_blocks(source, id, drop, label_column, missing, whole=False)[1]


# --- blocks --------------------------------------------------------------------------------------


def _open_blocks(
    source: Source,
    id_column: IdColumn,
    drop: Sequence[str],
    label_column: str | None,
    missing: Missing,
    *,
    whole: bool,
) -> tuple[_Columns, Iterator[Block]]:
    """Tell columns apart and read rows; `whole` leaves a dense matrix in one piece, uncopied."""
    if missing not in ("error", "drop"):
        raise InvalidParameterError(f"missing must be 'error' or 'drop'; got {missing!r}.")
    require_columns(source, drop, "drop")
    if source.array is not None:
        if source.array.dtype.kind not in "biuf":
            raise InvalidInputError(
                f"{source.path} holds {source.array.dtype}, not numbers; to combine labels: consilience "
                "combine."
            )
        ids = None if id_column is False else source.ids
        if isinstance(id_column, str):
            ids = _beside(source, id_column, "id")
        labels = None if label_column is None else _beside(source, label_column, "label_column")
        named = None if ids is None else id_column or "ids"
        columns = _Columns(named, label_column, source.without(drop, "numbers"))
        pieces = _of_matrix(source, columns, ids, labels, whole=whole)
    else:
        first, batches = source.batches()
        require_columns(source, [] if label_column is None else [label_column], "label_column")
        found = find_id_column(source, id_column, first)
        named = None if found in (*drop, label_column) else found
        numbers = source.without((found, label_column, *drop), "numbers")
        columns = _Columns(named, label_column, numbers)
        pieces = _of_batches(source, columns, batches)
    return columns, _complete(source, columns.numbers, pieces, missing)


def _of_batches(source: Source, columns: _Columns, batches: Iterator[Any]) -> Iterator[Any]:
    places = source.places(columns.numbers)
    marks: list[set[str]] = [set() for _ in places]
    start = 0
    for batch in batches:
        cells = zip(places, columns.numbers, marks, strict=True)
        values = [as_numbers(batch.column(j), source, n, start, seen) for j, n, seen in cells]
        texts = [
            None if name is None else as_text(batch.column(source.names.index(name)), source, name)
            for name in columns[:2]
        ]
        yield start, np.column_stack(values), *texts
        start += batch.num_rows


def _of_matrix(
    source: Source, columns: _Columns, ids: Array | None, labels: Array | None, *, whole: bool
) -> Iterator[Any]:
    """Cut a matrix, whose ids and labels are beside it; sparse matrices stay sparse."""
    is_sparse = hasattr(source.array, "tocsr")
    matrix = source.array.tocsr() if is_sparse else source.array
    keep = source.places(columns.numbers)
    step = matrix.shape[0] if whole and not is_sparse else _ROWS
    for start in range(0, matrix.shape[0], step):
        values = matrix[start : start + step]
        rows = slice(start, start + values.shape[0])
        values = values if len(keep) == matrix.shape[1] else values[:, keep]
        yield start, values, *(None if part is None else part[rows] for part in (ids, labels))


def _beside(source: Source, name: str, parameter: str) -> Array:
    known = [] if source.annotations is None else source.annotations.column_names
    if name not in known:
        there = f"those are {', '.join(known)}" if known else "it has none"
        raise InvalidInputError(
            f"{source.path} has no column {name!r} beside the numbers ({option(parameter)}); {there}."
        )
    return as_text(source.annotations[name], source, name)


def _complete(
    source: Source, names: tuple[str, ...], pieces: Iterator[Any], missing: Missing
) -> Iterator[Block]:
    """Leave rows with missing cells out, or refuse them; refuse infinite numbers."""
    for start, values, ids, labels in pieces:
        stop = start + values.shape[0]
        block = Block(np.arange(start, stop), values, ids, labels, stop)
        stored = values.data if hasattr(values, "tocsr") else values
        if stored.dtype.kind == "f" and not np.isfinite(stored).all():
            dense = values.toarray() if hasattr(values, "tocsr") else np.asarray(values)
            unknown = np.isnan(dense)
            bad = np.argwhere(np.isinf(dense) if np.isinf(dense).any() else unknown)
            where = cell_at(source.path, start + int(bad[0, 0]), names[bad[0, 1]])
            if np.isinf(dense).any():
                raise InvalidInputError(
                    f"{where}: the value is infinite; a finite number is needed."
                )
            known = ~unknown.any(axis=1)
            if missing == "error":
                n_rows = int(np.count_nonzero(~known))
                more = f" (it is one of {n_rows} such rows read so far)" if n_rows > 1 else ""
                raise InvalidInputError(
                    f"{where}: the value is missing{more}; fill it in, leave the column out with "
                    f"{option('drop')}, or leave such rows out with {option('missing', 'drop')}."
                )
            parts = [None if part is None else part[known] for part in block[:4]]
            block = Block._make((*parts, stop))
        yield block


# --- all rows, or a sample -----------------------------------------------------------------------


def _collected(
    source: Source, blocks: Iterator[Block], most: int | None, rng: np.random.Generator
) -> tuple[int, int, tuple[Any, ...]]:
    """Count the rows read and the complete ones, and put these together, or a random sample of them.

    Every row draws a number, and the rows with the smallest are kept: the sample depends on the seed and
    the number of rows, not on how they are cut into blocks.
    """
    parts: list[tuple[Any, ...]] = []
    n_rows = n_known = n_bytes = 0
    for block in blocks:
        n_rows, n_known = block.n_read, n_known + len(block.rows)
        keys = np.zeros(0) if most is None else rng.random(len(block.rows))
        parts.append((*block[:4], keys))
        n_bytes += getattr(block.values, "nbytes", 0)
        if most is not None and n_known > most:
            joined = _joined(parts)
            chosen = np.sort(np.argpartition(joined[4], most - 1)[:most])
            parts = [tuple(None if part is None else part[chosen] for part in joined)]
            n_bytes = getattr(parts[0][1], "nbytes", 0)
        if source.array is None:
            require_memory(
                2 * n_bytes,
                f"{source.path}, of which {n_rows} rows are read,",
                "Convert it to .npy, which is mapped rather than read, or keep a sample "
                f"({option('max_samples')}).",
            )
    if not n_known:
        raise InvalidInputError(
            f"{source.path}: every one of the {n_rows} rows has a missing cell, so none is left; leave "
            f"out the columns that are seldom known with {option('drop')}."
        )
    return n_rows, n_known, _joined(parts)[:4]


def _joined(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return parts[0] if len(parts) == 1 else tuple(map(_together, zip(*parts, strict=True)))


def _together(parts: Sequence[Any]) -> Any:
    if parts[0] is None:
        return None
    if hasattr(parts[0], "tocsr"):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate(parts)


# --- rows that are features, columns that are objects, as in gene expression ----------------------


def _require_transposable(source: Source, label_column: str | None) -> None:
    if label_column is not None:
        raise InvalidInputError(
            f"{source.path}: {option('label_column', label_column)} names a column, but with "
            f"{option('transpose', value=True)} every column is an object; leave it out, and compare "
            "with known classes by consilience compare."
        )
    if source.path.suffix.lower() == ".h5ad":
        raise InvalidInputError(
            f"{source.path}: the rows of an .h5ad file are the objects (obs) by definition; leave out "
            f"{option('transpose', value=True)}."
        )


def _turned(values: Any, objects: Array, source: Source) -> Any:
    """Return rows as columns, in memory once more; sparse matrices stay sparse."""
    if hasattr(values, "tocsr"):
        return values.T.tocsr()[objects]
    n_bytes = values.shape[0] * len(objects) * values.dtype.itemsize
    require_memory(
        n_bytes, f"{source.path}, transposed,", f"Keep fewer columns ({option('drop')})."
    )
    return np.ascontiguousarray(values[:, objects].T)
