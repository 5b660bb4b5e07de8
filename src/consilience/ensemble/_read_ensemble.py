"""An ensemble from files: one that was saved, or tables in which every column is a clustering."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow.parquet as pq

from consilience._utils._option import option
from consilience.ensemble._ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.tables import LabelTable, align_ids, read_label_table
from consilience.tables.internals import open_source


def read_ensemble(
    paths: Sequence[str],
    *,
    drop: Sequence[str] = (),
    note: Callable[[str], Any] = lambda _: None,
    id: str | Literal[False] | None = None,  # noqa: A002 - the word users know
    header: bool | None = None,
    delimiter: str | None = None,
) -> Ensemble:
    """Read one saved ensemble, or join tables of labels: by id where they have ids, else by row.

    Parameters
    ----------
    paths : sequence of str
        The files; all of them different.
    drop : sequence of str
        Columns to leave out, in the files that have them.
    note : function
        Gets what was found and decided, in sentences.
    id, header, delimiter : optional
        As in `consilience.tables.read_label_table`.
    """
    if len(paths) == 1 and _is_saved(paths[0]):
        return _saved(paths[0], drop, note)
    tables = []
    for place, path in enumerate(paths):
        _require_new(path, paths[:place])
        present = drop
        if drop and len(paths) > 1:
            source = open_source(path, header=header, delimiter=delimiter)
            present = [name for name in drop if name in source.names]
        table = read_label_table(path, id=id, drop=present, header=header, delimiter=delimiter)
        for sentence in table.notes:
            note(sentence)
        tables.append(table)
    ensemble = _joined(paths, tables, note)
    note(f"Together: {ensemble!r}.")
    return ensemble


def _is_saved(path: str) -> bool:
    if Path(path).suffix.lower() not in (".parquet", ".pq"):
        return False
    open_source(path)  # says what is wrong with it
    return b"consilience" in (pq.read_schema(path).metadata or {})


def _saved(path: str, drop: Sequence[str], note: Callable[[str], Any]) -> Ensemble:
    ensemble = Ensemble.from_parquet(path)
    unknown = sorted(set(drop) - set(ensemble.names))
    if unknown:
        raise InvalidInputError(f"{path} has no member {unknown[0]!r} ({option('drop')}).")
    if drop:
        ensemble = ensemble.select([name for name in ensemble.names if name not in drop])
    note(f"{path}: {ensemble!r}.")
    return ensemble


def _require_new(path: str, earlier: Sequence[str]) -> None:
    """Refuse a file that is given twice."""
    for other in earlier:
        if Path(path).exists() and Path(other).exists() and Path(path).samefile(other):
            again = "" if path == other else f" (as {other} and as {path})"
            raise InvalidInputError(
                f"{other} is given more than once{again}; give every file once, since its clusterings "
                "would count several times."
            )


def _joined(
    paths: Sequence[str], tables: Sequence[LabelTable], note: Callable[[str], Any]
) -> Ensemble:
    names = [Path(path).name for path in paths]
    # With their folders where two files have the same name.
    names = [
        name if names.count(name) == 1 else str(path)
        for name, path in zip(names, paths, strict=True)
    ]
    by_id = all(table.ids is not None for table in tables)
    if by_id:
        aligned = align_ids(names, [table.ids for table in tables if table.ids is not None])
        ids = aligned.ids
        if aligned.matched is not None:
            note(aligned.matched)
    else:
        _require_equal_rows(paths, tables)
        ids = [np.arange(1, table.n_rows + 1).astype(str).astype(object) for table in tables]
        if len(paths) > 1:
            note("No ids: the files are joined row by row.")
    key = "id" if by_id else "row"
    while any(key in table.labels for table in tables):
        key += "_"
    frames = {
        name: table.to_arrow().add_column(0, key, [keys])
        for name, table, keys in zip(names, tables, ids, strict=True)
    }
    return Ensemble.from_frames(frames, id=key)


def _require_equal_rows(paths: Sequence[str], tables: Sequence[LabelTable]) -> None:
    with_ids = [path for path, table in zip(paths, tables, strict=True) if table.ids is not None]
    without = [path for path, table in zip(paths, tables, strict=True) if table.ids is None]
    if with_ids:
        raise InvalidInputError(
            f"{with_ids[0]} has ids and {without[0]} has none; name the id column with "
            f"{option('id')}, or join row by row with {option('id', value=False)}."
        )
    for path, table in zip(paths, tables, strict=True):
        if table.n_rows != tables[0].n_rows:
            raise InvalidInputError(
                f"Without ids files are joined row by row, but {paths[0]} has {tables[0].n_rows} rows "
                f"and {path} has {table.n_rows}; name the id column with {option('id')}."
            )
