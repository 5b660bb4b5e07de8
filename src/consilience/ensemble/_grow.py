"""Add members or objects to an ensemble, and encode new rows by known labels."""

from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._cluster_tables import join_members
from consilience.ensemble._encode import Encoded, code_dtype, stack
from consilience.ensemble._join import positions
from consilience.exceptions import InvalidInputError, InvalidLabelsError

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble


def member_positions(members: Any, names: tuple[str, ...]) -> Array:
    """Turn names, positions or a mask into positions."""
    if isinstance(members, slice):
        return _positions(members, len(names), "members")
    chosen = np.atleast_1d(np.asarray(members))
    if chosen.dtype.kind in "UO":
        unknown = [name for name in chosen.tolist() if name not in names]
        if unknown:
            raise InvalidInputError(
                f"There is no member named {unknown[0]!r}; the members are {list(names)}."
            )
        chosen = np.array([names.index(name) for name in chosen.tolist()])
    return _positions(chosen, len(names), "members")


def row_positions(objects: Any, n_samples: int) -> Array:
    """Turn positions, a slice or a mask of objects into positions."""
    return _positions(objects, n_samples, "objects")


def _positions(given: Any, n: int, what: str) -> Array:
    chosen = np.arange(n)[given] if isinstance(given, slice) else np.asarray(given)
    if chosen.dtype.kind == "b":
        if chosen.shape != (n,):
            raise InvalidInputError(
                f"A mask of {what} must have {n} entries; got shape {chosen.shape}."
            )
        chosen = np.flatnonzero(chosen)
    if chosen.ndim != 1 or len(chosen) == 0 or chosen.dtype.kind not in "iu":
        raise InvalidInputError(
            f"The {what} are given as a list of at least one position, a slice or a mask; got "
            f"{chosen.tolist()!r}."
        )
    if chosen.min() < -n or chosen.max() >= n:
        raise InvalidInputError(
            f"The {what} are numbered 0 to {n - 1}; got {int(chosen.min())} to {int(chosen.max())}."
        )
    return chosen % n


def append_members(first: "Ensemble", members: Any, weights: Any, names: Any) -> dict[str, Any]:
    """Return the parts of an ensemble with more members."""
    other = type(first).from_labels(members)
    if weights is not None:
        other = other.with_weights(weights)
    if first.ids is not None and other.ids is not None:
        positions(first.ids, other.ids)  # raises an error for the first unknown id
        if len(other) == len(first):
            # Keep the canonical order of the first ensemble's rows.
            other = other.take(positions(other.ids, first.ids))
    if len(other) != len(first):
        raise InvalidInputError(
            f"The new members must label the same {len(first)} objects; they label {len(other)}."
        )
    if other.is_soft != first.is_soft:
        raise InvalidInputError(
            "Soft and hard members cannot be mixed by append; pass them all to from_memberships."
        )
    if names is None:
        names = other.names
        if set(names) & set(first.names):
            names = _free_names(first.names, other.n_members)
    parts: dict[str, Any] = {
        "names": (*first.names, *names),
        "weights": np.concatenate([first.given_weights, other.given_weights]),
        "values": (*first.values, *other.values),
        "cluster_tables": join_members(first.cluster_tables, other.cluster_tables),
    }
    if first.is_soft:
        return {**parts, "memberships": np.hstack([first.memberships, other.memberships])}
    both = stack([Encoded(first.codes, first.values), Encoded(other.codes, other.values)])
    return {**parts, "codes": both.codes}


def append_objects(first: "Ensemble", objects: Any, ids: Any) -> dict[str, Any]:
    """Return the parts of an ensemble with more objects; new labels are matched by name."""
    other = _read_rows(first, objects)
    if other.is_soft != first.is_soft:
        raise InvalidLabelsError(
            f"The ensemble is {'soft' if first.is_soft else 'hard'}; new objects must be "
            f"{'memberships' if first.is_soft else 'labels, not memberships'}."
        )
    new_ids = other.ids if ids is None else ids
    if (first.ids is None) != (new_ids is None):
        raise InvalidInputError(
            "Either all objects have ids or none: the ensemble has "
            f"{'none' if first.ids is None else 'ids'}, the new objects "
            f"{'none' if new_ids is None else 'have them'}."
        )
    if first.sample_weight is not None:
        raise InvalidInputError("Append objects before giving rows a weight.")
    parts: dict[str, Any] = {}
    if first.ids is not None:
        parts["ids"] = np.concatenate([first.ids.astype(object), np.asarray(new_ids, dtype=object)])
    if first.is_soft:
        _check_same_clusters(first, other)
        return {**parts, "memberships": np.vstack([first.memberships, other.memberships])}
    lookups, values = _lookups(first, other, grow=True)
    dtype = code_dtype(max(len(value) for value in values))
    codes = np.vstack(
        [first.codes.astype(dtype, copy=False), _translate(other.codes, lookups, dtype)]
    )
    if any(len(new) > len(old) for new, old in zip(values, first.values, strict=True)):
        parts["cluster_tables"] = {}  # the tables have no rows for the new clusters
    return {**parts, "codes": codes, "values": values}


def encode_new(first: "Ensemble", labels: Any) -> tuple[dict[str, Any], Array]:
    """Return the parts of new rows under known labels, and the unseen labels per member."""
    other = _read_rows(first, labels)
    parts: dict[str, Any] = {"ids": other.ids, "sample_weight": None}
    if first.is_soft:
        _check_same_clusters(first, other)
        unseen = np.zeros(first.n_members, dtype=np.int64)
        return {**parts, "memberships": other.memberships}, unseen
    if other.is_soft:
        raise InvalidLabelsError(
            "The ensemble has labels; new rows must be labels, not memberships."
        )
    lookups, _ = _lookups(first, other, grow=False)
    codes = _translate(other.codes, lookups, first.codes.dtype)
    unseen = other.n_observed - np.count_nonzero(codes, axis=0)
    return {**parts, "codes": codes}, unseen


def _lookups(
    first: "Ensemble", other: "Ensemble", *, grow: bool
) -> tuple[list[Array], tuple[Array, ...]]:
    """Map the codes of `other` to those of `first`; unknown labels become new codes, or missing."""
    lookups, values = [], []
    for known, given in zip(first.values, other.values, strict=True):
        names = known.tolist()
        code_of = {name: code + 1 for code, name in enumerate(names)}
        lookup = [0]
        for name in given.tolist():
            if grow and name not in code_of:
                names.append(name)
                code_of[name] = len(names)
            lookup.append(code_of.get(name, 0))
        lookups.append(np.array(lookup))
        is_text = {isinstance(name, str) for name in names}
        if len(is_text) > 1:
            raise InvalidLabelsError(
                f"A member holds either numbers or text: it has {known.tolist()[:3]}, the new objects "
                f"bring {given.tolist()[:3]}."
            )
        values.append(np.array(names, dtype=object if True in is_text else None))
    return lookups, tuple(values)


def _translate(codes: Array, lookups: list[Array], dtype: Any) -> Array:
    translated = np.empty(codes.shape, dtype=dtype)
    for j, lookup in enumerate(lookups):
        translated[:, j] = lookup[codes[:, j]]
    return translated


def _read_rows(first: "Ensemble", rows: Any) -> "Ensemble":
    """Read new rows; columns with names are put into the order of the members."""
    other = type(first).from_new_rows(rows)
    if other.n_members != first.n_members:
        raise InvalidInputError(
            f"X has {other.n_members} features, but this ensemble is expecting {first.n_members} "
            "features as input: a label of every member."
        )
    if other.names == first.names or not other.is_named:
        return other
    if set(other.names) != set(first.names):
        unknown = next(name for name in other.names if name not in first.names)
        raise InvalidInputError(
            f"There is no member named {unknown!r}; the members are {list(first.names)}."
        )
    return other.select(first.names)


def _free_names(taken: tuple[str, ...], n_names: int) -> list[str]:
    candidates = (f"member_{j}" for j in range(len(taken) + n_names))
    return [name for name in candidates if name not in taken][-n_names:]


def _check_same_clusters(first: "Ensemble", other: "Ensemble") -> None:
    if not other.is_soft or not np.array_equal(first.n_clusters, other.n_clusters):
        raise InvalidLabelsError(
            "New rows of a soft ensemble must be memberships in the same clusters, "
            f"{first.n_clusters.tolist()} per member; got {other.n_clusters.tolist()}"
            f"{'' if other.is_soft else ' as hard labels'}."
        )
