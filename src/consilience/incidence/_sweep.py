"""Results of row steps and of sweeps, and the steps that several parts of the library use."""

from collections.abc import Callable
from dataclasses import dataclass
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
    """

    labels: Array
    counts: Array
    sizes: Array
    best: Array
    moved: float = 1.0


class Swept(NamedTuple):
    """Result of a sweep over all rows; fields that the step did not return are None.

    labels, counts, sizes, best  as in `Assigned`
    memberships                  (t, K) H' A of the memberships A that the step returned
    sums                         the step's sums, added in row order
    values                       (n,) or (n, d), the values that the step returned
    """

    labels: Any = None
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
    from consilience._kernels._steps import softmax_rows

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


# --- k-means on gathered rows -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NearestCentres:
    """Step of k-means on gathered rows: the nearest centre of every row, and sums over the rows.

    Engines may have special implementations of it.

    Called with scores, factors of the rows or None, and weights of the rows or None.

    centres  (restarts, K, d)
    unit     whether rows are scaled to length one first
    wanted   "sums": points (restarts, K, d), weights (restarts, K) and squared distances (restarts,)
             are added up; "labels": the nearest centre of the only restart, and the squared distances
             added up; "distances": squared distances of every row, (n, restarts)
    """

    centres: Array
    unit: bool
    wanted: str

    @property
    def adds_up(self) -> bool:
        """Whether sums are wanted instead of a number for every row and restart."""
        return self.wanted != "distances"

    def __call__(self, scores: Array, scale: Array | None, weight: Array | None) -> StepResult:
        """Return the wanted result for some rows."""
        return self.of_points(as_points(scores, scale, unit=self.unit), weight)

    def of_points(self, points: Array, weight: Array | None) -> StepResult:
        """Do the same for rows that are points already."""
        from consilience._kernels._steps import add_rows

        labels, distance = nearest_points(points, self.centres)
        if self.wanted == "distances":
            return StepResult(values=distance)
        if self.wanted == "labels":
            total = distance.sum(axis=0) if weight is None else weight.astype(np.float64) @ distance
            return StepResult(labels=labels[:, 0].astype(np.int32), sums=(total,))
        factor = np.ones(len(points)) if weight is None else weight.astype(np.float64)
        sums, sizes = np.zeros(self.centres.shape), np.zeros(self.centres.shape[:2])
        add_rows(np.ascontiguousarray(points), factor, labels, sums, sizes)
        return StepResult(sums=(sums, sizes, factor @ distance))


def as_points(scores: Array, scale: Array | None, *, unit: bool) -> Array:
    """Convert gathered scores to points."""
    points = scores if scale is None else scores * scale[:, None]
    return unit_rows(points) if unit else points


def unit_rows(points: Array) -> Array:
    """Scale rows to length one; rows of zeros stay."""
    length = np.sqrt(np.square(points).sum(axis=1, keepdims=True))
    return np.asarray(points / np.where(length > 1e-300, length, 1.0))


def nearest_points(points: Array, centres: Array) -> tuple[Array, Array]:
    """Nearest centre of every point for every restart, and its squared distance; (m, restarts)."""
    from consilience._kernels._steps import nearest_centres

    n_restarts, _, width = centres.shape
    products = points @ centres.reshape(-1, width).T
    labels = np.empty((len(points), n_restarts), dtype=np.int64)
    distance = np.empty((len(points), n_restarts))
    squares = np.einsum("id,id->i", points, points)
    nearest_centres(products, np.square(centres).sum(axis=2), squares, labels, distance)
    return labels, distance
