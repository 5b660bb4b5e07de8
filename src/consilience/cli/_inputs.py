"""Ensembles and data from the files that a verb was given."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from consilience.cli._options import Reading
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError

if TYPE_CHECKING:
    from consilience.ensemble import Ensemble
    from consilience.tables import LabelTable, Table


def read_data(path: str, reading: Reading, output: Output, **sample: Any) -> "Table":
    """Read a table of numbers, and say what was found."""
    from consilience.tables import read_table

    if reading.representation is not None and Path(path).suffix.lower() != ".h5ad":
        raise InvalidInputError(f"{path}: --rep names a part of an .h5ad file; leave it out.")
    with output.working(f"Reading {path}"):
        table = read_table(path, **reading.as_arguments(), transpose=reading.transpose, **sample)
    output.note(*table.notes)
    return table


def label_all(path: str, reading: Reading, model: Any, output: Output) -> tuple[Any, Any, Any]:
    """Label every row of a file by a model, block by block: ids, labels and confidence."""
    import numpy as np

    from consilience.tables import read_blocks

    parts: list[tuple[Any, Any, Any]] = []
    with output.working("Labelling all rows"):
        for block in read_blocks(path, **reading.as_arguments()):
            shares = model.predict_proba(block.values)
            ids = block.rows + 1 if block.ids is None else block.ids
            parts.append((ids, shares.argmax(axis=1).astype(np.int32), shares.max(axis=1)))
    ids, labels, confidence = (np.concatenate(column) for column in zip(*parts, strict=True))
    return ids, labels, confidence


def object_ids(table: "Table") -> tuple[Any, str]:
    """Return the ids of a table and what they are called; without ids, the rows from 1."""
    if table.ids is not None:
        return table.ids, table.id_column or "id"
    return table.rows + 1, "row"


def read_ensemble(path: str, reading: Reading, output: Output) -> "Ensemble":
    """Read an ensemble that was saved, or a table with a column per member."""
    from consilience.ensemble import Ensemble

    if Path(path).suffix.lower() in (".parquet", ".pq") and _is_saved(path):
        with output.working(f"Reading {path}"):
            ensemble = Ensemble.from_parquet(path)
        if reading.drop:
            unknown = set(reading.drop) - set(ensemble.names)
            if unknown:
                raise InvalidInputError(f"{path} has no member {sorted(unknown)[0]!r} (--drop).")
            ensemble = ensemble.select([n for n in ensemble.names if n not in reading.drop])
        output.note(f"{path}: {ensemble!r}.")
        return ensemble
    return join([path], reading, output)


def join(paths: Sequence[str], reading: Reading, output: Output) -> "Ensemble":
    """Join tables of labels: by id where they have ids, else row by row."""
    from consilience.ensemble import Ensemble
    from consilience.tables import read_label_table

    _require_different(paths)
    tables = []
    for path in paths:
        with output.working(f"Reading {path}"):
            table = read_label_table(
                path,
                id=reading.id,
                drop=_present(reading.drop, path, reading, several=len(paths) > 1),
                header=reading.header,
                delimiter=reading.delimiter,
            )
        output.note(*table.notes)
        tables.append(table)
    names = _file_names(paths)
    if all(table.ids is not None for table in tables):
        key = _free("id", tables)
        frames = _frames_by_id(names, tables, key, output)
        ensemble = Ensemble.from_frames(frames, id=key)
    else:
        import numpy as np

        _require_equal_rows(paths, tables)
        key = _free("row", tables)
        rows = np.arange(1, tables[0].n_rows + 1).astype(str).astype(object)
        frames = {
            n: t.to_arrow().add_column(0, key, [rows]) for n, t in zip(names, tables, strict=True)
        }
        ensemble = Ensemble.from_frames(frames, id=key)
        if len(paths) > 1:
            output.note("No ids: the files are joined row by row.")
    output.note(f"Together: {ensemble!r}.")
    return ensemble


def _frames_by_id(
    names: Sequence[str], tables: "Sequence[LabelTable]", key: str, output: Output
) -> dict[str, Any]:
    """Return the tables with ids that are written alike, and say where they were not."""
    from dataclasses import replace

    from consilience.tables import align_ids

    aligned = align_ids(names, [table.ids for table in tables if table.ids is not None])
    if aligned.matched is not None:
        output.note(aligned.matched)
    return {
        name: replace(table, ids=ids).to_arrow(key)
        for name, table, ids in zip(names, tables, aligned.ids, strict=True)
    }


def _require_different(paths: Sequence[str]) -> None:
    """Refuse a file that is given twice: its clusterings would count twice."""
    for place, path in enumerate(paths):
        for other in paths[:place]:
            if Path(path).exists() and Path(other).exists() and Path(path).samefile(other):
                again = "" if path == other else f" (as {other} and as {path})"
                raise InvalidInputError(
                    f"{other} is given more than once{again}; give every file once, since its "
                    "clusterings would count several times."
                )


def _is_saved(path: str) -> bool:
    import pyarrow.parquet as pq

    from consilience.tables.internals import open_source

    open_source(path)  # says what is wrong with it
    return b"consilience" in (pq.read_schema(path).metadata or {})


def _present(drop: Sequence[str], path: str, reading: Reading, *, several: bool) -> Sequence[str]:
    """Leave out columns in those files that have them."""
    if not several or not drop:
        return drop
    from consilience.tables.internals import open_source

    source = open_source(path, header=reading.header, delimiter=reading.delimiter)
    return [name for name in drop if name in source.names]


def _file_names(paths: Sequence[str]) -> list[str]:
    stems = [Path(path).name for path in paths]
    return [
        stem if stems.count(stem) == 1 else str(path)
        for stem, path in zip(stems, paths, strict=True)
    ]


def _free(name: str, tables: "Sequence[LabelTable]") -> str:
    while any(name in table.labels for table in tables):
        name += "_"
    return name


def _require_equal_rows(paths: Sequence[str], tables: "Sequence[LabelTable]") -> None:
    with_ids = [path for path, table in zip(paths, tables, strict=True) if table.ids is not None]
    without = [path for path, table in zip(paths, tables, strict=True) if table.ids is None]
    if with_ids:
        raise InvalidInputError(
            f"{with_ids[0]} has ids and {without[0]} has none; name the id column with --id, or join "
            "row by row with --no-id."
        )
    for path, table in zip(paths, tables, strict=True):
        if table.n_rows != tables[0].n_rows:
            raise InvalidInputError(
                f"Without ids files are joined row by row, but {paths[0]} has {tables[0].n_rows} rows "
                f"and {path} has {table.n_rows}; name the id column with --id."
            )
