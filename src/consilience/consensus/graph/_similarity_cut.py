"""What CSPA and WSPA share: a graph of objects W = H diag(w) H', cut into equal parts."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._doubts import UNEQUAL_CLUSTERS, Doubt
from consilience.consensus._solution import Solution, distinct_solutions
from consilience.ensemble import Ensemble
from consilience.incidence import Incidence
from consilience.partition import SizeBounds, balanced_low_rank, metis_low_rank, njw_incidence

Array = np.ndarray[Any, Any]

_KMEANS_ROUNDS = 300
# Parts of equal size are wrong for clusters whose sizes differ by more than this factor.
_CLEARLY_UNEQUAL = 2


class SimilarityCut(ConsensusFunction):
    """Cut the graph of the similarities of objects; a subclass says which rows make them."""

    partitioner: str
    imbalance: float
    n_init: int
    max_iter: int
    without_balance: ClassVar[str]

    @abstractmethod
    def _rows(self, ensemble: Ensemble) -> Incidence:
        """Return the rows whose weighted products are the similarities; objects count once each."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        H = self._rows(ensemble)
        weights = ensemble.weights[ensemble.layout.member_of]
        cut = Cut(H, weights, float(ensemble.weights.sum()), n_clusters)
        kmeans_stream, search_stream = rng.spawn(2)
        unbalanced = njw_incidence(
            H,
            weights,
            n_clusters,
            keep_diagonal=True,
            n_init=self.n_init,
            max_iter=_KMEANS_ROUNDS,
            rng=kmeans_stream,
        )
        if self.partitioner == "spectral":
            return Outcome(
                unbalanced.labels,
                objective=cut.of_labels(unbalanced.labels),
                n_iter=unbalanced.n_iter,
                converged=unbalanced.converged,
            )
        doubts = self._doubts_about_sizes(unbalanced.labels, n_clusters)
        if self.partitioner == "metis":
            labels = metis_low_rank(
                H,
                weights,
                n_clusters,
                imbalance=self.imbalance,
                n_init=self.n_init,
                rng=search_stream,
            )
            return Outcome(labels, objective=cut.of_labels(labels), doubts=doubts)
        found = balanced_low_rank(
            H,
            weights,
            n_clusters,
            first=unbalanced.labels,
            imbalance=self.imbalance,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=search_stream,
        )
        best = max(found, key=lambda partition: partition.objective)
        cuts = [cut.of_squares(partition.objective) for partition in found]
        return Outcome(
            labels=best.labels,
            objective=cut.of_squares(best.objective),
            history=[cut.of_squares(squares) for squares in best.history],
            n_iter=best.n_iter,
            converged=best.converged,
            solutions=distinct_solutions(
                Solution(partition.labels, value, value, partition.n_iter)
                for partition, value in zip(found, cuts, strict=True)
            ),
            doubts=doubts,
        )

    def _doubts_about_sizes(self, labels: Array, n_clusters: int) -> list[Doubt]:
        """Compare the sizes that the graph itself suggests with those that balance allows."""
        sizes = np.bincount(labels, minlength=n_clusters)
        allowed = SizeBounds.of(len(labels), n_clusters, self.imbalance).largest
        if sizes.max() <= max(_CLEARLY_UNEQUAL * sizes.min(), allowed):
            return []
        return [
            Doubt(
                UNEQUAL_CLUSTERS,
                {
                    "smallest": int(sizes.min()),
                    "largest": int(sizes.max()),
                    "allowed": int(allowed),
                },
                f"{type(self).__name__} cuts clusters of {sizes.min()} to {sizes.max()} objects, the "
                f"sizes found without balance, into parts of at most {allowed}; use "
                f"{self.without_balance} if the clusters may differ in size.",
                "clusters of unequal size were cut into parts of equal size",
            )
        ]


class Cut:
    """(1' S 1 - sum_k |T_k|^2) / 2 in shares of members, from sums that count their weights."""

    def __init__(self, H: Incidence, weights: Array, total: float, n_clusters: int) -> None:
        self._H = H
        self._weights = weights
        self._total = total
        self._n_clusters = n_clusters
        self._all = float(weights @ np.square(H.sizes.astype(np.float64)))

    def of_squares(self, squares: float) -> float:
        """Return the cut that belongs to sum_k |T_k|^2."""
        return (self._all - squares) / (2 * self._total)

    def of_labels(self, labels: Array) -> float:
        """Return the cut of a partition."""
        counts = self._H.count(labels, self._n_clusters).astype(np.float64)
        return self.of_squares(float(self._weights @ np.square(counts).sum(axis=1)))
