"""Data, labels and ensembles from the files that a verb was given."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from consilience.cli._options import Reading
from consilience.cli._output import Output
from consilience.exceptions import AmbiguousColumnError, InvalidInputError

if TYPE_CHECKING:
    from consilience.ensemble import Ensemble
    from consilience.tables import Labels, Table


def read_data(path: str, reading: Reading, output: Output, **sample: Any) -> "Table":
    """Read a table of numbers, and say what was found."""
    from consilience.tables import read_table

    if reading.representation is not None and Path(path).suffix.lower() != ".h5ad":
        raise InvalidInputError(f"{path}: --rep names a part of an .h5ad file; leave it out.")
    with output.working(f"Reading {path}"):
        table = read_table(path, **reading.of_numbers(), transpose=reading.transpose, **sample)
    output.note(*table.notes)
    return table


def label_all(path: str, reading: Reading, model: Any, output: Output) -> tuple[Any, Any, Any]:
    """Label every row of a file by a model, block by block: ids, labels and confidence."""
    import numpy as np

    from consilience.tables import read_blocks

    parts: list[tuple[Any, Any, Any]] = []
    with output.working("Labelling all rows"):
        for block in read_blocks(path, **reading.of_numbers()):
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


def read_labelling(
    path: str, column: str | None, option: str, reading: Reading, output: Output
) -> "Labels":
    """Read one column of labels; `option` names the column if it cannot be found."""
    from consilience.tables import read_labels

    try:
        found = read_labels(path, column=column, **reading.of_labels())
    except AmbiguousColumnError as error:
        raise AmbiguousColumnError(f"{str(error).removesuffix('.')} with {option}.") from None
    output.note(*found.notes)
    return found


def read_members(paths: Sequence[str], reading: Reading, output: Output) -> "Ensemble":
    """Read an ensemble that was saved, or tables of labels, which are joined."""
    from consilience.ensemble.internals import read_ensemble

    with output.working(f"Reading {', '.join(paths)}"):
        return read_ensemble(paths, drop=reading.drop, note=output.note, **reading.of_labels())
