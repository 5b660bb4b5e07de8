"""Frames with an id column: joined, aligned, looked up."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._encode import Encoded, encode_column, renumber, stack
from consilience.ensemble._validation import (
    as_frame,
    check_frame_shape,
    check_ids,
    frame_columns,
    series_values,
)
from consilience.exceptions import (
    InvalidInputError,
    LittleOverlapWarning,
    MatchedIdsWarning,
    warn,
)
from consilience.tables import align_ids


def join_frames(frames: Any, id_column: str) -> dict[str, Any]:
    """Return the parts of the outer join: missing labels where a frame does not list an object."""
    named = _named_frames(frames)
    parts = [_split(frame, id_column, where) for where, frame in named]
    aligned = align_ids([where for where, _ in named], [part.ids for part in parts])
    if aligned.matched is not None:
        warn(aligned.matched, MatchedIdsWarning)
    if aligned.overlap is not None:
        warn(aligned.overlap, LittleOverlapWarning)
    # Arrow numbers the ids by first appearance over all frames: that is the outer join.
    together = np.concatenate([ids.astype(object) for ids in aligned.ids])
    encoded_ids = encode_column(together, f"the id column {id_column!r}", categorical=True)
    all_ids, place = encoded_ids.values[0], encoded_ids.codes[:, 0].astype(np.int64) - 1
    columns, start = [], 0
    for part in parts:
        codes = np.zeros((len(all_ids), part.encoded.codes.shape[1]), part.encoded.codes.dtype)
        codes[place[start : start + len(part.ids)]] = part.encoded.codes
        columns.append(Encoded(codes, part.encoded.values))
        start += len(part.ids)
    names = _member_names([where for where, _ in named], [part.names for part in parts])
    return _parts(renumber(stack(columns)), names, all_ids)


def read_categorical(table: Any, id_column: str | None) -> dict[str, Any]:
    """Return the parts of an ensemble of which every column of one frame is a member."""
    frame = _as_eager_frame(table, "from_categorical")
    if id_column is not None:
        part = _split(frame, id_column, "the frame", categorical=True)
        return _parts(part.encoded, part.names, part.ids)
    check_frame_shape(frame, "A data frame")
    encoded = frame_columns(frame.iter_columns(), categorical=True)
    return _parts(encoded, tuple(str(name) for name in frame.columns), None)


def _parts(encoded: Encoded, names: tuple[str, ...], ids: Array | None) -> dict[str, Any]:
    return {"codes": encoded.codes, "values": encoded.values, "names": names, "ids": ids}


def positions(ids: Array, wanted: Any) -> Array:
    """Return the positions of the wanted ids among the known ones."""
    if isinstance(wanted, str) or np.isscalar(wanted):
        raise InvalidInputError(f"A list of object ids is needed; got {wanted!r}.")
    known = {key: row for row, key in enumerate(ids.tolist())}
    rows = []
    for key in np.asarray(wanted).tolist():
        if key not in known:
            example = next(iter(known))
            raise InvalidInputError(
                f"Unknown object id {key!r}; the ensemble has {len(known)} ids such as {example!r}."
            )
        rows.append(known[key])
    return np.array(rows, dtype=np.int64)


class _Part(NamedTuple):
    ids: Array
    encoded: Encoded
    names: tuple[str, ...]


def _split(frame: Any, id_column: str, where: str, *, categorical: bool = False) -> _Part:
    """Separate the id column of a frame from its members."""
    if id_column not in frame.columns:
        raise InvalidInputError(
            f"{where} has no id column {id_column!r}; its columns are {list(frame.columns)}."
        )
    members = [series for series in frame.iter_columns() if series.name != id_column]
    if not members:
        raise InvalidInputError(f"{where} has no column besides the id column {id_column!r}.")
    what = f"The id column {id_column!r} of {where}"
    ids = check_ids(series_values(frame.get_column(id_column), what), len(frame), what)
    encoded = frame_columns(members, f" of {where}", categorical=categorical)
    return _Part(ids, encoded, tuple(str(series.name) for series in members))


def _named_frames(frames: Any) -> list[tuple[str, Any]]:
    if isinstance(frames, Mapping):
        named = [(str(name), frame) for name, frame in frames.items()]
    elif isinstance(frames, Sequence):
        named = [(f"frame {i}", frame) for i, frame in enumerate(frames)]
    else:
        raise InvalidInputError(
            "from_frames takes a list of data frames or a dictionary of names and data frames; got "
            f"{type(frames).__name__}."
        )
    if not named:
        raise InvalidInputError("from_frames got no frames; at least one is needed.")
    return [(where, _as_eager_frame(frame, where)) for where, frame in named]


def _as_eager_frame(table: Any, where: str) -> Any:
    frame = as_frame(table)
    if frame is None:
        raise InvalidInputError(
            f"{where}: a pandas, polars or pyarrow data frame is needed; got {type(table).__name__}."
        )
    return frame


def _member_names(frames: list[str], columns: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Name members by their column, and by frame and column where that is ambiguous."""
    n_frames = Counter(name for names in columns for name in names)
    return tuple(
        name if n_frames[name] == 1 else f"{where}: {name}"
        for where, names in zip(frames, columns, strict=True)
        for name in names
    )
