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
    check_parameters,
)
from consilience._utils._random import RandomState, seed_sequence
from consilience.answer import choose_k
from consilience.answer.internals import ConsensusChoice, make_consensus
from consilience.consensus import ConsensusFunction
from consilience.exceptions import InvalidInputError, WorseThanMemberWarning
from consilience.platforms._platform_consensus import PlatformConsensus
from consilience.platforms._read_platforms import balanced_weights, read_platforms


class _NumberOfClusters:
    """A number, or "auto"."""

    def accepts(self, value: object) -> bool:
        return (isinstance(value, str) and value == "auto") or Integer(2).accepts(value)

    def __str__(self) -> str:
        return "'auto' or an integer of at least 2"


_DECLARED: dict[str, Declaration] = {
    "n_clusters": _NumberOfClusters(),
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
    given = {
        "n_clusters": n_clusters,
        "id": id,
        "balance": balance,
        "function": function,
        "random_state": random_state,
    }
    check_parameters("cluster_of_clusters", _DECLARED, given)
    if weights is not None and not balance:
        raise InvalidInputError(
            "cluster_of_clusters: weights are those of platforms, so they need balance=True."
        )
    joined = read_platforms(platforms, id)
    ensemble = joined.ensemble
    if balance:
        ensemble = ensemble.with_weights(balanced_weights(joined.owners, weights))
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
    names = list(dict.fromkeys(joined.owners))
    owner = np.array([names.index(one) for one in joined.owners])
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
        joined.owners,
        choice,
    )
