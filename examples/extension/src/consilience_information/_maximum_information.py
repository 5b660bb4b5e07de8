"""The clustering that shares most information with the members."""

from typing import ClassVar

import numpy as np

from consilience.extend import (
    Capabilities,
    ConsensusFunction,
    Integer,
    Outcome,
    Seed,
    incidence_kmeans,
    n_different,
)


class MaximumInformation(ConsensusFunction):
    """The clustering that shares most information with the members.

    Maximises the sum over the members j of w_j I(P; j), with I the mutual information of the consensus P
    and member j, and w_j the weight of the member. It starts from k-means on the base clusters. Then
    every object joins the cluster k with the largest sum of w_j log p(c | k) over its base clusters c,
    and the shares p are counted again, until no object moves. The objective never falls.

    Parameters
    ----------
    n_init : int, default 10
        Starts of k-means.
    max_iter : int, default 100
        Most rounds of k-means, and of the rounds after it.
    random_state : int, generator or None, default None
        Draws the starts.

    Attributes
    ----------
    objective_ : float
        The information in nats, summed over members and objects.
    n_iter_ : int
        Rounds after k-means.
    """

    parameters: ClassVar = {
        "n_clusters": Integer(1),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar = Capabilities()

    def __init__(self, n_clusters=8, *, n_init=10, max_iter=100, random_state=None):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble, n_clusters, rng):
        starts = incidence_kmeans(
            ensemble.incidence,
            n_clusters,
            member_weights=ensemble.weights,
            unit_variance=False,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        runs = [self._run(ensemble, start.labels, n_clusters) for start in starts]
        return max(runs, key=lambda run: run.objective)

    def _run(self, ensemble, labels, n_clusters):
        H = ensemble.incidence
        counts, moved, n_iter = H.count(labels, n_clusters), True, 0
        while moved and n_iter < self.max_iter:
            found = H.argmax(_log_shares(counts, ensemble), labels)
            moved, n_iter = n_different(found.labels, labels) > 0, n_iter + 1
            labels, counts = found.labels, found.counts
        return Outcome(labels, _information(counts, ensemble), n_iter=n_iter, converged=not moved)


def _log_shares(counts, ensemble):
    """Return w_j log p(c | k) for every base cluster c, of member j, and every cluster k: (t, K)."""
    member_of = ensemble.layout.member_of
    known = ensemble.layout.sum_by_member(counts)[member_of]  # objects of k that member j knows
    # The logarithm of zero times zero objects would not be a number.
    shares = np.maximum(counts, 1e-9) / np.maximum(known, 1e-9)
    return ensemble.weights[member_of, None] * np.log(shares)


def _information(counts, ensemble):
    """Return the objective: how much better the shares in clusters are than the shares in all."""
    everything = counts.sum(axis=1, keepdims=True)
    return float(
        (counts * (_log_shares(counts, ensemble) - _log_shares(everything, ensemble))).sum()
    )
