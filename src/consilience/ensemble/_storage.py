"""Ensembles as Parquet, readable by pandas, polars, DuckDB, Spark and R."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from consilience._utils._atomic import atomic_path
from consilience.ensemble._cluster_tables import from_text, take_clusters, to_text
from consilience.ensemble._encode import Encoded, encode_column, renumber, stack
from consilience.ensemble._metadata import FORMAT, KEY, damaged, read_metadata
from consilience.ensemble._validation import check_ids
from consilience.ensemble._weights import check_sample_weight
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.tables.internals import (
    Source,
    find_id_column,
    index_columns,
    require_distinct,
    unreadable,
)

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble

IdColumn = str | Literal[False] | None
SAMPLE_WEIGHT = "sample_weight"
_SUFFIXES = (".parquet", ".pq")


def write(ensemble: "Ensemble", path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Write a row per object and a column per member, under the labels that were given."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if Path(path).suffix.lower() not in _SUFFIXES:
        raise InvalidInputError(
            f"{path}: an ensemble is saved as Parquet; choose a name that ends in .parquet or .pq."
        )
    columns: dict[str, Any] = {}
    id_column = weight_column = None
    if ensemble.ids is not None:
        id_column = _free_name("id", ensemble.names)
        columns[id_column] = pa.array(ensemble.ids)
    if ensemble.sample_weight is not None:
        weight_column = _free_name(SAMPLE_WEIGHT, ensemble.names)
        columns[weight_column] = pa.array(ensemble.sample_weight)
    for j, name in enumerate(ensemble.names):
        columns[name] = _soft_column(ensemble, j) if ensemble.is_soft else _column(ensemble, j)
    metadata = {
        "format": FORMAT,
        "id": id_column,
        "sample_weight": weight_column,
        "soft": ensemble.is_soft,
        "weights": ensemble.given_weights.tolist(),
        "n_clusters": ensemble.n_clusters.tolist(),
        "provenance": dict(ensemble.provenance),
        "cluster_tables": to_text(_tables_as_read(ensemble)),
    }
    table = pa.table(columns).replace_schema_metadata({KEY: _as_json(metadata)})
    with atomic_path(path, overwrite=overwrite) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read(path: str | os.PathLike[str], id_column: IdColumn) -> dict[str, Any]:
    """Return the parts of the ensemble in a Parquet file."""
    file = Path(path)
    if not file.is_file():
        raise InvalidInputError(f"There is no file {file}.")
    table = _read_table(file)
    metadata = read_metadata(table.schema.metadata, table.column_names, file)
    index = index_columns(table.schema.metadata)
    apart = {metadata.get("id"), metadata.get("sample_weight"), *index}
    weight_column = metadata.get("sample_weight")
    if id_column is None:
        id_column = metadata["id"] if "id" in metadata else _found_id(table, file, index)
    elif id_column is not False and id_column not in table.column_names:
        raise InvalidInputError(
            f"{file} has no column {id_column!r}; its columns are {table.column_names}."
        )
    if not metadata and SAMPLE_WEIGHT in table.column_names and id_column != SAMPLE_WEIGHT:
        weight_column = SAMPLE_WEIGHT  # the name used by `save`
    id_column = id_column or None
    apart |= {id_column, weight_column}
    names = [name for name in table.column_names if name not in apart]
    if not names:
        raise InvalidLabelsError(f"{file} has no member columns.")
    weights = metadata.get("weights")
    if weights is not None and len(weights) != len(names):
        raise damaged(file, f"has {len(weights)} weights for {len(names)} members")
    parts: dict[str, Any] = {
        "names": names,
        "weights": weights,
        "provenance": metadata.get("provenance"),
    }
    if id_column is not None:
        where = f"The id column {id_column!r} of {file}"
        parts["ids"] = check_ids(table[id_column], table.num_rows, where)
    if weight_column is not None:
        weight = table[weight_column].to_numpy()
        where = f"The column {weight_column!r} of {file}"
        parts["sample_weight"] = check_sample_weight(weight, table.num_rows, where)
    if metadata.get("soft"):
        n_clusters = metadata.get("n_clusters") or []
        if len(n_clusters) != len(names):
            raise damaged(
                file, f"has {len(n_clusters)} numbers of clusters for {len(names)} members"
            )
        matrices = [
            _memberships(table[name], k, f"column {name!r} of {file}")
            for name, k in zip(names, n_clusters, strict=True)
        ]
        return {
            **parts,
            "memberships": np.ascontiguousarray(np.hstack(matrices)),
            "values": tuple(np.arange(k) for k in n_clusters),
            "cluster_tables": _cluster_tables(metadata, np.array(n_clusters), file),
        }
    # Files written by this package use null for missing, so -1 is a label there.
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
        "cluster_tables": _cluster_tables(metadata, n_clusters, file),
    }


def _read_table(file: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        require_distinct(pq.read_schema(file).names, file)
        return pq.read_table(file, partitioning=None)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None


def _found_id(table: Any, file: Path, index: list[str]) -> str | None:
    """Find the id column of a file that `save` did not write, as the command does."""
    if not table.column_names:
        return None
    known = index[0] if len(index) == 1 and index[0] in table.column_names else None
    source = Source(file, tuple(table.column_names), "Parquet", lambda: iter(()), index=known)
    return find_id_column(source, None, table)


def _cluster_tables(metadata: dict[str, Any], n_clusters: Any, file: Path) -> Any:
    try:
        return from_text(metadata.get("cluster_tables") or {}, n_clusters)
    except (EOFError, MemoryError, OverflowError, SyntaxError, TypeError, ValueError) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise damaged(file, f"has cluster tables that cannot be read ({words})") from None


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


def _memberships(column: Any, n_clusters: int, where: str) -> Any:
    import pyarrow as pa

    if not (pa.types.is_list(column.type) and pa.types.is_floating(column.type.value_type)):
        raise InvalidLabelsError(
            f"{where} is of type {column.type}; soft members are lists of numbers."
        )
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    if len(flat) != len(column) * n_clusters or not len(column):
        raise InvalidLabelsError(
            f"{where} holds {len(flat)} memberships; {n_clusters} are needed for each of the "
            f"{len(column)} objects."
        )
    if not np.all((flat >= 0) & (flat <= 1.001)):
        row = int(np.flatnonzero(~((flat >= 0) & (flat <= 1.001)))[0]) // n_clusters
        raise InvalidLabelsError(f"{where} has a membership outside 0 to 1 at object {row}.")
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
