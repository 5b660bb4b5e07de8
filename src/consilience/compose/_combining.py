"""The members of a model, combined into one clustering."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.compose._parts import make_consensus
from consilience.consensus import ConsensusFunction
from consilience.consensus.internals import SIDE_KNOWLEDGE, Constraints, untold
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, UnsupportedInputError


class Combined(NamedTuple):
    """One clustering: what combined the members (None if there is one cluster), labels, confidence."""

    function: ConsensusFunction | None
    labels: Array
    confidence: Array


def read_knowledge(*given: Any) -> dict[str, Any]:
    """Return must-links, cannot-links and known classes by name; what is empty is left out."""
    return {
        name: value
        for name, value in zip(SIDE_KNOWLEDGE, given, strict=True)
        if value is not None and len(value) > 0
    }


def combine(
    ensemble: Ensemble,
    n_clusters: int,
    wanted: str | ConsensusFunction | None,
    random_state: int,
    *,
    sample_weight: Any,
    knowledge: dict[str, Any],
    verbose: int | None,
    asked: bool,
) -> Combined:
    """Combine the members; one cluster needs no function, unless there are constraints.

    Parameters
    ----------
    ensemble : Ensemble
        The members.
    n_clusters : int
        Clusters wanted.
    wanted : str, consensus function or None
        The consensus function.
    random_state : int
        Seed of all random numbers.
    sample_weight, knowledge, verbose
        As for `ConsensusClustering.fit`.
    asked : bool
        Whether the user gave the number of clusters, for a message.
    """
    if n_clusters == 1 and not knowledge:
        if sample_weight is not None:
            ensemble.with_sample_weight(sample_weight)  # validates the weights
        n_samples = ensemble.n_samples
        return Combined(None, np.zeros(n_samples, dtype=np.int32), np.ones(n_samples))
    function = make_consensus(
        wanted, n_clusters, random_state, constrained=bool(knowledge), verbose=verbose
    )
    if knowledge and not function.capabilities.constraints:
        raise UnsupportedInputError(
            f"ConsensusClustering: {type(function).__name__} cannot use "
            f"{', '.join(knowledge)}; leave consensus None, or use GWCA or GCA."
        )
    if n_clusters == 1:
        _require_one_cluster_possible(ensemble, knowledge, asked=asked)
    # The model warns itself, of the doubts that matter for clusters of data.
    with untold():
        function.fit(ensemble.with_array_labels(), sample_weight=sample_weight, **knowledge)
    return Combined(function, function.labels_, function.own_shares(ensemble))


def _require_one_cluster_possible(
    ensemble: Ensemble, knowledge: dict[str, Any], *, asked: bool
) -> None:
    if not len(Constraints.read(ensemble.with_array_labels(), **knowledge).apart):
        return
    names = " and ".join(name for name in knowledge if name != "must_link")
    one = (
        "n_clusters is 1"
        if asked
        else "no clusters were found in the data, so there is one cluster"
    )
    raise InvalidInputError(
        f"ConsensusClustering: {one}, and with one cluster {names} cannot hold; give n_clusters=2 "
        f"or more, or leave {names} out."
    )
