"""Labels written to files, and added to the data that were clustered."""

import gzip
import io
import json
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from consilience._utils._atomic import atomic_path
from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.incidence import cut
from consilience.tables._cells import guarded
from consilience.tables._source import load_h5ad, require_file
from consilience.tables._stored_rows import StoredTable

Provenance = Mapping[str, object] | None
PART_ROWS = 4_194_304
_LABELS, _CONFIDENCE = "consensus", "consensus_confidence"
_TEXT = (".csv", ".txt", ".tsv", ".tab")
_SUFFIXES = (*_TEXT, ".parquet", ".pq", ".npy", ".npz")
# Spaces around a cell count only inside quotes.
_NEEDS_QUOTES = re.compile(r"[,;\t|\"\r\n]|^\s|\s$")


def check_output(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    inputs: Sequence[str | os.PathLike[str]] = (),
) -> None:
    """Refuse a file that exists, a folder that cannot be written to, or a file that is being read.

    Parameters
    ----------
    path : path
        Where a result is to go.
    overwrite : bool
        Whether an existing file may be replaced.
    inputs : sequence of paths
        Files that are read; none of them is ever replaced.
    """
    target = Path(path)
    if target.is_dir():
        raise InvalidInputError(f"{target} is a folder; a file name is needed.")
    for given in inputs:
        if target.exists() and Path(given).exists() and target.samefile(given):
            raise InvalidInputError(f"{target} is what is read; results need a file of their own.")
    _check_place(target, overwrite=overwrite)
    try:
        # Permission bits are not sufficient: a disk may be read-only, and root ignores them.
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".consilience-")
    except OSError as error:
        raise InvalidInputError(
            f"{target} cannot be written: {error.strerror or error}; choose another folder."
        ) from None
    os.close(handle)
    Path(name).unlink()


def _check_place(target: Path, *, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise InvalidInputError(
            f"{target} exists already; choose another name, or replace it with "
            f"{option('overwrite', value=True)}."
        )
    if not target.parent.is_dir():
        raise InvalidInputError(f"The folder {target.parent} of {target.name} does not exist.")


# --- one file ------------------------------------------------------------------------------------


def write_labels(
    path: str | os.PathLike[str],
    labels: Any,
    *,
    ids: Any = None,
    confidence: Any = None,
    id_column: str = "id",
    provenance: Provenance = None,
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
    suffix = check_label_suffix(file)
    columns = {"cluster": np.asarray(labels)}
    n_rows = columns["cluster"].shape
    if len(n_rows) != 1:
        raise InvalidLabelsError(f"labels must be one per object; got an array of shape {n_rows}.")
    if ids is not None:
        columns = {id_column if id_column != "cluster" else "id": np.asarray(ids), **columns}
    if confidence is not None:
        columns["confidence"] = np.asarray(confidence, dtype=np.float64).round(6)
    for name, column in columns.items():
        if column.shape != n_rows:
            raise InvalidLabelsError(
                f"{name} must hold {n_rows[0]} entries, one per object; got shape {column.shape}."
            )
    stream = io.BytesIO()
    if suffix in _TEXT:
        is_tab = any(part.lower() in (".tsv", ".tab") for part in file.suffixes[-2:])
        content = _as_text(columns, "\t" if is_tab else ",")
        # No time stamp: the same result is the same file.
        packed = file.suffix.lower() == ".gz"
        stream.write(gzip.compress(content, mtime=0) if packed else content)
    elif suffix == ".npy":
        np.save(stream, columns["cluster"], allow_pickle=False)
    elif suffix == ".npz":
        # The names under which arrays are found again, whatever the columns are called.
        names = {next(iter(columns)): "ids", "cluster": "labels"}
        named = {names.get(name, name): _plain(column) for name, column in columns.items()}
        # Without `allow_pickle`, of which NumPy 2.1 makes one more array; the columns are plain anyhow.
        np.savez_compressed(stream, **named)  # type: ignore[arg-type]
    else:
        _write_parquet(stream, columns, provenance)
    with atomic_path(file, overwrite=overwrite) as temporary:
        temporary.write_bytes(stream.getvalue())


def check_label_suffix(path: str | os.PathLike[str]) -> str:
    """Return the suffix that says how labels are written; refuse a name whose suffix says nothing."""
    suffixes = ["", *(suffix.lower() for suffix in Path(path).suffixes)]
    packed = suffixes[-1] == ".gz"
    suffix = suffixes[-2 if packed else -1]
    if suffix not in (_TEXT if packed else _SUFFIXES):
        raise InvalidInputError(
            f"{Path(path).name}: labels are written to .csv, .tsv (also .gz), .parquet, .npy or .npz; "
            "choose one of them."
        )
    return suffix


def _as_text(columns: Mapping[str, Array], delimiter: str) -> bytes:
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = (delimiter.join(map(_text_cell, row)) for row in (tuple(columns), *rows))
    return "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")


def _text_cell(cell: Any) -> str:
    """Return a cell as it stands in the file; csv.writer would leave a carriage return unquoted."""
    text = "" if cell is None else str(guarded(cell))
    if text and not _NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _write_parquet(target: Any, columns: Mapping[str, Any], provenance: Provenance) -> None:
    table = pa.table(dict(columns))
    if provenance is not None:
        facts = json.dumps(dict(provenance), default=str).encode()
        table = table.replace_schema_metadata({b"consilience-labels": facts})
    pq.write_table(table, target, compression="zstd")


def _plain(column: Array) -> Array:
    return column.astype(str) if column.dtype.kind == "O" else column


# --- a folder of Parquet parts -------------------------------------------------------------------


def check_parts_folder(path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Refuse what exists and is not a folder of parts, before any work is done."""
    folder = Path(path)
    if folder.suffix.lower() not in ("", ".parts", ".parquet", ".pq"):
        raise InvalidInputError(
            f"{folder}: labels of what is read in pieces are a folder of Parquet parts; choose a name "
            "that ends in .parts or .parquet, or in nothing."
        )
    is_parts = folder.is_dir() and all(file.suffix == ".parquet" for file in folder.iterdir())
    if folder.exists() and not is_parts:
        raise InvalidInputError(
            f"{folder} exists and is not a folder of Parquet parts; choose another name."
        )
    _check_place(folder, overwrite=overwrite)


def write_label_parts(
    path: str | os.PathLike[str],
    labels: Array,
    confidence: Array,
    *,
    table: StoredTable,
    id_column: str | None,
    provenance: Provenance = None,
    overwrite: bool = False,
) -> None:
    """Write labels of the rows of a table, a part at a time; the folder appears whole or not at all.

    Ids are copied from the table; without an id column rows are numbered from 1.
    """
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
            part = {**named, "cluster": labels[start:stop], "confidence": rounded}
            _write_parquet(temporary / f"part-{number:05d}.parquet", part, provenance)
        temporary.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


# --- the data that were clustered ----------------------------------------------------------------


def attach(data: Any, labels: Any, confidence: Any = None, *, provenance: Provenance = None) -> Any:
    """Return labels in the form of the data: a frame for a frame, AnnData for AnnData.

    Parameters
    ----------
    data : pandas, polars or pyarrow data frame, or AnnData
        What was clustered, one row per object.
    labels : array (n,)
        The clusters.
    confidence : array (n,), optional
        The confidence of every object.
    provenance : mapping, optional
        Where the result comes from; kept in `uns["consensus"]` of an AnnData object.

    Returns
    -------
    data frame, or the AnnData object
        Frames: a new one of the same kind with the columns "consensus" and "consensus_confidence", and
        the same index if there is one. AnnData: the object itself, its obs with the two columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.tables import attach
    >>> plants = pd.DataFrame({"height": [1.0, 2.0]}, index=["fern", "oak"])
    >>> attach(plants, [0, 1], [0.9, 0.8])
          consensus  consensus_confidence
    fern          0                   0.9
    oak           1                   0.8
    """
    columns: dict[str, Any] = {_LABELS: np.asarray(labels)}
    if confidence is not None:
        columns[_CONFIDENCE] = np.asarray(confidence, dtype=np.float64)
    n_rows = data.shape[0] if hasattr(data, "shape") else None
    for name, column in columns.items():
        if column.shape != (n_rows,):
            raise InvalidLabelsError(
                f"{name} must hold one entry for each of the {n_rows} rows; got shape {column.shape}."
            )
    if hasattr(data, "obs") and hasattr(data, "uns"):
        data.obs[_LABELS] = columns[_LABELS].astype(str)
        # Scanpy draws and tests by category.
        data.obs[_LABELS] = data.obs[_LABELS].astype("category")
        if confidence is not None:
            data.obs[_CONFIDENCE] = columns[_CONFIDENCE]
        facts = json.dumps(dict(provenance or {}), default=str)
        n_clusters = len(np.unique(columns[_LABELS]))
        data.uns["consensus"] = {"n_clusters": n_clusters, "provenance": facts}
        return data
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(data, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise InvalidInputError(
            f"attach takes a pandas, polars or pyarrow data frame or AnnData; got {type(data).__name__}."
        )
    if frame.implementation.is_pandas():
        return type(data)(columns, index=data.index)
    return nw.from_dict(columns, backend=frame.implementation).to_native()


def write_h5ad(
    source: str | os.PathLike[str],
    path: str | os.PathLike[str],
    labels: Any,
    confidence: Any = None,
    *,
    ids: Any = None,
    provenance: Provenance = None,
    overwrite: bool = False,
) -> None:
    """Write a copy of an .h5ad file whose obs has the consensus.

    Parameters
    ----------
    source : path
        The file that was clustered.
    path : path
        The copy. It appears whole or not at all.
    labels : array (n,)
        The clusters; become `obs["consensus"]`, categorical.
    confidence : array (n,), optional
        Becomes `obs["consensus_confidence"]`.
    ids : array (n,), optional
        Names of the cells that the labels belong to, if not all of the file; the others are left out
        of the copy.
    provenance : mapping, optional
        Becomes part of `uns["consensus"]`, as JSON.
    overwrite : bool
        Whether an existing file may be replaced.
    """
    file = Path(source)
    require_file(file)
    data = load_h5ad(file)
    if ids is not None and len(ids) != data.n_obs:
        wanted = np.isin(np.asarray(data.obs_names, dtype=str), np.asarray(ids, dtype=str))
        data = data[wanted].copy()
    if len(labels) != data.n_obs:
        raise InvalidLabelsError(
            f"{file} has {data.n_obs} cells; got {len(labels)} labels. One per cell is needed."
        )
    attach(data, labels, confidence, provenance=provenance)
    with atomic_path(path, overwrite=overwrite) as temporary, warnings.catch_warnings():
        # What anndata says about its own future is not for our readers.
        warnings.simplefilter("ignore")
        data.write_h5ad(temporary)
