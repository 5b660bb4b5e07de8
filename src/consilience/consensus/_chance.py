"""The confidence of a consensus whose members agree only by chance."""

from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._random import seed_sequence
from consilience._utils._types import Array
from consilience.consensus._votes import own_shares_of, vote_shares
from consilience.ensemble import Ensemble

if TYPE_CHECKING:
    from consilience.consensus._base import ConsensusFunction


# Sample size: large enough to include objects of every base cluster, and small enough to be fast.
_ROWS = 1_000
_ROWS_PER_CLUSTER = 20
_MOST_ROWS = 5_000
# Number of permuted ensembles for a chance level; only one if there are more clusters than the limit.
_RUNS = 3
_MANY_CLUSTERS = 200
# Clusters of permuted members that are more concentrated than those found, by this, are not compared.
_MORE = 0.1


def chance_level(
    function: "ConsensusFunction", ensemble: Ensemble, labels: Array, random_state: Any
) -> float:
    """Return the largest mean confidence of the same function on three ensembles of permuted labels.

    The result is at least the confidence of votes that are based on the sizes of the found clusters
    alone: one giant cluster has a high confidence for any members.
    """
    shares = np.bincount(labels) / len(labels)
    if len(shares) == 1:
        return 1.0
    function = function.for_other_objects().set_params(n_clusters=len(shares))
    if "distance_threshold" in function.parameters:
        function.set_params(distance_threshold=None)  # excludes n_clusters
    # With many clusters a run takes long, and levels hardly differ.
    n_runs = _RUNS if len(shares) <= _MANY_CLUSTERS else 1
    streams = np.random.default_rng(seed_sequence(random_state)).spawn(n_runs)
    levels = [
        _comparable_confidence(function, accidental(ensemble, stream), shares) for stream in streams
    ]
    return max([*levels, _concentration(shares)])


def _comparable_confidence(
    function: "ConsensusFunction", ensemble: Ensemble, shares: Array
) -> float:
    """Return the mean confidence of clusters that are not much less equal than those of given shares.

    Less equal clusters have a higher confidence for any members. If the function puts nearly all
    objects into one cluster, as those do that merge what members do not separate, IPC combines the
    members instead.
    """
    from consilience.consensus._catalogue import function_named

    labels = _labels_by(function, ensemble)
    if _concentration(np.bincount(labels) / len(labels)) > _concentration(shares) + _MORE:
        other = function_named("IPC")
        assert other is not None  # noqa: S101 - it is part of the library
        labels = _labels_by(other(n_clusters=len(shares)), ensemble)
    return _confidence_of(labels, ensemble)


def _confidence_of(labels: Array, ensemble: Ensemble) -> float:
    table = vote_shares(ensemble.incidence.count(labels, int(labels.max()) + 1))
    return float(np.nanmean(own_shares_of(labels, ensemble, table)))


def _concentration(shares: Array) -> float:
    """Return the probability that two objects are in one cluster."""
    return float(np.square(shares).sum())


def _labels_by(function: "ConsensusFunction", ensemble: Ensemble) -> Array:
    if "random_state" in function.parameters:
        function.set_params(random_state=0)
    return function.labels_inside(ensemble)


def accidental(ensemble: Ensemble, rng: np.random.Generator) -> Ensemble:
    """Permute the labels of every member at random, on a sample of the objects.

    The sizes of the clusters and the missing labels are preserved.
    """
    wanted = min(max(_ROWS, _ROWS_PER_CLUSTER * int(ensemble.n_clusters.max())), _MOST_ROWS)
    n_rows = min(wanted, ensemble.n_samples)
    rows = np.sort(rng.choice(ensemble.n_samples, n_rows, replace=False))
    sample = ensemble.take(rows)
    stored = (sample.memberships if sample.is_soft else sample.codes).copy()
    for j in range(sample.n_members):
        columns = sample.layout.columns(j) if sample.is_soft else slice(j, j + 1)
        own = stored[:, columns]
        known = np.flatnonzero(own.any(axis=1))
        stored[known, columns] = own[rng.permutation(known)]
    return sample.with_rows(stored, None)
