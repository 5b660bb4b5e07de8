"""Ensembles as Parquet, readable by pandas, polars, DuckDB, Spark and R."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience.ensemble._encode import encode_column, stack
from consilience.ensemble._soft import stack_memberships
from consilience.ensemble._validation import check_ids
from consilience.exceptions import InvalidInputError, InvalidLabelsError

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble

_KEY = b"consilience"
_FORMAT = 1


def write(ensemble: "Ensemble", path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Write a row per object and a column per member, under the labels that were given."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {}
    id_column = None
    if ensemble.ids is not None:
        id_column = "id"
        while id_column in ensemble.names:
            id_column += "_"
        columns[id_column] = pa.array(ensemble.ids)
    for j, name in enumerate(ensemble.names):
        columns[name] = _soft_column(ensemble, j) if ensemble.is_soft else _column(ensemble, j)
    metadata = {
        "format": _FORMAT,
        "id": id_column,
        "soft": ensemble.is_soft,
        "weights": ensemble.weights.tolist(),
        "n_clusters": ensemble.n_clusters.tolist(),
        "provenance": dict(ensemble.provenance),
    }
    table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(metadata).encode()})
    with atomic_path(path, overwrite=overwrite) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read(path: str | os.PathLike[str], id_column: str | None) -> dict[str, Any]:
    """Return the parts of the ensemble in a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = Path(path)
    if not file.is_file():
        raise InvalidInputError(f"There is no file {file}.")
    try:
        table = pq.read_table(file, partitioning=None)
    except (pa.ArrowInvalid, OSError) as error:
        raise InvalidInputError(f"{file} cannot be read as Parquet: {error}") from None
    stored = (table.schema.metadata or {}).get(_KEY)
    metadata = json.loads(stored) if stored else {}
    if metadata.get("format", _FORMAT) > _FORMAT:
        raise InvalidInputError(
            f"{file} was written by a newer version of consilience (format {metadata['format']}); "
            "upgrade to read it."
        )
    id_column = metadata.get("id") if id_column is None else id_column
    if id_column is not None and id_column not in table.column_names:
        raise InvalidInputError(
            f"{file} has no column {id_column!r}; its columns are {table.column_names}."
        )
    names = [name for name in table.column_names if name != id_column]
    if not names:
        raise InvalidLabelsError(f"{file} has no member columns.")
    parts: dict[str, Any] = {
        "names": names,
        "weights": metadata.get("weights"),
        "provenance": metadata.get("provenance"),
    }
    if id_column is not None:
        where = f"The id column {id_column!r} of {file}"
        parts["ids"] = check_ids(table[id_column], table.num_rows, where)
    if metadata.get("soft"):
        matrices = [_memberships(table[name]) for name in names]
        matrix, n_clusters = stack_memberships(matrices)
        return {**parts, "memberships": matrix, "values": tuple(np.arange(k) for k in n_clusters)}
    encoded = stack([encode_column(table[name], f"column {name!r} of {file}") for name in names])
    return {**parts, "codes": encoded.codes, "values": encoded.values}


def _column(ensemble: "Ensemble", j: int) -> Any:
    import pyarrow as pa

    codes = ensemble.codes[:, j].astype(np.int32)
    values = pa.array(ensemble.values[j])
    missing = pa.array(codes - 1, mask=codes == 0)
    return values.take(missing)


def _soft_column(ensemble: "Ensemble", j: int) -> Any:
    import pyarrow as pa

    part = ensemble.memberships[:, ensemble.layout.columns(j)].astype(np.float32)
    return pa.FixedSizeListArray.from_arrays(pa.array(part.reshape(-1)), part.shape[1])


def _memberships(column: Any) -> Any:
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(len(column), -1)
