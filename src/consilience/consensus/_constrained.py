"""Base class of consensus functions that accept must-links and cannot-links."""

from abc import abstractmethod
from typing import Any, Self, final

import numpy as np

from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._constraint_report import ConstraintReport
from consilience.consensus._constraints import Constraints, Namer
from consilience.consensus._doubts import Doubt
from consilience.consensus._enforce import enforce, require_possible
from consilience.consensus._fit_doubts import broken_constraints
from consilience.consensus._outcome import Outcome
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble, canonical_labels


class ConstrainedFunction(ConsensusFunction):
    """A consensus function whose `fit` accepts constraints on pairs of objects.

    A subclass declares the parameters `conflicts` and `enforce`, and writes `_consensus` with the
    constraints as its last argument.
    """

    conflicts: str
    enforce: bool

    @abstractmethod
    def _consensus(  # type: ignore[override]
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,
        constraints: Constraints,
    ) -> Outcome:
        """Combine the members; the constraints refer to the rows of the ensemble."""

    @final
    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        *,
        sample_weight: Any = None,
        must_link: Any = None,
        cannot_link: Any = None,
        partial_labels: Any = None,
    ) -> Self:
        """Combine clusterings under constraints.

        Parameters
        ----------
        X : Ensemble, array (n, r), list of label vectors, or data frame
            The ensemble; -1, NaN, None and null are missing labels.
        y : ignored
            For scikit-learn's interface.
        sample_weight : array (n,), optional
            How much every object counts; only ratios matter.
        must_link, cannot_link : array (m, 2), optional
            Pairs of objects that must be in the same cluster, and pairs that must not; given by id if
            the ensemble has ids, otherwise by position.
        partial_labels : array (n,), optional
            Known classes, -1 (or None, NaN) = unknown. Objects of one class must be in the same
            cluster, objects of different classes in different clusters.
        """
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "partial_labels": partial_labels,
        }
        return self._fit(X, sample_weight, given)

    def _read_constraints(
        self, ensemble: Ensemble, n_clusters: int | None, given: dict[str, Any]
    ) -> Constraints:
        drop = self.conflicts == "drop_cannot_link"
        constraints = Constraints.read(ensemble, drop_conflicts=drop, **given)
        if n_clusters is not None:
            require_possible(constraints, n_clusters, ensemble.ids)
        return constraints

    def _doubts(self, ensemble: Ensemble, problem: Problem, outcome: Outcome) -> list[Doubt]:
        name = Namer(ensemble, ensemble.n_samples)
        return [
            *super()._doubts(ensemble, problem, outcome),
            *broken_constraints(type(self).__name__, self.constraints_, name.__call__),
        ]

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        assert n_clusters is not None  # noqa: S101 - declared as an integer
        return self._consensus(problem.ensemble, n_clusters, rng, problem.constraints)

    def _finish(
        self, labels: Array, ensemble: Ensemble, outcome: Outcome, constraints: Constraints
    ) -> Array:
        if self.enforce and constraints.n_groups:
            labels = self._repair(labels, ensemble, constraints)
        report = ConstraintReport.of(labels, constraints)
        outcome.attributes = {**outcome.attributes, "constraints_": report}
        return labels

    def _repair(self, labels: Array, ensemble: Ensemble, constraints: Constraints) -> Array:
        """Assign every group to the allowed cluster with the most votes of its objects."""
        assert self.n_clusters is not None  # noqa: S101 - declared as an integer
        n_clusters = int(self.n_clusters)
        H, bound = ensemble.incidence, np.flatnonzero(constraints.bound)
        counts = H.count(labels, n_clusters)
        table = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        table *= ensemble.column_weights[:, None]
        votes = ensemble.take(bound)
        scores = np.zeros((constraints.n_groups, n_clusters))
        rows, _ = ensemble.without_objects().encode(votes)
        np.add.at(scores, constraints.group[bound], rows.incidence @ table)
        # Ties in the votes keep the current label.
        np.add.at(scores, (constraints.group[bound], labels[bound]), 1e-9)
        return canonical_labels(enforce(labels, scores, constraints))[0]
