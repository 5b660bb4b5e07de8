"""Cluster of clusters: a consensus of clusterings from several platforms."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from consilience._utils._declare import (
    Declaration,
    Flag,
    Integer,
    Name,
    Optional,
    Seed,
    WordOr,
    check_parameters,
)
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.answer import choose_k
from consilience.answer.internals import ConsensusChoice, make_consensus
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.exceptions import (
    InvalidInputError,
    LittleOverlapWarning,
    MatchedIdsWarning,
    WorseThanMemberWarning,
    warn,
)
from consilience.platforms._platform_consensus import PlatformConsensus
from consilience.tables import align_ids

_DECLARED: dict[str, Declaration] = {
    "n_clusters": WordOr(Integer(2), "auto"),
    "id": Optional(Name()),
    "balance": Flag(),
    "function": ConsensusChoice(),
    "random_state": Seed(),
}


def cluster_of_clusters(
    platforms: Mapping[str, Any],
    n_clusters: int | str,
    *,
    id: str | None = None,  # noqa: A002 - the word users know
    balance: bool = True,
    weights: Mapping[str, float] | None = None,
    function: str | ConsensusFunction | None = None,
    random_state: RandomState = 0,
) -> PlatformConsensus:
    """Combine the clusterings of several platforms (cluster of clusters, COCA).

    Samples are joined by their ids, and need not be on all platforms. All platforms have the same
    total weight: ten clusterings of one count as much as one clustering of another.

    Parameters
    ----------
    platforms : mapping of str -> clusterings
        For every platform one of: a pandas Series of labels with the ids as index; a pandas data frame
        with the ids as index and a clustering per column; any data frame with the column `id`; a
        dictionary of ids and labels; an Ensemble with ids.
    n_clusters : int or "auto"
        Clusters wanted. "auto": chosen by `consilience.answer.choose_k` from the members, each counted
        once; there must be four clusterings at least.
    id : str, optional
        The column of data frames that holds the ids.
    balance : bool, default True
        Give all platforms the same weight; False: give all clusterings the same weight.
    weights : mapping of str -> float, optional
        Weights of platforms instead, 1 for those not named; needs ``balance=True``.
    function : str, consensus function or None, default None
        How members are combined; None: Concord.
    random_state : int, generator or None, default 0
        Seed of all random numbers.

    Returns
    -------
    PlatformConsensus
        Ids, labels, confidence, a table of the platforms, and a picture.

    References
    ----------
    [hoadley2014]_

    Examples
    --------
    >>> from consilience.platforms import cluster_of_clusters
    >>> found = cluster_of_clusters(
    ...     {
    ...         "expression": {"p1": "A", "p2": "A", "p3": "B", "p4": "B"},
    ...         "methylation": {"p2": 1, "p3": 2, "p4": 2, "p5": 2},
    ...         "protein": {"p1": "x", "p2": "x", "p4": "y", "p5": "y"},
    ...     },
    ...     n_clusters=2,
    ... )
    >>> dict(zip(found.ids.tolist(), found.labels.tolist()))
    {'p1': 0, 'p2': 0, 'p3': 1, 'p4': 1, 'p5': 1}
    """
    check_parameters("cluster_of_clusters", _DECLARED, locals())
    if weights is not None and not balance:
        raise InvalidInputError(
            "cluster_of_clusters: weights are those of platforms, so they need balance=True."
        )
    ensemble, owners = _read_platforms(platforms, id)
    if balance:
        ensemble = ensemble.with_weights(_balanced_weights(owners, weights))
    choosing, combining = (
        int(child.generate_state(1)[0]) for child in seed_sequence(random_state).spawn(2)
    )
    choice = None
    if isinstance(n_clusters, str):
        choice = choose_k(ensemble, random_state=choosing)
        if choice.n_clusters < 2:
            raise InvalidInputError(
                "cluster_of_clusters: the clusterings do not say how many clusters there are "
                f"({choice.evidence}); give n_clusters."
            )
    wanted = int(n_clusters) if choice is None else choice.n_clusters
    fitted = make_consensus(function, wanted, combining, constrained=False)
    with warnings.catch_warnings():
        if balance:
            # choose_k counts every member once, but platforms have balanced weights.
            warnings.simplefilter("ignore", WorseThanMemberWarning)
        fitted.fit(ensemble)
    names = list(dict.fromkeys(owners))
    owner = np.array([names.index(one) for one in owners])
    known = ensemble.labels >= 0
    n_platforms = sum(
        known[:, owner == place].any(axis=1).astype(int) for place in range(len(names))
    )
    return PlatformConsensus(
        np.asarray(ensemble.ids),
        np.asarray(fitted.labels_),
        fitted.own_shares(ensemble),
        np.asarray(n_platforms),
        ensemble,
        owners,
        choice,
    )


def _read_platforms(platforms: Any, id_column: str | None) -> tuple[Ensemble, tuple[str, ...]]:
    """Return all members on all samples, joined by their ids, and the platform of every member.

    Samples that a platform does not have are missing in its members.
    """
    is_mapping = isinstance(platforms, Mapping)
    if not is_mapping or len(platforms) < 2:
        got = f"{len(platforms)} of them" if is_mapping else type(platforms).__name__
        raise InvalidInputError(
            f"platforms must be a dictionary of at least two names and clusterings; got {got}."
        )
    parts = {str(name): _read(str(name), given, id_column) for name, given in platforms.items()}
    # Every platform was read with ids.
    aligned = align_ids(list(parts), [np.asarray(part.ids) for part in parts.values()])
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
    return Ensemble(np.column_stack(columns), names=names, ids=samples), tuple(owners)


def _balanced_weights(owners: tuple[str, ...], weights: Mapping[str, float] | None) -> Array:
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
