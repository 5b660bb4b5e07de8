"""Clusterings of several platforms under one list of samples."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import (
    InvalidInputError,
    LittleOverlapWarning,
    MatchedIdsWarning,
    warn,
)
from consilience.tables import align_ids


class Joined(NamedTuple):
    """All members on all samples, and the platform of every member."""

    ensemble: Ensemble
    owners: tuple[str, ...]


def read_platforms(platforms: Any, id_column: str | None) -> Joined:
    """Join platforms on the ids of samples; samples that a platform does not have are missing in it."""
    if not isinstance(platforms, Mapping) or len(platforms) < 2:
        got = (
            f"{len(platforms)} of them"
            if isinstance(platforms, Mapping)
            else type(platforms).__name__
        )
        raise InvalidInputError(
            f"platforms must be a dictionary of at least two names and clusterings; got {got}."
        )
    parts = {str(name): _read(str(name), given, id_column) for name, given in platforms.items()}
    aligned = align_ids(list(parts), [_ids(part) for part in parts.values()])
    if aligned.matched is not None:
        warn(aligned.matched, MatchedIdsWarning)
    if aligned.overlap is not None:
        warn(aligned.overlap, LittleOverlapWarning)
    place: dict[Any, int] = {}
    for ids in aligned.ids:
        for key in ids.tolist():
            place.setdefault(key, len(place))
    columns, names, owners = [], [], []
    for (platform, part), keys in zip(parts.items(), aligned.ids, strict=True):
        rows = np.array([place[key] for key in keys.tolist()], dtype=np.int64)
        for member in range(part.n_members):
            column = np.full(len(place), -1, dtype=np.int64)
            column[rows] = part.labels[:, member]
            columns.append(column)
            own = part.names[member] if part.is_named else str(member)
            names.append(platform if part.n_members == 1 else f"{platform}: {own}")
            owners.append(platform)
    samples = np.empty(len(place), dtype=object)
    samples[:] = list(place)
    if all(isinstance(key, int) for key in place):
        samples = samples.astype(np.int64)
    return Joined(Ensemble(np.column_stack(columns), names=names, ids=samples), tuple(owners))


def balanced_weights(owners: tuple[str, ...], weights: Mapping[str, float] | None) -> Array:
    """Return weights of members by which every platform has the same total, or the one given."""
    platforms = list(dict.fromkeys(owners))
    given = dict.fromkeys(platforms, 1.0)
    for platform, weight in (weights or {}).items():
        if platform not in given:
            raise InvalidInputError(
                f"weights names the platform {platform!r}; the platforms are {platforms}."
            )
        given[platform] = float(weight)
    if not all(0 <= weight < np.inf for weight in given.values()) or not any(given.values()):
        raise InvalidInputError(
            f"weights must be finite, not negative and not all 0; got {dict(weights or {})}."
        )
    number = {platform: owners.count(platform) for platform in platforms}
    each = np.array([given[owner] / number[owner] for owner in owners])
    # A mean of 1, as if there were no weights.
    balanced: Array = each * (len(each) / each.sum())
    return balanced


def _ids(part: Ensemble) -> Array:
    assert part.ids is not None  # noqa: S101 - every platform was read with ids
    return part.ids


def _read(platform: str, given: Any, id_column: str | None) -> Ensemble:
    if isinstance(given, Ensemble):
        if given.ids is None:
            raise InvalidInputError(
                f"The ensemble of the platform {platform!r} has no ids of samples, by which platforms "
                "are joined; use ensemble.with_ids(...)."
            )
        return given
    if isinstance(given, Mapping):
        return _of_series(platform, list(given), list(given.values()))
    if hasattr(given, "index") and hasattr(given, "to_numpy") and not callable(given.index):
        return _of_pandas(platform, given, id_column)
    if id_column is None:
        raise InvalidInputError(
            f"The platform {platform!r} is a {type(given).__name__} without an index; give id=, the "
            "column that holds the ids of samples."
        )
    return Ensemble.from_frames({platform: given}, id=id_column)


def _of_pandas(platform: str, given: Any, id_column: str | None) -> Ensemble:
    if getattr(given, "ndim", 2) == 1:
        return _of_series(platform, given.index.tolist(), given.tolist())
    if id_column is not None and id_column in given.columns:
        return Ensemble.from_frames({platform: given}, id=id_column)
    ids = np.empty(len(given), dtype=object)
    ids[:] = given.index.tolist()
    return Ensemble(given.reset_index(drop=True), ids=ids)


def _of_series(platform: str, keys: list[Any], labels: list[Any]) -> Ensemble:
    if not keys:
        raise InvalidInputError(f"The platform {platform!r} has no samples.")
    ids = np.empty(len(keys), dtype=object)
    ids[:] = keys
    return Ensemble([labels], ids=ids)
