"""Read and validate the metadata that `Ensemble.to_parquet` writes."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from consilience.exceptions import InvalidInputError

KEY = b"consilience"
FORMAT = 1


def read_metadata(
    schema_metadata: Mapping[bytes, bytes] | None, columns: Sequence[str], file: Path
) -> dict[str, Any]:
    """Return the metadata of an ensemble, empty if `save` did not write the file.

    Raises
    ------
    InvalidInputError
        If an entry is not of the kind that `save` writes, or names a column that is not there.
    """
    stored = (schema_metadata or {}).get(KEY)
    if stored is None:
        return {}
    try:
        metadata = json.loads(stored)
    except (ValueError, RecursionError):
        raise damaged(file, "is not JSON") from None
    if not isinstance(metadata, dict):
        raise damaged(file, "is not a dictionary")
    version = metadata.get("format", FORMAT)
    if not _is_count(version):
        raise damaged(file, f"has the format {version!r}")
    if version > FORMAT:
        raise InvalidInputError(
            f"{file} was written by a newer version of consilience (format {version}); upgrade to read "
            "it."
        )
    for name, is_legal in _LEGAL.items():
        if not is_legal(metadata.get(name)):
            raise damaged(
                file, f"has an entry {name!r} of another kind than Ensemble.to_parquet writes"
            )
    for name in ("id", "sample_weight"):
        if metadata.get(name) is not None and metadata[name] not in columns:
            raise damaged(file, f"names a column {metadata[name]!r} that is not in the file")
    return metadata


def damaged(file: Path, what: str) -> InvalidInputError:
    """Return the error about metadata that cannot be used."""
    return InvalidInputError(
        f"{file}: its metadata under 'consilience' {what}; save the ensemble again, or write the table "
        "without this metadata to read the labels alone."
    )


def _is_text(given: Any) -> bool:
    return given is None or isinstance(given, str)


def _is_count(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def _is_numbers(given: Any) -> bool:
    return given is None or (
        isinstance(given, list)
        and all(isinstance(n, int | float) and not isinstance(n, bool) for n in given)
    )


def _is_counts(given: Any) -> bool:
    return given is None or (isinstance(given, list) and all(map(_is_count, given)))


def _is_tables(given: Any) -> bool:
    return given is None or (
        isinstance(given, dict)
        and all(isinstance(table, list) and all(map(_is_text, table)) for table in given.values())
    )


_LEGAL: dict[str, Callable[[Any], bool]] = {
    "id": _is_text,
    "sample_weight": _is_text,
    "soft": lambda given: given is None or isinstance(given, bool),
    "weights": _is_numbers,
    "n_clusters": _is_counts,
    "provenance": lambda given: given is None or isinstance(given, dict),
    "cluster_tables": _is_tables,
}
