"""Ensembles as Parquet, readable by pandas, polars, DuckDB, Spark and R."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from consilience._utils._atomic import atomic_path
from consilience.ensemble._cluster_tables import from_text, take_clusters, to_text
from consilience.ensemble._encode import Encoded, encode_column, renumber, stack
from consilience.ensemble._validation import check_ids
from consilience.ensemble._weights import check_sample_weight
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.tables.internals import index_columns, read_parquet

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble

IdColumn = str | Literal[False] | None
KEY = b"consilience"
SAMPLE_WEIGHT = "sample_weight"
_FORMAT = 1


def write(ensemble: "Ensemble", path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Write a row per object and a column per member, under the labels that were given."""
    if Path(path).suffix.lower() not in (".parquet", ".pq"):
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
        "format": _FORMAT,
        "id": id_column,
        "sample_weight": weight_column,
        "soft": ensemble.is_soft,
        "weights": ensemble.given_weights.tolist(),
        "n_clusters": ensemble.n_clusters.tolist(),
        "provenance": dict(ensemble.provenance),
        "cluster_tables": to_text(_tables_as_read(ensemble)),
    }
    try:
        stored = json.dumps(metadata).encode()
    except TypeError as error:
        raise InvalidInputError(
            f"The provenance of the ensemble cannot be saved ({error}); use plain numbers, text, lists "
            "and dictionaries."
        ) from None
    table = pa.table(columns).replace_schema_metadata({KEY: stored})
    with atomic_path(path, overwrite=overwrite) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read(path: str | os.PathLike[str], id_column: IdColumn) -> dict[str, Any]:
    """Return the parts of the ensemble in a Parquet file."""
    file = Path(path)
    if not file.is_file():
        raise InvalidInputError(f"There is no file {file}.")
    table, found = read_parquet(file)
    metadata = read_metadata(table.schema.metadata, table.column_names, file)
    if id_column is None:
        id_column = metadata.get("id", found)
    elif id_column is not False and id_column not in table.column_names:
        raise InvalidInputError(
            f"{file} has no column {id_column!r}; its columns are {table.column_names}."
        )
    weight_column = metadata.get("sample_weight")
    if not metadata and SAMPLE_WEIGHT in table.column_names and id_column != SAMPLE_WEIGHT:
        weight_column = SAMPLE_WEIGHT  # the name used by `save`
    apart = {id_column, metadata.get("id"), weight_column, *index_columns(table.schema.metadata)}
    names = [name for name in table.column_names if name not in apart]
    if not names:
        raise InvalidLabelsError(f"{file} has no member columns.")
    weights = metadata.get("weights")
    require_as_many(weights, names, "weights", file)
    parts: dict[str, Any] = {
        "names": names,
        "weights": weights,
        "provenance": metadata.get("provenance"),
    }
    if isinstance(id_column, str):
        where = f"The id column {id_column!r} of {file}"
        parts["ids"] = check_ids(table[id_column], table.num_rows, where)
    if weight_column is not None:
        weight = table[weight_column].to_numpy()
        where = f"The column {weight_column!r} of {file}"
        parts["sample_weight"] = check_sample_weight(weight, table.num_rows, where)
    columns = {f"column {name!r} of {file}": table[name] for name in names}
    if metadata.get("soft"):
        n_clusters = metadata.get("n_clusters") or []
        require_as_many(n_clusters, names, "numbers of clusters", file)
        matrices = [
            _memberships(column, k, where)
            for (where, column), k in zip(columns.items(), n_clusters, strict=True)
        ]
        parts["memberships"] = np.ascontiguousarray(np.hstack(matrices))
        parts["values"] = tuple(np.arange(k) for k in n_clusters)
    else:
        # Files written by this package use null for missing, so -1 is a label there.
        saved = bool(metadata)
        encoded = [encode_column(c, where, categorical=saved) for where, c in columns.items()]
        parts["codes"], parts["values"] = stack(encoded)
    try:
        n_clusters = np.array([len(value) for value in parts["values"]])
        parts["cluster_tables"] = from_text(metadata.get("cluster_tables") or {}, n_clusters)
    except (EOFError, MemoryError, OverflowError, SyntaxError, TypeError, ValueError) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise _damaged(file, f"has cluster tables that cannot be read ({words})") from None
    return parts


# --- metadata ------------------------------------------------------------------------------------


def read_metadata(
    schema_metadata: Mapping[bytes, bytes] | None, columns: Sequence[str], file: Path
) -> dict[str, Any]:
    """Return the metadata that `write` made, empty if it did not write the file.

    Raises
    ------
    InvalidInputError
        If an entry is not of the kind that `write` makes, or names a column that is not there.
    """
    stored = (schema_metadata or {}).get(KEY)
    if stored is None:
        return {}
    try:
        metadata = json.loads(stored)
    except (ValueError, RecursionError):
        raise _damaged(file, "is not JSON") from None
    if not isinstance(metadata, dict):
        raise _damaged(file, "is not a dictionary")
    version = metadata.get("format", _FORMAT)
    if not _is_count(version):
        raise _damaged(file, f"has the format {version!r}")
    if version > _FORMAT:
        raise InvalidInputError(
            f"{file} was written by a newer version of consilience (format {version}); upgrade to read "
            "it."
        )
    for name, is_legal in _LEGAL.items():
        if metadata.get(name) is not None and not is_legal(metadata[name]):
            raise _damaged(
                file, f"has an entry {name!r} of another kind than Ensemble.to_parquet writes"
            )
    for name in ("id", "sample_weight"):
        if metadata.get(name) is not None and metadata[name] not in columns:
            raise _damaged(file, f"names a column {metadata[name]!r} that is not in the file")
    return metadata


def _damaged(file: Path, what: str) -> InvalidInputError:
    """Return the error about metadata that cannot be used."""
    return InvalidInputError(
        f"{file}: its metadata under 'consilience' {what}; save the ensemble again, or write the table "
        "without this metadata to read the labels alone."
    )


def _is_count(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _is_text(given: Any) -> bool:
    return given is None or isinstance(given, str)


def _is_list(given: Any, is_entry: Callable[[Any], bool]) -> bool:
    return isinstance(given, list) and all(map(is_entry, given))


_LEGAL: dict[str, Callable[[Any], bool]] = {
    "id": _is_text,
    "sample_weight": _is_text,
    "soft": lambda given: isinstance(given, bool),
    "weights": lambda given: _is_list(given, _is_number),
    "n_clusters": lambda given: _is_list(given, _is_count),
    "provenance": lambda given: isinstance(given, dict),
    "cluster_tables": lambda given: (
        isinstance(given, dict) and all(_is_list(table, _is_text) for table in given.values())
    ),
}


def require_as_many(given: Any, names: Sequence[str], what: str, file: Path) -> None:
    """Refuse a list of the metadata that has not one entry per member."""
    if given is not None and len(given) != len(names):
        raise _damaged(file, f"has {len(given)} {what} for {len(names)} members")


# --- columns -------------------------------------------------------------------------------------


def _column(ensemble: "Ensemble", j: int) -> Any:
    codes = ensemble.codes[:, j].astype(np.int32)
    missing = pa.array(codes - 1, mask=codes == 0)
    return pa.array(ensemble.values[j]).take(missing)


def _soft_column(ensemble: "Ensemble", j: int) -> Any:
    part = ensemble.memberships[:, ensemble.layout.columns(j)].astype(np.float32)
    ends = np.arange(len(part) + 1, dtype=np.int32) * part.shape[1]
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(part.reshape(-1)))


def _memberships(column: Any, n_clusters: int, where: str) -> Any:
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
    is_share = (flat >= 0) & (flat <= 1.001)
    if not is_share.all():
        row = int(np.argmin(is_share)) // n_clusters
        raise InvalidLabelsError(f"{where} has a membership outside 0 to 1 at object {row}.")
    return flat.reshape(len(column), n_clusters)


def _tables_as_read(ensemble: "Ensemble") -> Any:
    """Return the cluster tables in the order that reading gives the clusters: by first appearance."""
    if ensemble.is_soft or not ensemble.cluster_tables:
        return ensemble.cluster_tables
    places = tuple(np.arange(len(value)) for value in ensemble.values)
    used = renumber(Encoded(ensemble.codes, places)).values
    return take_clusters(ensemble.cluster_tables, used)


def _free_name(name: str, taken: tuple[str, ...]) -> str:
    while name in taken:
        name += "_"
    return name
