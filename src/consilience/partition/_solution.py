"""Result of a search, used by k-means, partitioners, voting and mixtures."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from consilience._utils._types import Array
from consilience.ensemble import canonical_labels
from consilience.incidence import label_digest


class Solution(NamedTuple):
    """Result of one start of a search.

    labels     (n,) integers from 0
    criterion  value by which solutions are ranked; lower is better
    objective  value that the search minimises or maximises
    n_iter     number of iterations; None for methods without iterations
    converged  whether it converged before the maximum number of iterations
    history    the objective after every iteration; None if not available
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
