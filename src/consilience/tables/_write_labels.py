"""Labels to a file."""

import gzip
import io
import json
import os
import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.tables._guard import guarded

# Spaces around a cell count only inside quotes.
_NEEDS_QUOTES = re.compile(r"[,;\t|\"\r\n]|^\s|\s$")
_SUFFIXES = ".csv, .tsv (also .gz), .parquet, .npy or .npz"


def write_labels(
    path: str | os.PathLike[str],
    labels: Any,
    *,
    ids: Any = None,
    confidence: Any = None,
    id_column: str = "id",
    provenance: Mapping[str, object] | None = None,
    overwrite: bool = False,
) -> None:
    """Write one row per object: its id, its cluster and how sure that is.

    Parameters
    ----------
    path : path
        The file; its suffix says how: .csv, .tsv (also .gz), .parquet, .npy or .npz. In .csv and .tsv
        text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a carriage
        return) gets an apostrophe in front, which the readers of this package take away again.
    labels : array (n,)
        The clusters.
    ids : array (n,), optional
        Names of the objects.
    confidence : array (n,), optional
        A number per object, written as column "confidence".
    id_column : str
        Name of the first column.
    provenance : mapping, optional
        Where the result comes from; kept in the metadata of Parquet, the only format with a place for
        it.
    overwrite : bool
        Whether an existing file may be replaced. The file appears whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import write_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     write_labels(file, [0, 1], ids=["x", "y"], confidence=[1.0, 0.75])
    ...     print(file.read_text())
    id,cluster,confidence
    x,0,1.0
    y,1,0.75
    <BLANKLINE>
    """
    file = Path(path)
    columns = _columns(labels, ids, confidence, id_column)
    content = _writer(file)(file, columns, provenance)
    with atomic_path(file, overwrite=overwrite) as temporary:
        temporary.write_bytes(content)


def check_label_suffix(path: str | os.PathLike[str]) -> None:
    """Refuse a name whose suffix says nothing."""
    _writer(Path(path))


def _writer(file: Path) -> Any:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    packed = suffixes[-1:] == [".gz"]
    last = suffixes[-2 if packed else -1] if len(suffixes) > packed else ""
    if last in (".csv", ".txt"):
        return _write_csv
    if last in (".tsv", ".tab"):
        return _write_csv
    if not packed and last in (".parquet", ".pq"):
        return _write_parquet
    if not packed and last in (".npy", ".npz"):
        return _write_numpy
    raise InvalidInputError(f"{file.name}: labels are written to {_SUFFIXES}; choose one of them.")


def _columns(labels: Any, ids: Any, confidence: Any, id_column: str) -> dict[str, Array]:
    clusters = np.asarray(labels)
    if clusters.ndim != 1:
        raise InvalidLabelsError(
            f"labels must be one per object; got an array of shape {clusters.shape}."
        )
    columns: dict[str, Array] = {}
    if ids is not None:
        columns[id_column if id_column != "cluster" else "id"] = np.asarray(ids)
    columns["cluster"] = clusters
    if confidence is not None:
        columns["confidence"] = np.asarray(confidence, dtype=np.float64).round(6)
    for name, column in columns.items():
        if column.shape != clusters.shape:
            raise InvalidLabelsError(
                f"{name} must hold {len(clusters)} entries, one per object; got shape {column.shape}."
            )
    return columns


def _write_csv(file: Path, columns: dict[str, Array], provenance: Any) -> bytes:  # noqa: ARG001
    is_tab = any(suffix.lower() in (".tsv", ".tab") for suffix in file.suffixes[-2:])
    delimiter = "\t" if is_tab else ","
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = (delimiter.join(map(_csv_cell, row)) for row in chain([tuple(columns)], rows))
    content = "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")
    # No time stamp: the same result is the same file.
    return gzip.compress(content, mtime=0) if file.suffix.lower() == ".gz" else content


def _csv_cell(cell: Any) -> str:
    """Return a cell as it stands in the file; csv.writer would leave a carriage return unquoted."""
    text = "" if cell is None else str(guarded(cell))
    if text and not _NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _write_parquet(file: Path, columns: dict[str, Array], provenance: Any) -> bytes:  # noqa: ARG001
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: pa.array(column) for name, column in columns.items()})
    if provenance is not None:
        table = table.replace_schema_metadata(
            {b"consilience-labels": json.dumps(dict(provenance), default=str).encode()}
        )
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def _write_numpy(file: Path, columns: dict[str, Array], provenance: Any) -> bytes:  # noqa: ARG001
    stream = io.BytesIO()
    if file.suffix.lower() == ".npy":
        np.save(stream, columns["cluster"], allow_pickle=False)
    else:
        # The names under which arrays are found again, whatever the columns are called.
        names = {next(iter(columns)): "ids", "cluster": "labels"}
        named = {names.get(name, name): _plain(column) for name, column in columns.items()}
        # Without `allow_pickle`, of which NumPy 2.1 makes one more array; the columns are plain anyhow.
        np.savez_compressed(stream, **named)  # type: ignore[arg-type]
    return stream.getvalue()


def _plain(column: Array) -> Array:
    return column.astype(str) if column.dtype.kind == "O" else column
