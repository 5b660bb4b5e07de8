"""What a consensus function returns to the base class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from consilience._utils._types import Array
from consilience.consensus._doubts import Doubt
from consilience.partition import Solution, best_of, distinct_solutions


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
