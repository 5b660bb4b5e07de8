"""Labels in files that need not fit into memory."""

import os
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from consilience._utils._config import thread_count
from consilience._utils._memory import memory_limit, require_memory
from consilience._utils._types import Array
from consilience.ensemble._chunked_ensemble import ChunkedEnsemble
from consilience.ensemble._recode import Recoder, Survey, merge_surveys, survey_piece
from consilience.ensemble._storage import SAMPLE_WEIGHT, damaged, read_metadata
from consilience.ensemble._weights import check_sample_weight
from consilience.exceptions import InvalidInputError, UnsupportedInputError
from consilience.incidence import (
    ArraySource,
    BlockSource,
    StoredRows,
    current_client,
    cut,
    from_ranges,
    keep,
    on_ranges,
    stripe_rows,
    threaded,
)
from consilience.tables.internals import (
    ParquetRows,
    StoredTable,
    index_columns,
    is_id_name,
    open_rows,
)


def open_ensemble(
    path: str | os.PathLike[str],
    id_column: str | Literal[False] | None,
    weights: Any,
    drop: Sequence[str] = (),
) -> ChunkedEnsemble:
    """Scan the files once, and read stripes of rows when they are needed."""
    rows = open_rows(path)
    known = read_metadata(rows.metadata, rows.names, rows.path)
    if known.get("soft"):
        raise UnsupportedInputError(
            f"{rows.path} holds soft members, which cannot be read in pieces; use "
            "Ensemble.from_parquet."
        )
    index = index_columns(rows.metadata)
    if id_column is None and not known:
        id_column = next((name for name in (*index, *rows.names) if is_id_name(name)), None)
    id_column = id_column or None
    for name in (*drop, *([] if id_column is None else [id_column])):
        if name not in rows.names:
            raise InvalidInputError(
                f"{rows.path} has no column {name!r}; its columns are {', '.join(rows.names)}."
            )
    weight_column = known.get("sample_weight")
    if not known and SAMPLE_WEIGHT in rows.names and id_column != SAMPLE_WEIGHT:
        weight_column = SAMPLE_WEIGHT
    apart = {id_column, known.get("id"), weight_column, *index}
    members = [name for name in rows.names if name not in apart]
    names = tuple(name for name in members if name not in drop)
    if not names or not rows.n_rows:
        raise InvalidInputError(f"{rows.path} has no rows, or no columns of labels.")
    labels = _Labels(rows, names)
    # Per thread, the codes of one stripe in use and one in the queue.
    require_memory(
        (2 * thread_count() + 1) * stripe_rows(len(names)) * len(names),
        f"Reading {rows.path} a stripe at a time",
        "Increase the limit, or use fewer threads.",
    )
    stripes = cut(0, rows.n_rows, stripe_rows(len(names)))
    survey = merge_surveys(on_ranges(labels.survey, stripes))
    source = _kept(
        EncodedRows(labels, Recoder(survey.values)), decoding_is_slow=isinstance(rows, ParquetRows)
    )
    parts = {
        "source": source,
        "known": survey.n_observed,
        "chunks": None,
        "values": survey.values,
        "names": names if isinstance(rows, ParquetRows) else None,
        "weights": _weights(rows, known, members, names) if weights is None else weights,
        "sample_weight": _row_weight(rows, weight_column),
        "provenance": known.get("provenance"),
    }
    ensemble: ChunkedEnsemble = ChunkedEnsemble.from_parts(parts)
    return ensemble


class _Labels:
    """The columns of a file that hold labels."""

    def __init__(self, rows: StoredTable, names: Sequence[str]) -> None:
        self.rows = rows
        self.names = tuple(names)

    def read(self, start: int, stop: int) -> Iterator[Any]:
        return self.rows.read(start, stop, self.names)

    def survey(self, rows: tuple[int, int]) -> Survey:
        pieces = (survey_piece(piece, place) for place, piece in enumerate(self.read(*rows)))
        return merge_surveys(pieces)


class EncodedRows(StoredRows):
    """Codes of the rows of a file, encoded while reading."""

    def __init__(self, labels: _Labels, recoder: Recoder) -> None:
        self._labels = labels
        self._recoder = recoder

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self._labels.rows.n_rows

    @property
    def n_bytes(self) -> int:
        """Return the size of all codes in bytes."""
        return self.n_rows * len(self._recoder.values) * int(self._recoder.dtype.itemsize)

    @property
    def dtype(self) -> Any:
        """Return the type of the codes."""
        return self._recoder.dtype

    @property
    def values(self) -> tuple[Array, ...]:
        """Return the labels behind the codes of every member."""
        return self._recoder.values

    def read_range(self, rows: tuple[int, int]) -> Array:
        """Read rows given as a pair."""
        return self.read(*rows)

    def read(self, start: int, stop: int) -> Array:
        """Read and encode rows, in small pieces."""
        codes = np.empty((stop - start, len(self._recoder.values)), dtype=self.dtype)
        place = 0
        for position, piece in enumerate(self._labels.read(start, stop)):
            codes[place : place + len(piece)] = self._recoder(piece, position)
            place += len(piece)
        return codes


class FileRows(StoredRows):
    """Codes in a temporary file, row by row; the file is deleted when it is no longer used."""

    def __init__(self, source: EncodedRows) -> None:
        self._shape = (source.n_rows, source.read(0, 1).shape[1])
        self._dtype = source.dtype
        handle, name = tempfile.mkstemp(prefix="consilience-", suffix=".codes")
        self._path = Path(name)
        self._finalizer = weakref.finalize(self, self._path.unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            ranges = cut(0, source.n_rows, stripe_rows(self._shape[1]))
            for codes in threaded(source.read_range, ranges):
                codes.tofile(file)

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self._shape[0]

    def read(self, start: int, stop: int) -> Array:
        """Read rows."""
        width = self._shape[1]
        row = width * self._dtype.itemsize
        count = (stop - start) * width
        codes = np.fromfile(self._path, dtype=self._dtype, count=count, offset=start * row)
        return codes.reshape(-1, width)


def _kept(source: EncodedRows, *, decoding_is_slow: bool) -> BlockSource:
    """Keep the codes in memory of workers or of this process, or in a temporary file if needed."""
    if current_client() is not None:
        width = len(source.values)
        ranges = cut(0, source.n_rows, stripe_rows(width))
        return keep(from_ranges(source.read_range, ranges, width=width, dtype=source.dtype))
    if source.n_bytes <= memory_limit() // 4:
        return ArraySource(source.read(0, source.n_rows))
    return FileRows(source) if decoding_is_slow else source


def _weights(
    rows: StoredTable, known: dict[str, Any], members: Sequence[str], names: Sequence[str]
) -> list[float] | None:
    """Return the stored weights of those members that are read."""
    stored = known.get("weights")
    if stored is None:
        return None
    if len(stored) != len(members):
        raise damaged(rows.path, f"has {len(stored)} weights for {len(members)} members")
    weight = dict(zip(members, stored, strict=True))
    return [weight[name] for name in names]


def _row_weight(rows: StoredTable, column: str | None) -> Array | None:
    if column is None:
        return None
    pieces = [piece[column].to_numpy() for piece in rows.read(0, rows.n_rows, [column])]
    return check_sample_weight(np.concatenate(pieces), rows.n_rows)
