"""The clusters that were found when views were tried, extended to all rows."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience.consensus import Capabilities, ConsensusFunction, Outcome
from consilience.consensus.internals import Problem, SampledRows, label_by_votes
from consilience.ensemble import Ensemble
from consilience.metrics.internals import THETA, certainties


class KeptAnswer(ConsensusFunction):
    """Keep the labels of some rows, and label the others by the votes of their base clusters.

    Ten members on some rows may give clearer clusters than thirty members on all rows. So the best
    clusters of the tried views are also a candidate for the final result.

    Parameters
    ----------
    n_clusters : int
        Clusters of the answer.
    places : array (m,)
        Rows that have a label, ascending.
    labels : array (m,)
        Their labels.
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {"n_clusters": Integer(1)}
    capabilities: ClassVar[Capabilities] = Capabilities(profile_exact=False)

    def __init__(self, n_clusters: int = 8, *, places: Any = (), labels: Any = ()) -> None:
        self.n_clusters = n_clusters
        self.places = places
        self.labels = labels

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        """Find the rows that stand for the labelled ones, then continue as usual."""
        places, labels = np.asarray(self.places), np.asarray(self.labels)
        if problem.row_of_object is not None:
            rows = problem.row_of_object[places]
            rows, first = np.unique(rows[rows >= 0], return_index=True)
            places, labels = rows, labels[problem.row_of_object[places] >= 0][first]
        self._known = places, labels
        return super()._combine(problem, n_clusters, rng)

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,  # noqa: ARG002 - the answer has them
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Outcome:
        places, labels = self._known
        del self._known
        if len(places) == ensemble.n_samples:
            return Outcome(labels)
        H = ensemble.incidence
        chosen = np.zeros(ensemble.n_samples, dtype=bool)
        chosen[places] = True
        weight = None if H.row_weight is None else H.row_weight[places]
        sample = SampledRows(places, ensemble.with_rows(H.stored_rows(chosen), weight))
        return Outcome(label_by_votes(ensemble, certainties(ensemble, THETA), sample, labels))
