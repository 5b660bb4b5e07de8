"""Constraints on pairs of objects: must-links and cannot-links, and how many of them labels satisfy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError

# Keyword arguments of `fit` that describe constraints.
SIDE_KNOWLEDGE = ("must_link", "cannot_link", "partial_labels")


class Pairs(NamedTuple):
    """Pairs p < q of rows, and whether they must be together (else apart)."""

    first: Array
    second: Array
    together: Array


@dataclass(frozen=True)
class Constraints:
    """Groups of objects that must stay together, and pairs of groups that must be in different clusters.

    group    (n,) the group of every object; -1 = not constrained
    apart    (m, 2) pairs of groups, first < second, each once
    dropped  cannot-links that were dropped because must-links contradict them
    """

    group: Array
    apart: Array
    dropped: int = 0

    @property
    def n_groups(self) -> int:
        """Return the number of groups."""
        if self.are_none:
            return 0
        return int(self.group.max(initial=-1)) + 1

    @property
    def sizes(self) -> Array:
        """Return the number of objects in every group."""
        return np.bincount(self.group[self.group >= 0], minlength=self.n_groups)

    @property
    def bound(self) -> Array:
        """Return which objects occur in a constraint."""
        if self.are_none:
            return np.broadcast_to(np.False_, len(self.group))
        return np.asarray(self.group >= 0)

    @property
    def are_none(self) -> bool:
        """Whether there are no constraints; does not read all objects."""
        return self.group.strides == (0,) and bool(np.all(self.group[:1] < 0))

    @classmethod
    def none(cls, n_samples: int) -> Self:
        """Return an empty set of constraints."""
        # A broadcast scalar, so that objects without constraints need no memory.
        return cls(np.broadcast_to(np.int64(-1), n_samples), np.empty((0, 2), dtype=np.int64))

    @classmethod
    def read(
        cls,
        ensemble: Ensemble,
        *,
        must_link: Any = None,
        cannot_link: Any = None,
        partial_labels: Any = None,
        drop_conflicts: bool = False,
    ) -> Self:
        """Validate constraints given by the user and compute their transitive closure.

        Pairs are given by object id where the ensemble has ids, by position otherwise.
        """
        n_samples = ensemble.n_samples
        must = _read_pairs(ensemble, must_link, "must_link")
        cannot = _read_pairs(ensemble, cannot_link, "cannot_link")
        classes, names = _read_labels(partial_labels, n_samples)
        known = np.flatnonzero(classes >= 0)
        # Every class becomes one additional node: its objects are linked to it, and classes exclude
        # each other.
        n_nodes = n_samples + len(names)
        links = np.vstack([must, np.column_stack([known, n_samples + classes[known]])])
        exclusive = np.column_stack(np.triu_indices(len(names), 1)) + n_samples
        exclusions = np.vstack([cannot, exclusive])
        graph = coo_array(
            (np.ones(len(links)), (links[:, 0], links[:, 1])), (n_nodes, n_nodes)
        ).tocsr()
        component = connected_components(graph, directed=False)[1]
        clash = component[exclusions[:, 0]] == component[exclusions[:, 1]]
        if clash.any() and not drop_conflicts:
            raise InvalidInputError(
                _explain(graph, exclusions[clash], Namer(ensemble, n_samples, names)),
                parameter="conflicts",
            )
        exclusions = exclusions[~clash]
        bound = np.zeros(n_nodes, dtype=bool)
        bound[links.ravel()] = bound[exclusions.ravel()] = True
        bound[n_samples:] = False
        number = np.full(component.max(initial=-1) + 1, -1)
        used = np.unique(component[bound])
        number[used] = np.arange(len(used))
        group = np.where(bound, number[component], -1)[:n_samples]
        apart = np.sort(number[component[exclusions]], axis=1)
        apart = np.unique(apart[(apart >= 0).all(axis=1)].reshape(-1, 2), axis=0)
        return cls(group, apart, int(np.count_nonzero(clash)))

    def on_rows(self, place: Array | None, n_rows: int) -> Self:
        """Return the same constraints on the rows that represent the objects.

        A row of -1 means that no row represents the object; None means one row per object. Constrained
        objects must have rows of their own.
        """
        if self.n_groups == 0:
            return type(self).none(n_rows)
        if place is None:
            return self
        group = np.full(n_rows, -1)
        here = self.bound & (place >= 0)
        group[place[here]] = self.group[here]
        return type(self)(group, self.apart, self.dropped)

    def pairs(self) -> Pairs:
        """Return every constrained pair of rows."""
        sizes = self.sizes.astype(np.int64)
        n_pairs = int((sizes * (sizes - 1) // 2).sum() + (sizes[self.apart].prod(axis=1)).sum())
        require_memory(
            60 * n_pairs,
            f"The {n_pairs} pairs that the constraints fix, after closing them under transitivity,",
            "Give fewer labelled objects or pairs.",
        )
        order = np.argsort(self.group, kind="stable")
        order = order[len(order) - int(sizes.sum()) :]
        ends = np.concatenate([[0], np.cumsum(sizes)])
        members = [order[ends[k] : ends[k + 1]] for k in range(len(sizes))]
        parts = [np.column_stack(np.triu_indices(len(rows), 1)) for rows in members]
        inside = [rows[part] for rows, part in zip(members, parts, strict=True)]
        across = [
            np.array(np.meshgrid(members[a], members[b])).reshape(2, -1).T for a, b in self.apart
        ]
        empty = np.empty((0, 2), dtype=np.int64)
        both = np.sort(np.vstack([empty, *inside, *across]), axis=1)
        together = np.zeros(len(both), dtype=bool)
        together[: sum(len(part) for part in inside)] = True
        return Pairs(both[:, 0], both[:, 1], together)


def _read_pairs(ensemble: Ensemble, given: Any, name: str) -> Array:
    """Return positions, (m, 2)."""
    if given is None or len(given) == 0:
        return np.empty((0, 2), dtype=np.int64)
    pairs = np.asarray(given)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InvalidInputError(
            f"{name} must be pairs of objects, shape (m, 2); got shape {pairs.shape}."
        )
    if ensemble.ids is not None:
        rows = ensemble.rows_of(pairs.ravel()).reshape(-1, 2)
    elif pairs.dtype.kind not in "iu":
        raise InvalidInputError(
            f"{name} must hold positions, whole numbers from 0 to {ensemble.n_samples - 1}; got "
            f"{pairs.ravel().tolist()[0]!r}. Give the ensemble ids to name objects by them."
        )
    else:
        outside = (pairs < 0) | (pairs >= ensemble.n_samples)
        if outside.any():
            raise InvalidInputError(
                f"{name} names object {int(pairs[outside][0])}; positions run from 0 to "
                f"{ensemble.n_samples - 1}."
            )
        rows = pairs.astype(np.int64)
    itself = rows[:, 0] == rows[:, 1]
    if itself.any():
        place = int(np.argmax(itself))
        what = pairs[place].tolist()[0]
        raise InvalidInputError(
            f"{name} pairs object {what!r} with itself (pair {place}); name two objects."
        )
    return rows


def _read_labels(given: Any, n_samples: int) -> tuple[Array, list[Any]]:
    """Return the class of every object, -1 = unknown, and the names of the classes."""
    if given is None:
        return np.full(n_samples, -1), []
    if np.ndim(given) != 1 or len(given) != n_samples:
        raise InvalidInputError(
            f"partial_labels must be one label per object, {n_samples} of them, -1 = unknown; got "
            f"shape {np.shape(given)}."
        )
    try:
        known = Ensemble.from_new_rows([given])
    except InvalidInputError as error:
        raise InvalidInputError(f"partial_labels: {error}") from None
    return known.labels[:, 0].astype(np.int64), known.values[0].tolist()


class Namer(NamedTuple):
    """Names of objects and classes in a message."""

    ensemble: Ensemble
    n_samples: int
    classes: Sequence[Any] = ()

    def __call__(self, node: int) -> str:
        if node >= self.n_samples:
            return f"label {self.classes[node - self.n_samples]!r}"
        ids = self.ensemble.ids
        return str(node) if ids is None else repr(ids[[node]].tolist()[0])


def _explain(graph: Any, clashes: Array, name: Namer) -> str:
    """Return the error for the first contradiction and the shortest chain of must-links behind it."""
    first, second = (int(node) for node in clashes[0])
    previous = breadth_first_order(graph, first, directed=False)[1]
    chain = [second]
    while chain[-1] != first:
        chain.append(int(previous[chain[-1]]))
    path = " = ".join(name(node) for node in reversed(chain))
    more = f" ({len(clashes)} such pairs in all)" if len(clashes) > 1 else ""
    return (
        f"The constraints contradict each other: {name(first)} and {name(second)} must be apart, but "
        f"must-links join them: {path}{more}. Correct one of them, or set "
        'conflicts="drop_cannot_link".'
    )


@dataclass(frozen=True)
class ConstraintReport:
    """Number of constrained pairs, after transitive closure, and how many are satisfied.

    Attributes
    ----------
    must_link, cannot_link : int
        Number of pairs that must be together, and of pairs that must be apart.
    must_link_satisfied, cannot_link_satisfied : int
        How many of them the final labels satisfy.
    dropped : int
        Number of cannot-links that were dropped because must-links contradict them.
    first_broken : pair of int, or None
        Positions of the first two objects that should be together and are not, or else that should be
        apart and are not; None if all constraints hold.

    Examples
    --------
    >>> from consilience.consensus import GCA
    >>> votes = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]]
    >>> print(GCA(2).fit(votes, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 3)]).constraints_)
    3 of 3 must-links and 3 of 3 cannot-links hold
    """

    must_link: int
    cannot_link: int
    must_link_satisfied: int
    cannot_link_satisfied: int
    dropped: int = 0
    first_broken: tuple[int, int] | None = None

    @property
    def all_hold(self) -> bool:
        """Whether all constraints are satisfied."""
        wanted = self.must_link, self.cannot_link
        return wanted == (self.must_link_satisfied, self.cannot_link_satisfied)

    @classmethod
    def of(cls, labels: Array, constraints: Constraints) -> Self:
        """Count by groups, without listing the pairs."""
        bound = constraints.bound
        table = np.zeros((constraints.n_groups, int(labels.max()) + 1), dtype=np.int64)
        np.add.at(table, (constraints.group[bound], labels[bound]), 1)
        sizes = table.sum(axis=1)
        first, second = constraints.apart.T
        return cls(
            must_link=int((sizes * (sizes - 1) // 2).sum()),
            cannot_link=int((sizes[first] * sizes[second]).sum()),
            must_link_satisfied=int((table * (table - 1) // 2).sum()),
            cannot_link_satisfied=int(
                (sizes[first] * sizes[second] - (table[first] * table[second]).sum(axis=1)).sum()
            ),
            dropped=constraints.dropped,
            first_broken=_first_broken(labels, constraints, table),
        )

    def __str__(self) -> str:
        left_out = (
            f"; {self.dropped} contradict must-links and were left out" if self.dropped else ""
        )
        return (
            f"{self.must_link_satisfied} of {self.must_link} must-links and "
            f"{self.cannot_link_satisfied} of {self.cannot_link} cannot-links hold{left_out}"
        )


def _first_broken(labels: Array, constraints: Constraints, table: Array) -> tuple[int, int] | None:
    """Return a pair of objects that violates a must-link, or else a cannot-link."""
    torn = np.flatnonzero(np.count_nonzero(table, axis=1) > 1)
    if len(torn):
        objects = np.flatnonzero(constraints.group == torn[0])
        elsewhere = objects[labels[objects] != labels[objects[0]]]
        return int(objects[0]), int(elsewhere[0])
    for first, second in constraints.apart.tolist():
        shared = np.flatnonzero((table[first] > 0) & (table[second] > 0))
        if len(shared):
            inside = labels == shared[0]
            one = np.flatnonzero((constraints.group == first) & inside)[0]
            other = np.flatnonzero((constraints.group == second) & inside)[0]
            return int(min(one, other)), int(max(one, other))
    return None
