"""Results of row steps and of sweeps."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._random import pick_one
from consilience._utils._types import Array

# Sums closer than this, relative to max(1, |sum|), are ties.
TIE_TOLERANCE = 1e-9

_NONE = np.empty(0, dtype=np.int32)
_NO_SUMS = np.empty(0)


class StepResult(NamedTuple):
    """Result of a row step for one block of rows; all fields are optional."""

    labels: Array | None = None
    memberships: Array | None = None
    sums: tuple[Array, ...] = ()
    values: Array | None = None


class Assigned(NamedTuple):
    """A label for every row, and the count tables.

    labels  (n,) int32
    counts  (t, K) weight of every base cluster in every label; exact integers if weights are
    sizes   (K,) weight of the rows of every label
    best    (n,) the largest sums; empty unless requested
    moved   share of the rows that had another label before
    leads   bounds for rows that cannot change soon, see `Leads`; None if unknown
    """

    labels: Array
    counts: Array
    sizes: Array
    best: Array
    moved: float = 1.0
    leads: Any = None


class Swept(NamedTuple):
    """Result of a sweep over all rows; fields that the step did not return are None.

    labels, counts, sizes, best  as in `Assigned`
    memberships                  (t, K) H' A of the memberships A that the step returned
    sums                         the step's sums, added in row order
    values                       (n,) or (n, d), the values that the step returned
    """

    labels: Any = None  # an array, or a vector on the GPU
    counts: Array | None = None
    memberships: Array | None = None
    sizes: Array | None = None
    sums: tuple[Array, ...] = ()
    best: Array | None = None
    values: Array | None = None

    def assigned(self) -> Assigned:
        """Return the labels and their tables; for steps that label every row."""
        if self.labels is None or self.counts is None or self.sizes is None:
            raise TypeError("The step returned no labels, or n_labels was not given to the sweep.")
        best = _NO_SUMS if self.best is None else self.best
        return Assigned(self.labels, self.counts, self.sizes, best)

    def per_row(self) -> Array:
        """Return the values of the rows; for steps that return values."""
        if self.values is None:
            raise TypeError("The step returned no values.")
        return self.values

    def scattered(self) -> Array:
        """Return H' A of the memberships A; for steps that return memberships."""
        if self.memberships is None:
            raise TypeError("The step returned no memberships.")
        return self.memberships


# A pure function (scores, *row_vectors) -> StepResult; picklable, so that other processes can run it.
Step = Callable[..., StepResult]


def responsibilities_step(scores: Array, weight: Array | None) -> StepResult:
    """Turn log weights into responsibilities; sums: the log-likelihood and the column totals."""
    from consilience._kernels._softmax import softmax_rows

    rho = np.array(scores, dtype=np.float64, order="C")
    totals = np.zeros(rho.shape[1])
    log_likelihood = softmax_rows(rho, weight, totals)
    return StepResult(memberships=rho, sums=(np.array(log_likelihood), totals))


def argmax_step(scores: Array, current: Array | None = None) -> StepResult:
    """Label every row by its largest score: current label if tied, else the first."""
    labels, _ = best_columns(scores, current, want_best=False)
    return StepResult(labels=labels)


def random_argmax_step(scores: Array, draws: Array) -> StepResult:
    """Label every row by its largest score, ties by a random draw for every row; see `row_draws`."""
    largest = scores.max(axis=1, keepdims=True)
    best = scores >= largest - TIE_TOLERANCE * np.maximum(1.0, np.abs(largest))
    return StepResult(labels=pick_one(best, draws))


def own_score_step(scores: Array, labels: Array) -> StepResult:
    """Return the score of every row's own label."""
    own = np.take_along_axis(scores, labels[:, None].astype(np.int64), axis=1)[:, 0]
    return StepResult(values=own)


def best_columns(
    scores: Array, current: Array | None, *, want_best: bool
) -> tuple[Array, Array | None]:
    """Return the winning column of every row by the tie rule, and its score if wanted."""
    from consilience._kernels._gather import argmax_scores

    labels = np.empty(len(scores), dtype=np.int32)
    best = np.empty(len(scores)) if want_best else _NO_SUMS
    argmax_scores(
        np.ascontiguousarray(scores, dtype=np.float64),
        _NONE if current is None else current,
        TIE_TOLERANCE,
        labels,
        best,
    )
    return labels, best if want_best else None
