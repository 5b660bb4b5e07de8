"""Members in random projections, several multiplied with the data at once."""

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Declaration, Share
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._kmeans_generator import KMEANS_PARAMETERS, KMeansGenerator
from consilience.generate._pca import dimension
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, draw, ends

# Rows that are multiplied with the projections of a batch at a time.
_ROWS = 2_048


class Projected(NamedTuple):
    """The data as the members of one batch see them."""

    first: int
    spaces: list[Points]

    def of(self, arrays: Mapping[str, Array]) -> Points:
        """Return the data as one member sees them."""
        return self.spaces[int(arrays["position"]) - self.first]


class ProjectingGenerator(KMeansGenerator, ABC):
    """k-means in random projections; a subclass says how wide they are for n_components."""

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMEANS_PARAMETERS,
        "n_components": WholeOrRange(1),
        "variance_kept": Share(),
    }
    # One product serves as many members; more would only take more memory.
    batch_size: ClassVar[int] = 4

    n_components: Range
    variance_kept: float

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        what = f"the number of columns, {X.shape[1]}"
        check_at_most(type(self).__name__, "n_components", self.n_components, X.shape[1], what)

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        points = super()._prepare(X, rng)
        given = self.n_components
        bounds = ends(dimension(X, self.variance_kept, rng) if given is None else given)
        # Not the members' own streams: a batch is projected before its members are made.
        streams = rng.spawn(self.n_members)
        self._widths = [draw(bounds, stream) for stream in streams]
        self.projections_ = [
            _random_projection(X, min(self._projected(width), X.shape[1]), stream)
            for width, stream in zip(self._widths, streams, strict=True)
        ]
        self._mean = np.asarray(X.mean(axis=0)).ravel() if points.is_sparse else points.offset
        return points

    def _projected(self, n_components: int) -> int:
        """Return the columns of the random projection of a member."""
        return n_components

    def _prepare_batch(self, shared: Points, batch: range) -> Projected:
        matrices = self.projections_[batch.start : batch.stop]
        return Projected(batch.start, _project(shared, self._mean, matrices))

    def _draw(
        self,
        shared: Projected,  # noqa: ARG002
        j: int,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> dict[str, Array]:
        return {"position": np.array(j)}

    def _space(self, ready: Projected, arrays: Mapping[str, Array]) -> Points:
        return ready.of(arrays)


def _random_projection(X: Any, width: int, rng: np.random.Generator) -> Array:
    """Draw a (d, d') matrix of independent normal entries, every column scaled to length 1."""
    matrix = rng.standard_normal((X.shape[1], width))
    matrix /= np.linalg.norm(matrix, axis=0)
    return np.asarray(matrix.astype(X.dtype))


def _project(points: Points, mean: Array, projections: list[Array]) -> list[Points]:
    """Multiply the data with some projections in one product, and centre each result.

    `mean` is that of the data in `fit`; dense points have lost it already.
    """
    stacked = np.hstack(projections)
    dtype = np.result_type(points.values.dtype, stacked.dtype)
    spaces = [np.empty((points.n_samples, matrix.shape[1]), dtype) for matrix in projections]
    ends_of = np.cumsum([matrix.shape[1] for matrix in projections])[:-1]
    # What is left of the mean in these points.
    left = (mean - points.offset) @ stacked
    for first in range(0, points.n_samples, _ROWS):
        rows = slice(first, first + _ROWS)
        # A part that stays in the cache until it is taken apart.
        together = points.values[rows] @ stacked - left
        for space, part in zip(spaces, np.split(together, ends_of, axis=1), strict=True):
            space[rows] = part
    return [
        Points.at_origin(space, (mean @ matrix).astype(dtype))
        for space, matrix in zip(spaces, projections, strict=True)
    ]
