"""The confidence of a consensus whose members agree only by chance."""

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from consilience._utils._random import seed_sequence
from consilience.consensus._votes import own_shares_of, vote_shares
from consilience.ensemble import Ensemble

if TYPE_CHECKING:
    from consilience.consensus._base import ConsensusFunction

Array = np.ndarray[Any, Any]

# Sample size: large enough to include objects of every base cluster, and small enough to be fast.
_ROWS = 1_000
_ROWS_PER_CLUSTER = 20
_MOST_ROWS = 5_000
# Number of permuted ensembles for a chance level; only one if there are more clusters than the limit.
_RUNS = 3
_MANY_CLUSTERS = 200


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
    function = clone(function).set_params(n_clusters=len(shares))
    if "distance_threshold" in function.parameters:
        function.set_params(distance_threshold=None)  # excludes n_clusters
    # With many clusters a run takes long, and levels hardly differ.
    n_runs = _RUNS if len(shares) <= _MANY_CLUSTERS else 1
    streams = np.random.default_rng(seed_sequence(random_state)).spawn(n_runs)
    levels = [mean_confidence(function, accidental(ensemble, stream)) for stream in streams]
    return max([*levels, float(np.square(shares).sum())])


def mean_confidence(function: "ConsensusFunction", ensemble: Ensemble) -> float:
    """Combine an ensemble without warnings and return the mean share of votes for the own cluster."""
    if "random_state" in function.parameters:
        function.set_params(random_state=0)
    labels = function.labels_inside(ensemble)
    table = vote_shares(ensemble.incidence.count(labels, int(labels.max()) + 1))
    return float(np.nanmean(own_shares_of(labels, ensemble, table)))


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
