"""Steps of k-means on gathered rows; engines may have special implementations of them."""

from dataclasses import dataclass

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._sweep import StepResult


@dataclass(frozen=True, eq=False)
class NearestCentres:
    """The nearest of some centres for every row, and sums over the rows.

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
        from consilience._kernels._nearest import add_rows

        labels, distance = nearest(points, self.centres)
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


def nearest(points: Array, centres: Array) -> tuple[Array, Array]:
    """Nearest centre of every point for every restart, and its squared distance; (m, restarts)."""
    from consilience._kernels._nearest import nearest_centres

    n_restarts, _, width = centres.shape
    products = points @ centres.reshape(-1, width).T
    labels = np.empty((len(points), n_restarts), dtype=np.int64)
    distance = np.empty((len(points), n_restarts))
    squares = np.einsum("id,id->i", points, points)
    nearest_centres(products, np.square(centres).sum(axis=2), squares, labels, distance)
    return labels, distance
