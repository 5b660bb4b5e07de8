"""The distinct results of several restarts."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from consilience.ensemble import canonical_labels
from consilience.incidence import label_digest


class Solution(NamedTuple):
    """A labelling that a restart ended in.

    labels     (n,) canonical
    criterion  what solutions are ranked by; lower is better
    objective  what the method itself minimises or maximises
    n_iter     rounds until it stopped
    """

    labels: np.ndarray[Any, Any]
    criterion: float
    objective: float
    n_iter: int


def distinct_solutions(solutions: Iterable[Solution]) -> list[Solution]:
    """Sort by criterion, earliest first among equals, and keep every partition once."""
    found: dict[bytes, Solution] = {}
    for solution in sorted(solutions, key=lambda solution: solution.criterion):
        labels = canonical_labels(solution.labels)[0]
        found.setdefault(label_digest(labels), solution._replace(labels=labels))
    return list(found.values())
