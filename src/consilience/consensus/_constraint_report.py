"""How many constraints a labelling satisfies."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints


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
