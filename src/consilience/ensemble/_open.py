"""Labels in files that need not fit into memory."""

import os
import tempfile
import weakref
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from consilience._utils._config import thread_count
from consilience._utils._memory import memory_limit, require_memory
from consilience._utils._types import Array
from consilience.ensemble._chunked_ensemble import ChunkedEnsemble
from consilience.ensemble._recode import Recoder, Survey, merge_surveys, survey_piece
from consilience.ensemble._storage import SAMPLE_WEIGHT, read_metadata, require_as_many
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
    # Per thread, the codes of one stripe in use and one in the queue.
    require_memory(
        (2 * thread_count() + 1) * stripe_rows(len(names)) * len(names),
        f"Reading {rows.path} a stripe at a time",
        "Increase the limit, or use fewer threads.",
    )
    stripes = cut(0, rows.n_rows, stripe_rows(len(names)))
    survey = merge_surveys(on_ranges(partial(_survey, rows, names), stripes))
    source = EncodedRows(rows, names, Recoder(survey.values))
    if weights is None and known.get("weights") is not None:
        require_as_many(known["weights"], members, "weights", rows.path)
        stored = zip(members, known["weights"], strict=True)
        weights = [weight for name, weight in stored if name not in drop]
    sample_weight = None
    if weight_column is not None:
        pieces = rows.read(0, rows.n_rows, [weight_column])
        column = np.concatenate([piece[weight_column].to_numpy() for piece in pieces])
        sample_weight = check_sample_weight(column, rows.n_rows)
    parts = {
        "source": _kept(source, decoding_is_slow=isinstance(rows, ParquetRows)),
        "known": survey.n_observed,
        "chunks": None,
        "values": survey.values,
        "names": names if isinstance(rows, ParquetRows) else None,
        "weights": weights,
        "sample_weight": sample_weight,
        "provenance": known.get("provenance"),
    }
    ensemble: ChunkedEnsemble = ChunkedEnsemble.from_parts(parts)
    return ensemble


def _survey(table: StoredTable, names: Sequence[str], rows: tuple[int, int]) -> Survey:
    """Collect the labels of some rows."""
    pieces = enumerate(table.read(*rows, names))
    return merge_surveys(survey_piece(piece, place) for place, piece in pieces)


class EncodedRows(StoredRows):
    """Codes of the rows of a file, encoded while reading."""

    def __init__(self, table: StoredTable, names: Sequence[str], recoder: Recoder) -> None:
        self._table = table
        self._names = tuple(names)
        self._recoder = recoder
        self.n_rows = table.n_rows
        self.width = len(recoder.values)
        self.dtype = recoder.dtype

    def read_range(self, rows: tuple[int, int]) -> Array:
        """Read rows given as a pair."""
        return self.read(*rows)

    def read(self, start: int, stop: int) -> Array:
        """Read and encode rows, in small pieces."""
        codes = np.empty((stop - start, self.width), dtype=self.dtype)
        place = 0
        for position, piece in enumerate(self._table.read(start, stop, self._names)):
            codes[place : place + len(piece)] = self._recoder(piece, position)
            place += len(piece)
        return codes


class FileRows(StoredRows):
    """Codes in a temporary file, row by row; the file is deleted when it is no longer used."""

    def __init__(self, source: EncodedRows) -> None:
        self.n_rows = source.n_rows
        self._width = source.width
        self._dtype = source.dtype
        handle, name = tempfile.mkstemp(prefix="consilience-", suffix=".codes")
        self._path = Path(name)
        self._finalizer = weakref.finalize(self, self._path.unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            for codes in threaded(source.read_range, _stripes(source)):
                codes.tofile(file)

    def read(self, start: int, stop: int) -> Array:
        """Read rows."""
        offset = start * self._width * self._dtype.itemsize
        count = (stop - start) * self._width
        codes = np.fromfile(self._path, dtype=self._dtype, count=count, offset=offset)
        return codes.reshape(-1, self._width)


def _stripes(source: EncodedRows) -> list[tuple[int, int]]:
    return cut(0, source.n_rows, stripe_rows(source.width))


def _kept(source: EncodedRows, *, decoding_is_slow: bool) -> BlockSource:
    """Keep the codes in memory of workers or of this process, or in a temporary file if needed."""
    if current_client() is not None:
        width, dtype = source.width, source.dtype
        return keep(from_ranges(source.read_range, _stripes(source), width=width, dtype=dtype))
    if source.n_rows * source.width * source.dtype.itemsize <= memory_limit() // 4:
        return ArraySource(source.read(0, source.n_rows))
    return FileRows(source) if decoding_is_slow else source
