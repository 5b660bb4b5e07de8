"""Ensembles as Parquet, readable by pandas, polars, DuckDB, Spark and R."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience.ensemble._cluster_tables import from_text, take_clusters, to_text
from consilience.ensemble._encode import Encoded, encode_column, renumber, stack
from consilience.ensemble._validation import check_ids
from consilience.ensemble._weights import check_sample_weight
from consilience.exceptions import InvalidInputError, InvalidLabelsError

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble

KEY = b"consilience"
_FORMAT = 1


def write(ensemble: "Ensemble", path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Write a row per object and a column per member, under the labels that were given."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {}
    id_column = weight_column = None
    if ensemble.ids is not None:
        id_column = _free_name("id", ensemble.names)
        columns[id_column] = pa.array(ensemble.ids)
    if ensemble.row_weight is not None:
        weight_column = _free_name("row_weight", ensemble.names)
        columns[weight_column] = pa.array(ensemble.row_weight)
    for j, name in enumerate(ensemble.names):
        columns[name] = _soft_column(ensemble, j) if ensemble.is_soft else _column(ensemble, j)
    metadata = {
        "format": _FORMAT,
        "id": id_column,
        "row_weight": weight_column,
        "soft": ensemble.is_soft,
        "weights": ensemble.given_weights.tolist(),
        "n_clusters": ensemble.n_clusters.tolist(),
        "provenance": dict(ensemble.provenance),
        "cluster_tables": to_text(_tables_as_read(ensemble)),
    }
    table = pa.table(columns).replace_schema_metadata({KEY: _as_json(metadata)})
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
    stored = (table.schema.metadata or {}).get(KEY)
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
    weight_column = metadata.get("row_weight")
    apart = {id_column, weight_column, *_index_columns(table.schema)}
    names = [name for name in table.column_names if name not in apart]
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
    if weight_column is not None:
        weight = table[weight_column].to_numpy()
        parts["row_weight"] = check_sample_weight(weight, table.num_rows)
    if metadata.get("soft"):
        n_clusters = metadata["n_clusters"]
        matrices = [_memberships(table[name], k) for name, k in zip(names, n_clusters, strict=True)]
        return {
            **parts,
            "memberships": np.ascontiguousarray(np.hstack(matrices)),
            "values": tuple(np.arange(k) for k in n_clusters),
            "cluster_tables": from_text(metadata.get("cluster_tables", {}), np.array(n_clusters)),
        }
    # What we wrote holds null for missing, so that -1 is a label there.
    columns = [
        encode_column(table[name], f"column {name!r} of {file}", categorical=bool(metadata))
        for name in names
    ]
    encoded = stack(columns)
    n_clusters = np.array([len(value) for value in encoded.values])
    return {
        **parts,
        "codes": encoded.codes,
        "values": encoded.values,
        "cluster_tables": from_text(metadata.get("cluster_tables", {}), n_clusters),
    }


def _column(ensemble: "Ensemble", j: int) -> Any:
    import pyarrow as pa

    codes = ensemble.codes[:, j].astype(np.int32)
    values = pa.array(ensemble.values[j])
    missing = pa.array(codes - 1, mask=codes == 0)
    return values.take(missing)


def _soft_column(ensemble: "Ensemble", j: int) -> Any:
    import pyarrow as pa

    part = ensemble.memberships[:, ensemble.layout.columns(j)].astype(np.float32)
    ends = np.arange(len(part) + 1, dtype=np.int32) * part.shape[1]
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(part.reshape(-1)))


def _memberships(column: Any, n_clusters: int) -> Any:
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(len(column), n_clusters)


def _tables_as_read(ensemble: "Ensemble") -> Any:
    """Return the cluster tables in the order that reading gives the clusters: by first appearance."""
    if ensemble.is_soft or not ensemble.cluster_tables:
        return ensemble.cluster_tables
    places = tuple(np.arange(len(value)) for value in ensemble.values)
    used = renumber(Encoded(ensemble.codes, places)).values
    return take_clusters(ensemble.cluster_tables, used)


def _as_json(metadata: dict[str, Any]) -> bytes:
    try:
        return json.dumps(metadata).encode()
    except TypeError as error:
        raise InvalidInputError(
            f"The provenance of the ensemble cannot be saved ({error}); use plain numbers, text, lists "
            "and dictionaries."
        ) from None


def _free_name(name: str, taken: tuple[str, ...]) -> str:
    while name in taken:
        name += "_"
    return name


def _index_columns(schema: Any) -> list[str]:
    """Return the columns in which pandas stored the index of a frame."""
    stored = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in stored if isinstance(name, str)]
