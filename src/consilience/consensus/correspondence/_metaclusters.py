"""Shared code of CCC and CCU: base clusters are grouped into metaclusters by their overlap."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from consilience._utils._types import Array
from consilience.consensus._outcome import Outcome
from consilience.ensemble import Ensemble, start_from_member
from consilience.incidence import on_cells
from consilience.metrics import best_member
from consilience.partition import vote_table

# (rewards (t, K), current metacluster of every base cluster or -1) -> the next metaclusters
Assign = Callable[[Array, Array], Array]


def gather_in_metaclusters(
    ensemble: Ensemble, n_clusters: int, assign: Assign, max_iter: int
) -> Outcome:
    """Alternate between rewards and assignments of base clusters until convergence, then vote (3.17)."""
    H = ensemble.incidence
    similarity = on_cells(H.overlaps(), _dice, H.sizes)
    weights = ensemble.column_weights
    rewards = _first_rewards(ensemble, n_clusters, similarity)
    current = np.full(len(weights), -1, dtype=np.int32)
    history: list[float] = []
    converged = False
    while not converged and len(history) < max_iter:
        following = assign(rewards, current)
        history.append(float(weights @ rewards[np.arange(len(rewards)), following]))
        converged = np.array_equal(following, current)
        current = following
        rewards = mean_similarity(similarity, vote_table(current, weights, n_clusters), rewards)
    labels = H.argmax(vote_table(current, weights, n_clusters)).labels
    return Outcome(
        labels,
        history[-1],
        history,
        len(history),
        converged,
        attributes={"meta_clusters_": current},
    )


def dice(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    """Dice's coefficient, the F-measure of two clusters: twice the overlap over both sizes."""
    return _dice(overlaps, sizes[:, None], other_sizes)


def _dice(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    both = sizes + other_sizes
    similarity: Array = np.divide(
        2.0 * overlaps, both, out=np.zeros(overlaps.shape), where=both > 0
    )
    return similarity


def mean_similarity(similarity: Any, votes: Array, former: Array) -> Array:
    """Return the reward R[c, k]: the mean similarity of base cluster c to those of metacluster k.

    An empty metacluster keeps its previous rewards.
    """
    weight = votes.sum(axis=0)
    # Every base cluster has one vote, so the votes are as sparse as the overlaps.
    sparse = issparse(similarity)
    sums = (similarity @ csr_array(votes)).toarray() if sparse else similarity @ votes
    rewards: Array = np.divide(sums, weight, out=former.copy(), where=weight > 0)
    return rewards


def _first_rewards(ensemble: Ensemble, n_clusters: int, similarity: Any) -> Array:
    """Return the similarity to the clusters of the best member with K clusters.

    Without one, the best of those with nearly K is merged or split to K clusters first.
    """
    H = ensemble.incidence
    gap = np.where(ensemble.n_clusters > 0, np.abs(ensemble.n_clusters - n_clusters), np.inf)
    member = best_member(ensemble, among=np.flatnonzero(gap == gap.min()))
    if ensemble.n_clusters[member] == n_clusters:
        own = similarity[:, ensemble.layout.columns(member)]
        rewards: Array = own.toarray() if issparse(own) else own
        return rewards
    start = start_from_member(ensemble, member, n_clusters)
    sizes = np.bincount(start, weights=H.row_weight, minlength=n_clusters)
    return dice(H.count(start, n_clusters), H.sizes, sizes)
