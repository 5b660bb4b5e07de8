"""What HAC and LWEA share: a dendrogram of the distinct rows, and the way back to the objects."""

from abc import abstractmethod
from typing import Any

import numpy as np

from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble
from consilience.partition import Dendrogram, incidence_linkage

Array = np.ndarray[Any, Any]


class Agglomeration(ConsensusFunction):
    """Cut a hierarchical clustering of the rows of H; a subclass says how base clusters count."""

    @property
    def _linkage(self) -> str:
        return "average"

    @abstractmethod
    def _column_weight(self, ensemble: Ensemble) -> Array:
        """Return what every base cluster adds to the similarity of two objects that share it."""

    @abstractmethod
    def _cut(self, dendrogram: Dendrogram, n_clusters: int | None) -> Array:
        """Return the labels of the leaves."""

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int | None,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        # Copies are never told apart, so they are merged even where that does not pay (1a).
        profiles = ensemble.profiles()
        # Objects of weight 0 must not change the dendrogram.
        counts = profiles.multiplicity > 0
        leaves = profiles.ensemble if counts.all() else profiles.ensemble.take(counts)
        dendrogram = incidence_linkage(leaves, self._column_weight(leaves), self._linkage)
        self.linkage_matrix_ = dendrogram.counting_leaves()
        leaf_of = np.where(counts, np.cumsum(counts) - 1, -1)
        self._leaf_of = leaf_of[profiles.inverse]
        labels = self._cut(dendrogram, n_clusters)[leaf_of]
        if not counts.all():
            labels = np.where(counts, labels, self._most_similar(profiles.ensemble, labels))
        return Outcome(labels[profiles.inverse])

    def _most_similar(self, ensemble: Ensemble, labels: Array) -> Array:
        """Return the cluster to which every row is most similar on average."""
        sizes = np.bincount(labels, weights=ensemble.row_weight)
        table = ensemble.incidence.count(labels, len(sizes)) / sizes
        table *= self._column_weight(ensemble)[:, None]
        return ensemble.incidence.argmax(table).labels

    def _remember(self, ensemble: Ensemble, problem: Problem, outcome: Outcome) -> None:
        super()._remember(ensemble, problem, outcome)
        self.profile_of_ = np.where(problem.unknown, -1, problem.of_objects(self._leaf_of))
        del self._leaf_of
