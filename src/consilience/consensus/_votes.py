"""Votes of base clusters for consensus clusters, and the confidence that is reached by chance."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._random import seed_sequence
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import UnseenLabelsWarning, warn
from consilience.incidence import own_score_step

if TYPE_CHECKING:
    from consilience.consensus._base import ConsensusFunction


@dataclass(frozen=True)
class Votes:
    """The fitted data that are needed to label new rows; small enough to be sent to workers.

    members  the ensemble without its objects
    table    (t, K) share of every consensus cluster in every base cluster
    shares   (K,) share of every cluster among all objects, for rows without a label
    """

    members: Ensemble
    table: Array
    shares: Array

    def __call__(self, X: Any) -> Array:
        """Return the vote shares of some rows, (n_new, K)."""
        rows, n_unseen = self.members.encode(X)
        n_unseen = np.where(self.members.weights > 0, n_unseen, 0)
        if n_unseen.any():
            member = int(np.argmax(n_unseen))
            warn(
                f"{int(n_unseen.sum())} labels did not occur in fit (member "
                f"{self.members.names[member]!r}: {int(n_unseen[member])}); they count as missing.",
                UnseenLabelsWarning,
            )
        weights = self.members.weights
        votes = rows.incidence @ (self.table * weights[rows.layout.member_of, None])
        known = rows.incidence.observed(weights)
        shares = np.where(known[:, None] > 0, votes, self.shares)
        return np.asarray(shares / np.where(known > 0, known, 1.0)[:, None])


def vote_shares(counts: Array) -> Array:
    """Return the share of every consensus cluster in every base cluster, (t, K), from counts."""
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Array = counts / np.where(sizes > 0, sizes, 1)
    return shares


def own_shares_of(labels: Array, ensemble: Ensemble, table: Array) -> Array:
    """Return the share of votes for every object's own label; NaN if no member labels it."""
    weights = ensemble.weights
    known = ensemble.incidence.observed(weights)
    weighted = table * ensemble.column_weights[:, None]
    own = ensemble.incidence.sweep(weighted, own_score_step, (labels,)).per_row()
    return np.where(known > 0, own / np.where(known > 0, known, 1.0), np.nan)


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
