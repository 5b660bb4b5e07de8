"""Shared code of CSPA and WSPA: a graph of objects W = H diag(w) H', cut into equal parts."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from consilience.consensus._doubts import UNEQUAL_CLUSTERS, Doubt
from consilience.consensus._outcome import Outcome
from consilience.consensus.graph._graph_function import GraphFunction, outcome_of_cut
from consilience.ensemble import Ensemble
from consilience.incidence import Incidence
from consilience.partition import ObjectGraph, SizeBounds, Spectral

# Parts of equal size are unsuitable if cluster sizes differ by more than this factor.
_CLEARLY_UNEQUAL = 2


class SimilarityCut(GraphFunction):
    """Cut the graph of similarities of objects; a subclass defines the rows behind them."""

    without_balance: ClassVar[str]

    @abstractmethod
    def _rows(self, ensemble: Ensemble) -> Incidence:
        """Return the rows whose weighted products are the similarities, without object weights."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        total = float(ensemble.weights.sum())
        graph = ObjectGraph(self._rows(ensemble), ensemble.column_weights, total)
        spectral_stream, search_stream = rng.spawn(2)
        partitioner = self._partitioner()
        if not partitioner.equal_parts:
            return outcome_of_cut(partitioner.cut_objects(graph, n_clusters, spectral_stream))
        # Parts without the balance constraint: a start of the search, and a check of the balance.
        free = Spectral(n_init=partitioner.n_init).cut_objects(graph, n_clusters, spectral_stream)
        graph = graph._replace(start=free[0].labels)
        outcome = outcome_of_cut(partitioner.cut_objects(graph, n_clusters, search_stream))
        outcome.doubts = self._doubts_about_sizes(graph.start, n_clusters, partitioner.imbalance)
        return outcome

    def _doubts_about_sizes(self, labels: Any, n_clusters: int, imbalance: float) -> list[Doubt]:
        """Return a doubt if the parts found without balance are larger than balance allows."""
        sizes = np.bincount(labels, minlength=n_clusters)
        allowed = SizeBounds.of(len(labels), n_clusters, imbalance).largest
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
