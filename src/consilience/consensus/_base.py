"""Base class of all consensus functions: validation, reduction, fitted attributes and warnings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, final

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils.validation import check_is_fitted

from consilience._utils._declare import Declaration, check_parameters
from consilience._utils._documents import CONSENSUS, complete
from consilience._utils._estimators import forget_fit, remember_columns
from consilience._utils._provenance import provenance
from consilience._utils._random import seed_sequence
from consilience._utils._types import Array
from consilience.consensus._catalogue import functions_that_take, functions_with_cost
from consilience.consensus._constraints import SIDE_KNOWLEDGE, Constraints
from consilience.consensus._doubts import Doubt, fewer_clusters, not_converged, warn_of
from consilience.consensus._problem import Problem
from consilience.consensus._trust import doubts_about_members
from consilience.consensus._votes import Votes, chance_level, own_shares_of, vote_shares
from consilience.ensemble import Ensemble, scaled_sample_weight
from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.incidence import is_chunked, label_sizes, map_rows, n_different
from consilience.partition import Solution, best_of, distinct_solutions


@dataclass(frozen=True)
class Capabilities:
    """Capabilities of one consensus function.

    Parameters
    ----------
    missing, weights, sample_weight, soft : bool
        Whether the function accepts missing labels, member weights, object weights, soft members.
    profile_exact : bool
        Whether merging identical rows leaves the result unchanged; the base class then merges them
        where this saves time.
    cost : {"linear", "quadratic"}
        How the running time grows with the number of objects.
    finds_n_clusters : bool
        Whether the function can be run without a number of clusters.
    needs : tuple of str
        Names of the tables that the ensemble must have, see `Ensemble.with_cluster_tables`.
    constraints : bool
        Whether the function accepts must-links, cannot-links and partial labels.
    """

    missing: bool = True
    weights: bool = True
    sample_weight: bool = True
    soft: bool = True
    profile_exact: bool = True
    cost: Literal["linear", "quadratic"] = "linear"
    finds_n_clusters: bool = False
    needs: tuple[str, ...] = ()
    constraints: bool = False


@dataclass
class Outcome:
    """Result of a consensus function on the reduced ensemble.

    labels          (rows of the ensemble it was given,) non-negative integers
    objective       final value of the objective
    history         the objective after every iteration
    n_iter          number of iterations; None for methods without iterations
    converged       whether the iteration converged before max_iter
    solutions       distinct results of restarts, best first
    attributes      by name: values that become attributes of the fitted function unchanged
    row_attributes  by name: a number for every row of the ensemble; the base class expands them to all
                    objects, with -1 where no member labels the object
    member_weights  (members of the ensemble it was given,) becomes `weights_`, with 0 for members that
                    were left out because their weight is 0
    doubts          doubts that the function reports itself
    """

    labels: Array
    objective: float | None = None
    history: list[float] | None = None
    n_iter: int | None = None
    converged: bool = True
    solutions: list[Solution] = field(default_factory=list)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    row_attributes: Mapping[str, Array] = field(default_factory=dict)
    member_weights: Array | None = None
    doubts: list[Doubt] = field(default_factory=list)

    @classmethod
    def of(cls, solution: Solution, **attributes: Any) -> Self:
        """Return the outcome of a search that keeps one solution."""
        return cls(
            labels=solution.labels,
            objective=solution.objective,
            history=solution.history,
            n_iter=solution.n_iter,
            converged=solution.converged,
            attributes=attributes,
        )

    @classmethod
    def of_all(cls, solutions: Sequence[Solution], **attributes: Any) -> Self:
        """Return the outcome of a search from several starts: the best, and all distinct ones."""
        outcome = cls.of(best_of(solutions), **attributes)
        outcome.solutions = distinct_solutions(solutions)
        return outcome


class ConsensusFunction(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn clusterer on label matrices.

    A subclass declares `parameters` and `capabilities`, and writes `_consensus`. The base class
    validates the input and removes members of weight 0 and objects that no member labels.

    Attributes
    ----------
    doubts_ : list of Doubt
        Problems of the result, each with a code, numbers and a sentence: not converged, fewer clusters
        than requested, objects labelled by no member or by only one, violated constraints, members
        that are identical or agree by chance, and a member that does better. `fit` warns about them.
    """

    parameters: ClassVar[Mapping[str, Declaration]]
    capabilities: ClassVar[Capabilities]
    # Parameters that may have an entry for every object, and those that need them.
    object_parameters: ClassVar[tuple[str, ...]] = ()
    # Whether n_clusters is a maximum, so that fewer clusters are no failure.
    n_clusters_is_maximum: ClassVar[bool] = False
    n_clusters: int | None
    labels_: Any

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        complete(cls, CONSENSUS)

    @abstractmethod
    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        """Combine the members of an ensemble; the row weights are stored in its incidence.

        K is at most the number of distinct rows. It may be None for functions that can choose K.
        """

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        *,
        sample_weight: Any = None,
        **side_knowledge: Any,
    ) -> Self:
        """Combine clusterings.

        Parameters
        ----------
        X : Ensemble, array (n, r), list of label vectors, data frame, dask array or frame
            The ensemble; -1, NaN, None and null are missing labels. Chunked input is never loaded as a
            whole, and `labels_` is then chunked too.
        y : ignored
            For scikit-learn's interface.
        sample_weight : array (n,), optional
            How much every object counts; only ratios matter.
        **side_knowledge
            `must_link`, `cannot_link` and `partial_labels`, for functions that accept constraints (see
            `ConstrainedFunction`). Other functions raise an error.
        """
        self._refuse(side_knowledge)
        return self._fit(X, sample_weight)

    @final
    def _fit(
        self, X: Any, sample_weight: Any, side_knowledge: dict[str, Any] | None = None
    ) -> Self:
        forget_fit(self)
        self._check_parameters()
        ensemble = Ensemble.from_labels(X)
        self._check_columns(X, reset=True)
        self.n_features_in_ = ensemble.n_members
        if sample_weight is not None:
            ensemble = ensemble.with_sample_weight(sample_weight)
        if ensemble.sample_weight is not None:
            scaled = scaled_sample_weight(ensemble.sample_weight)
            if (
                scaled is not None
                and not self.active_capabilities().sample_weight
                and np.ptp(scaled) == 0
            ):
                scaled = None  # equal weights have no effect
            ensemble = ensemble.with_sample_weight(scaled)
        labels, problem, outcome = self._label(ensemble, side_knowledge or {})
        for name, value in self._fitted_attributes(labels, ensemble, problem, outcome).items():
            setattr(self, name, value)
        self.doubts_ = self._doubts(ensemble, problem, outcome)
        warn_of(self.doubts_)
        self.labels_ = ensemble.labels_as_given(self.labels_)
        return self

    @final
    def labels_inside(self, ensemble: Ensemble) -> Array:
        """Return the labels of the objects of an ensemble, for use inside another function.

        Sets no attributes and gives no warnings: this is done once, for the final labels.
        """
        self._check_parameters()
        return np.asarray(self._label(ensemble, {})[0])

    def _label(
        self, ensemble: Ensemble, side_knowledge: dict[str, Any]
    ) -> tuple[Array, Problem, Outcome]:
        self._check_capabilities(ensemble)
        n_clusters = self._check_n_clusters(ensemble)
        constraints = self._read_constraints(ensemble, n_clusters, side_knowledge)
        problem = self._reduce(ensemble.with_array_labels(), n_clusters, constraints)
        outcome = self._solve(problem, n_clusters)
        labels = self._finish(problem.expand(outcome.labels), ensemble, outcome, constraints)
        outcome.labels = labels  # the weights of the reduced rows are no longer needed
        return labels, problem, outcome

    def _check_parameters(self) -> None:
        check_parameters(type(self).__name__, self.parameters, self.get_params(deep=False))

    @final
    def predict(self, X: Any) -> Array:
        """Label new rows by the largest vote share; see `predict_proba`."""
        labels: Array = self.predict_proba(X).argmax(axis=1).astype(np.int32)
        return labels

    @final
    def predict_proba(self, X: Any) -> Array:
        """Vote shares of new rows, (n_new, K).

        Every member votes with the share of each consensus cluster among the objects of the base
        cluster it puts the row into. A row without a known label gets the relative sizes of the
        clusters. On the training rows the shares measure confidence; the largest share is not always
        that of `labels_`. A dask array or frame gives a dask array.
        """
        check_is_fitted(self, "labels_")
        self._check_columns(X, reset=False)
        votes = Votes(self.members_, self.vote_table_, self.cluster_shares_)
        if is_chunked(X):
            shares: Array = map_rows(votes, X, width=self.n_clusters_, dtype=np.float64)
            return shares
        return votes(X)

    @final
    def own_shares(self, ensemble: Ensemble) -> Array:
        """Return the share of votes that every object of the fitted ensemble gives its own cluster.

        NaN for objects that no member labels. Takes one sweep; the full (n, K) array of shares is
        never in memory.
        """
        check_is_fitted(self, "labels_")
        return own_shares_of(np.asarray(self.labels_), ensemble, self.vote_table_)

    @final
    def chance_confidence(self, ensemble: Any, *, random_state: Any = 0) -> float:
        """Return the mean of `own_shares` that is expected if the members agree only by chance.

        The labels of every member are permuted at random, so that only the sizes of the clusters are
        kept, and the same function combines the permuted members. The result is the largest of three
        such means, and at least the confidence of votes that are based on the sizes of the clusters
        found alone. A mean confidence that is not above this level is no evidence of clusters.

        Parameters
        ----------
        ensemble : Ensemble or any input that `fit` accepts
            The ensemble that the function was fitted to. At most 5,000 of its objects are used.
        random_state : int, generator or None, default 0
            Draws the permutations.

        Examples
        --------
        >>> from consilience.consensus import IPC
        >>> from consilience.datasets import make_planted_ensemble
        >>> ensemble, _ = make_planted_ensemble(300, 10, 3, noise=0.2, random_state=0)
        >>> model = IPC(3, random_state=0).fit(ensemble)
        >>> round(float(model.own_shares(ensemble).mean()), 1)
        0.8
        >>> round(model.chance_confidence(ensemble), 1)
        0.4
        """
        check_is_fitted(self, "labels_")
        return chance_level(
            self, Ensemble.from_labels(ensemble), np.asarray(self.labels_), random_state
        )

    @final
    def parameters_of_objects(self) -> list[str]:
        """Return the parameters that belong to particular objects, such as their features."""
        return [
            name
            for name in self.object_parameters
            if not isinstance(getattr(self, name), str | None)
        ]

    @final
    def for_other_objects(self) -> Self:
        """Return a clone for other objects: parameters that belong to particular ones have defaults."""
        copied: Self = clone(self)
        if self.parameters_of_objects():
            usual = type(self)().get_params(deep=False)
            copied.set_params(**{name: usual[name] for name in self.object_parameters})
        return copied

    # --- steps of fit ----------------------------------------------------------------------------

    def _read_constraints(
        self,
        ensemble: Ensemble,
        n_clusters: int | None,  # noqa: ARG002 - for functions that take constraints
        given: dict[str, Any],  # noqa: ARG002
    ) -> Constraints:
        """Validate the constraints; most functions accept none."""
        return Constraints.none(ensemble.n_samples)

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        """Remove what cannot change the result."""
        merge = self.active_capabilities().profile_exact
        return Problem.reduce(ensemble, n_clusters, merge=merge, constraints=constraints)

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        # None reaches only functions whose declared parameters allow it.
        return self._consensus(problem.ensemble, n_clusters, rng)  # type: ignore[arg-type]

    def _finish(
        self,
        labels: Array,
        ensemble: Ensemble,  # noqa: ARG002 - for functions that take constraints
        outcome: Outcome,  # noqa: ARG002
        constraints: Constraints,  # noqa: ARG002
    ) -> Array:
        """Return the final labels of all objects; subclasses may add results to the outcome."""
        return labels

    def _refuse(self, side_knowledge: Mapping[str, Any]) -> None:
        for name, value in side_knowledge.items():
            if name not in SIDE_KNOWLEDGE:
                raise TypeError(
                    f"{type(self).__name__}.fit() got an unexpected keyword argument {name!r}"
                )
            if value is not None:
                raise UnsupportedInputError(
                    f"{type(self).__name__} cannot use {name}; these can: "
                    f"{functions_that_take('constraints')}."
                )

    def _check_columns(self, X: Any, *, reset: bool) -> None:
        """Store or check the number and names of columns by means of scikit-learn."""
        if hasattr(X, "shape") and len(X.shape) == 2:
            remember_columns(self, X, reset=reset)

    def active_capabilities(self) -> Capabilities:
        """Return the capabilities for the current parameters, which may be fewer than declared."""
        return self.capabilities

    def _check_capabilities(self, ensemble: Ensemble) -> None:
        in_force = self.active_capabilities()
        given = {
            "soft": (ensemble.is_soft, "soft memberships"),
            "missing": (ensemble.has_missing, "missing labels"),
            "weights": (bool(np.any(ensemble.weights != 1)), "member weights"),
            "sample_weight": (ensemble.sample_weight is not None, "sample_weight"),
        }
        if ensemble.is_chunked and in_force.cost != "linear":
            raise UnsupportedInputError(
                f"{type(self).__name__} compares all pairs of objects, so it cannot work on labels that "
                f"are read in chunks; these can: {functions_with_cost('linear')}."
            )
        for capability, (present, what) in given.items():
            if present and not getattr(in_force, capability):
                raise UnsupportedInputError(
                    f"{type(self).__name__} cannot use {what}; these can: "
                    f"{functions_that_take(capability)}."
                )

    def _check_n_clusters(self, ensemble: Ensemble) -> int | None:
        if self.n_clusters is None:
            return None
        if self.n_clusters > ensemble.n_samples:
            raise InvalidParameterError(
                f"{type(self).__name__}: n_clusters={self.n_clusters} is more than the number of "
                f"objects; got n_samples = {ensemble.n_samples}.",
                parameter="n_clusters",
            )
        return int(self.n_clusters)

    def _solve(self, problem: Problem, n_clusters: int | None) -> Outcome:
        rng = np.random.default_rng(seed_sequence(getattr(self, "random_state", 0)))
        if n_clusters is None or n_clusters <= problem.n_distinct:
            return self._combine(problem, n_clusters, rng)
        # Too few distinct rows: every distinct row becomes a cluster.
        outcome = self._combine(problem, problem.n_distinct, rng)
        if self.n_clusters_is_maximum:
            return outcome
        outcome.labels = np.arange(problem.ensemble.n_samples, dtype=np.int32)
        return outcome

    def _fitted_attributes(
        self, labels: Array, ensemble: Ensemble, problem: Problem, outcome: Outcome
    ) -> dict[str, Any]:
        """Return all fitted attributes by name."""
        n_clusters = int(labels.max()) + 1
        sizes = label_sizes(labels, n_clusters, ensemble.sample_weight)
        found = {
            "labels_": labels,
            "n_clusters_": n_clusters,
            "members_": ensemble.without_objects(),
            "unlabelled_": problem.unknown,
            "cluster_shares_": sizes / sizes.sum(),
            "provenance_": self._provenance(ensemble),
            **outcome.attributes,
            **self._attributes_of_labels(labels, n_clusters, ensemble),
        }
        if outcome.objective is not None:
            found["objective_"] = outcome.objective
        if outcome.history is not None:
            found["history_"] = outcome.history
        if outcome.n_iter is not None or "max_iter" in self.parameters:
            found["n_iter_"] = outcome.n_iter
        if outcome.solutions:
            found["solutions_"] = _of_all_objects(outcome.solutions, labels, ensemble, problem)
        if outcome.member_weights is not None:
            # Members of weight 0 were left out before the search.
            found["weights_"] = np.zeros(ensemble.n_members)
            found["weights_"][ensemble.weights > 0] = outcome.member_weights
        for name, values in outcome.row_attributes.items():
            found[name] = np.where(problem.unknown, -1, problem.of_objects(values))
        return found

    def _attributes_of_labels(
        self, labels: Array, n_clusters: int, ensemble: Ensemble
    ) -> dict[str, Any]:
        """Return the attributes that are computed from the labels of all objects."""
        return {"vote_table_": vote_shares(ensemble.incidence.count(labels, n_clusters))}

    def _provenance(self, ensemble: Ensemble) -> Any:
        return provenance(
            estimator=type(self).__name__,
            parameters={name: repr(value) for name, value in self.get_params().items()},
            ensemble=ensemble.fingerprint,
            n_samples=ensemble.n_samples,
            n_members=ensemble.n_members,
        )

    def _doubts(self, ensemble: Ensemble, problem: Problem, outcome: Outcome) -> list[Doubt]:
        """Collect the doubts about the result."""
        name = type(self).__name__
        return [
            *problem.doubts_about_objects(),
            *fewer_clusters(name, self.n_clusters_, self.n_clusters, problem.n_distinct),
            *not_converged(name, outcome.n_iter, converged=outcome.converged),
            *outcome.doubts,
            *doubts_about_members(self.labels_, ensemble),
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags


def _of_all_objects(
    solutions: list[Solution], kept: Array, ensemble: Ensemble, problem: Problem
) -> list[Solution]:
    """Return solutions with the labels of all objects; chunked labels equal to `kept` are not copied."""
    everywhere = []
    while solutions:
        solution = solutions.pop(0)
        labels = problem.expand(solution.labels)
        if ensemble.is_chunked and not n_different(labels, kept):
            labels = kept
        everywhere.append(solution._replace(labels=ensemble.further_labels_as_given(labels)))
    return everywhere
