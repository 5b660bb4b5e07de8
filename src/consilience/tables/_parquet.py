"""Parquet, read a batch of row groups at a time."""

from collections.abc import Iterator
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
            names, n_rows = opened.schema_arrow.names, opened.metadata.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(file, error) from None
    if not names or not n_rows:
        raise InvalidInputError(
            f"{file} has {n_rows} rows and {len(names)} columns; at least one of each is needed."
        )

    def batches() -> Iterator[Any]:
        try:
            with pq.ParquetFile(file) as opened:
                yield from opened.iter_batches(_ROWS, use_threads=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _unreadable(file, error) from None

    return Source(file, distinct_names(list(names), file), "Parquet", batches)


def _unreadable(file: Path, error: Exception) -> InvalidInputError:
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InvalidInputError(f"{file} cannot be read as Parquet: {words}")
