"""Consensus functions that accept must-links and cannot-links, and repair labels that violate them."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self, final

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._constraints import ConstraintReport, Constraints, Namer
from consilience.consensus._doubts import BROKEN_CONSTRAINTS, Doubt
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble, canonical_labels
from consilience.exceptions import InvalidInputError


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


# Maximum number of steps of the colouring search; an error is raised if it needs more.
_SEARCH_STEPS = 200_000


def require_possible(constraints: Constraints, n_clusters: int, ids: Array | None = None) -> None:
    """Raise if a greedy search finds more groups that exclude each other than clusters."""
    clique = _clique(constraints)
    if len(clique) > n_clusters:
        rows = [int(np.argmax(constraints.group == group)) for group in clique[:8]]
        named = ", ".join(str(row) if ids is None else repr(ids[row]) for row in rows)
        objects = f"the objects {'at positions ' if ids is None else ''}{named}"
        raise InvalidInputError(
            f"{len(clique)} groups of objects must all be apart from each other, but n_clusters is "
            f"{n_clusters}: ask for at least {len(clique)} clusters or drop constraints (the groups of "
            f"{objects}{', ...' if len(clique) > 8 else ''}).",
            parameter="n_clusters",
        )


def enforce(labels: Array, scores: Array, constraints: Constraints) -> Array:
    """Return labels that satisfy all constraints, with high scores.

    Groups that all exclude each other get the best assignment. Of other groups, none has a higher score
    in a cluster that no group it excludes uses.

    Parameters
    ----------
    labels : array (n,)
        Labels to repair; objects without constraints keep their label.
    scores : array (groups, K)
        How well every group fits every cluster, summed over its objects; higher is better.
    constraints : Constraints
        Constraints to satisfy.
    """
    n_groups, n_clusters = scores.shape
    chosen = scores.argmax(axis=1)
    neighbours = _neighbours(constraints)
    edges = constraints.apart
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), (n_groups, n_groups))
    block = connected_components(graph, directed=False)[1]
    for part in range(int(block.max(initial=-1)) + 1):
        groups = np.flatnonzero(block == part)
        if len(groups) == 1:
            continue
        if all(len(neighbours[g]) == len(groups) - 1 for g in groups) and len(groups) <= n_clusters:
            # All exclude each other: an assignment problem.
            chosen[groups] = linear_sum_assignment(-scores[groups])[1]
        else:
            coloured = _colour(groups, scores, neighbours)
            chosen[groups] = [coloured[group] for group in groups.tolist()]
    repaired = labels.copy()
    bound = constraints.bound
    repaired[bound] = chosen[constraints.group[bound]]
    return repaired


def _neighbours(constraints: Constraints) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(constraints.n_groups)]
    for first, second in constraints.apart.tolist():
        neighbours[first].add(second)
        neighbours[second].add(first)
    return neighbours


def _clique(constraints: Constraints) -> list[int]:
    """Return a large set of groups that exclude each other: greedy from every group."""
    neighbours = _neighbours(constraints)
    best: list[int] = []
    for start in sorted(range(len(neighbours)), key=lambda g: -len(neighbours[g]))[:100]:
        clique, candidates = [start], set(neighbours[start])
        while candidates:
            group = max(sorted(candidates), key=lambda g: len(neighbours[g] & candidates))
            clique.append(group)
            candidates &= neighbours[group]
        best = max(best, clique, key=len)
    return best


def _colour(groups: Array, scores: Array, neighbours: list[set[int]]) -> dict[int, int]:
    """Assign every group to a cluster so that no two groups that exclude each other share one.

    Depth first with backtracking: the next group is the one with the fewest clusters left, ties the
    most neighbours, and it tries its clusters by score. So no group can be moved to a free cluster with
    a higher score: with that cluster, the search would have ended earlier.
    """
    n_clusters = scores.shape[1]
    chosen: dict[int, int] = {}
    steps = 0

    def options(group: int) -> list[int]:
        taken = {chosen[g] for g in neighbours[group] if g in chosen}
        return [k for k in np.argsort(-scores[group], kind="stable").tolist() if k not in taken]

    def next_group() -> int:
        left = (int(g) for g in groups if int(g) not in chosen)
        return min(left, key=lambda g: (len(options(g)), -len(neighbours[g]), g))

    # An explicit stack, because the number of groups may exceed Python's recursion limit.
    first = next_group()
    stack = [(first, iter(options(first)))]
    while stack:
        steps += 1
        if steps > _SEARCH_STEPS:
            raise InvalidInputError(
                f"The cannot-links among {len(groups)} groups are too complex to decide whether "
                f"{n_clusters} clusters can satisfy them; ask for more clusters, drop some of them, or "
                "set enforce=False.",
                parameter="enforce",
            )
        group, left = stack[-1]
        chosen.pop(group, None)
        cluster = next(left, None)
        if cluster is None:
            stack.pop()
            continue
        chosen[group] = cluster
        if len(chosen) == len(groups):
            return chosen
        following = next_group()
        stack.append((following, iter(options(following))))
    raise InvalidInputError(
        f"No labelling with {n_clusters} clusters satisfies all cannot-links among {len(groups)} "
        "groups of objects; ask for more clusters or drop some of them."
    )


def broken_constraints(
    name: str, report: ConstraintReport, called: Callable[[int], str]
) -> list[Doubt]:
    """Return a doubt about violated constraints, with two objects as an example.

    Parameters
    ----------
    name : str
        The consensus function.
    report : ConstraintReport
        Counts of satisfied constraints.
    called : function
        Maps the position of an object to its name: the id if there are ids.
    """
    if report.first_broken is None:
        return []
    first, second = (called(place) for place in report.first_broken)
    must = report.must_link - report.must_link_satisfied
    cannot = report.cannot_link - report.cannot_link_satisfied
    wanted = [(must, report.must_link, "must-link"), (cannot, report.cannot_link, "cannot-link")]
    broken = " and ".join(f"{n:,} of {plural(total, word)}" for n, total, word in wanted if total)
    return [
        Doubt(
            BROKEN_CONSTRAINTS,
            {
                "must_link": report.must_link,
                "must_link_broken": must,
                "cannot_link": report.cannot_link,
                "cannot_link_broken": cannot,
                "first": report.first_broken[0],
                "second": report.first_broken[1],
            },
            f"{name} broke {must} of {report.must_link} must-links and {cannot} of "
            f"{report.cannot_link} cannot-links, for example {first} and {second}, which must be "
            f"{'together' if must else 'apart'}; set enforce=True to satisfy all of them.",
            f"{broken} {'does' if must + cannot == 1 else 'do'} not hold",
        )
    ]
