"""Where a search ended: the one record of k-means, partitioners, voting and mixtures."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from consilience.ensemble import canonical_labels
from consilience.incidence import label_digest

Array = np.ndarray[Any, Any]


class Solution(NamedTuple):
    """A labelling that one start of a search ended in.

    labels     (n,) integers from 0
    criterion  what solutions are ranked by; lower is better
    objective  what the search itself minimises or maximises
    n_iter     rounds until it stopped; None if it does not iterate
    converged  whether it stopped by itself, before its largest number of rounds
    history    the objective per round; None if it is not known
    """

    labels: Array
    criterion: float
    objective: float
    n_iter: int | None = None
    converged: bool = True
    history: list[float] | None = None

    @classmethod
    def minimised(
        cls,
        labels: Array,
        objective: float,
        n_iter: int | None = None,
        *,
        converged: bool = True,
        history: list[float] | None = None,
    ) -> "Solution":
        """Return a solution of a search for which a lower objective is better."""
        return cls(labels, objective, objective, n_iter, converged, history)

    @classmethod
    def maximised(
        cls,
        labels: Array,
        objective: float,
        n_iter: int | None = None,
        *,
        converged: bool = True,
        history: list[float] | None = None,
    ) -> "Solution":
        """Return a solution of a search for which a higher objective is better."""
        return cls(labels, -objective, objective, n_iter, converged, history)


def best_of(solutions: Sequence[Solution]) -> Solution:
    """Return the solution with the lowest criterion; the first among equals."""
    return min(solutions, key=lambda solution: solution.criterion)


def distinct_solutions(solutions: Iterable[Solution]) -> list[Solution]:
    """Sort by criterion, earliest first among equals, and keep every partition once."""
    found: dict[bytes, Solution] = {}
    for solution in sorted(solutions, key=lambda solution: solution.criterion):
        labels = canonical_labels(solution.labels)[0]
        found.setdefault(label_digest(labels), solution._replace(labels=labels))
    return list(found.values())
