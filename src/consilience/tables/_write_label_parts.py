"""Labels to a folder of Parquet parts."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.incidence import cut
from consilience.tables._stored_rows import StoredTable

PART_ROWS = 4_194_304
_SUFFIXES = ("", ".parts", ".parquet", ".pq")


def check_parts_folder(path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Refuse what exists and is not a folder of parts, before any work is done."""
    folder = Path(path)
    if folder.suffix.lower() not in _SUFFIXES:
        raise InvalidInputError(
            f"{folder}: labels of what is read in pieces are a folder of Parquet parts; choose a name "
            "that ends in .parts or .parquet, or in nothing."
        )
    if not folder.parent.is_dir():
        raise InvalidInputError(f"The folder {folder.parent} of {folder.name} does not exist.")
    if not folder.exists():
        return
    if not folder.is_dir() or any(file.suffix != ".parquet" for file in folder.iterdir()):
        raise InvalidInputError(
            f"{folder} exists and is not a folder of Parquet parts; choose another name."
        )
    if not overwrite:
        raise InvalidInputError(
            f"{folder} exists already; choose another name, or replace it with "
            f"{option('overwrite', value=True)}."
        )


def write_label_parts(
    path: str | os.PathLike[str],
    labels: Array,
    confidence: Array,
    *,
    table: StoredTable,
    id_column: str | None,
    provenance: Mapping[str, object] | None = None,
    overwrite: bool = False,
) -> None:
    """Write labels of the rows of a table, a part at a time; the folder appears whole or not at all.

    Ids are copied from the table; without an id column rows are numbered from 1.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = Path(path)
    check_parts_folder(folder, overwrite=overwrite)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:40]}."))
    try:
        for number, (start, stop) in enumerate(cut(0, len(labels), PART_ROWS)):
            if id_column is None:
                named = {"row": pa.array(np.arange(start + 1, stop + 1))}
            else:
                pieces = table.read(start, stop, [id_column])
                named = {id_column: pa.concat_tables(pieces)[id_column]}
            rounded = confidence[start:stop].round(6)
            part = pa.table({**named, "cluster": labels[start:stop], "confidence": rounded})
            if provenance is not None:
                part = part.replace_schema_metadata(
                    {b"consilience-labels": json.dumps(dict(provenance), default=str).encode()}
                )
            pq.write_table(part, temporary / f"part-{number:05d}.parquet", compression="zstd")
        temporary.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
