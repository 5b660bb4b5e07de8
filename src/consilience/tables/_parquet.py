"""Parquet, read a batch of row groups at a time."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from consilience.exceptions import InvalidInputError
from consilience.tables._source import Source, distinct_names

_ROWS = 65_536


def open_parquet(file: Path) -> Source:
    """Read the schema of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            schema, n_rows = opened.schema_arrow, opened.metadata.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None
    names = schema.names
    if not names or not n_rows:
        raise InvalidInputError(
            f"{file} has {n_rows} rows and {len(names)} columns; at least one of each is needed."
        )

    def batches() -> Iterator[Any]:
        try:
            with pq.ParquetFile(file) as opened:
                yield from opened.iter_batches(_ROWS, use_threads=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise unreadable(file, error) from None

    index = index_columns(schema.metadata)
    shown = distinct_names(list(names), file)
    return Source(
        path=file,
        names=shown,
        kind="Parquet",
        batches=batches,
        index=shown[names.index(index[0])] if len(index) == 1 and index[0] in names else None,
    )


def index_columns(metadata: Mapping[bytes, bytes] | None) -> list[str]:
    """Return the columns in which pandas stored the index of a frame; none if this is not known."""
    try:
        stored = json.loads((metadata or {}).get(b"pandas", b"{}"))
    except (ValueError, RecursionError):
        return []
    columns = stored.get("index_columns") if isinstance(stored, dict) else None
    return [name for name in columns if isinstance(name, str)] if isinstance(columns, list) else []


def unreadable(file: Path, error: Exception) -> InvalidInputError:
    """Return what is wrong with a Parquet file, in one line."""
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InvalidInputError(f"{file} cannot be read as Parquet: {words}")
