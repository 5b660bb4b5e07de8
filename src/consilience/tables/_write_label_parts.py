"""Labels to a folder of Parquet parts."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from consilience._utils._option import option
from consilience.exceptions import InvalidInputError

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
    columns: Iterator[Mapping[str, Any]],
    *,
    provenance: Mapping[str, object] | None = None,
    overwrite: bool = False,
) -> None:
    """Write one part per entry of `columns`; the folder appears whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = Path(path)
    check_parts_folder(folder, overwrite=overwrite)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:40]}."))
    try:
        for number, part in enumerate(columns):
            table = pa.table(dict(part))
            if provenance is not None:
                table = table.replace_schema_metadata(
                    {b"consilience-labels": json.dumps(dict(provenance), default=str).encode()}
                )
            pq.write_table(table, temporary / f"part-{number:05d}.parquet", compression="zstd")
        temporary.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
