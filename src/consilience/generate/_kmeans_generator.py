"""Members by k-means, each in a space of its own."""

from abc import ABC
from collections.abc import Mapping
from typing import Any

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.clusterers.internals import (
    Points,
    Run,
    inertia,
    lloyd,
    nearest,
    random_rows,
    spread_rows,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import NotConvergedWarning, warn
from consilience.generate._base import EnsembleGenerator
from consilience.generate._member import Member
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, cluster_range, draw
from consilience.generate._scaling import SCALING

# What every generator declares that draws members with K clusters.
MEMBER_PARAMETERS: Mapping[str, Declaration] = {
    "n_members": Integer(1),
    "n_clusters": WholeOrRange(1),
    "scaling": SCALING,
    "random_state": Seed(),
}

# What every generator that runs k-means declares.
KMEANS_PARAMETERS: Mapping[str, Declaration] = {
    **MEMBER_PARAMETERS,
    "max_iter": Integer(1),
    "tol": Real(0),
}


class KMeansGenerator(EnsembleGenerator, ABC):
    """k-means per member, until it converges: one run from random rows, or the best of a few.

    A subclass says what makes member j special: arrays drawn from its stream (`_draw`), the space that
    these make of the data (`_space`), and the rows it is made from (`_sample`).
    """

    n_clusters: Range
    max_iter: int
    tol: float
    # Runs per member; the best is kept. One starts from random rows, as in the papers.
    n_init: int = 1

    def _draw(self, shared: Any, j: int, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        """Return the arrays of member j on which its space depends."""
        return {}

    def _space(self, ready: Any, arrays: Mapping[str, Array]) -> Points:  # noqa: ARG002
        """Return the rows as member j sees them."""
        points: Points = ready
        return points

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Array | None:  # noqa: ARG002
        """Return the rows from which a member is made; None = all."""
        return None

    def _learn(
        self,
        shared: Any,  # noqa: ARG002
        sample: Array,  # noqa: ARG002
        rng: np.random.Generator,  # noqa: ARG002
    ) -> dict[str, Array]:
        """Return arrays that the space of a member needs and that its own rows decide."""
        return {}

    def _sample_size(self, n_samples: int) -> int:
        """Return how many rows `_sample` gives."""
        return n_samples

    def _bounds(self, n_samples: int) -> tuple[int, int]:
        """Return the smallest and largest number of clusters of a member."""
        return cluster_range(self.n_clusters, self._sample_size(n_samples))

    def _check_data(self, X: Any) -> None:
        size = self._sample_size(X.shape[0])
        what = f"n_samples = {size}"
        if size < X.shape[0]:
            what = f"the {size} rows that a member is made from (n_samples = {X.shape[0]})"
        check_at_most(type(self).__name__, "n_clusters", self.n_clusters, size, what)

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:  # noqa: ARG002
        points = Points.of(X)
        self._offset = points.offset
        return points

    def _rows(self, X: Any) -> Any:
        return Points.of(X, self._offset)

    def _start(
        self,
        points: Points,
        n_clusters: int,
        rng: np.random.Generator,
        previous: Member | None,  # noqa: ARG002
    ) -> Array:
        return random_rows(points, n_clusters, rng)

    def _threads(self) -> int:
        return 1

    def _best_run(
        self, points: Points, n_clusters: int, rng: np.random.Generator, previous: Member | None
    ) -> Run:
        options: dict[str, Any] = {
            "max_iter": int(self.max_iter),
            "tol": float(self.tol),
            "n_threads": self._threads(),
        }
        if self.n_init == 1:
            return lloyd(points, self._start(points, n_clusters, rng, previous), **options)
        runs = [
            lloyd(points, spread_rows(points, n_clusters, rng), **options)
            for _ in range(self.n_init)
        ]
        return min(runs, key=lambda run: inertia(points, run.centres, nearest(points, run.centres)))

    def _member(
        self, shared: Any, j: int, rng: np.random.Generator, previous: Member | None
    ) -> Member:
        arrays = self._draw(shared, j, rng)
        space = self._space(shared, arrays)
        wanted = draw(self._bounds(space.n_samples), rng, j)
        sample = self._sample(space.n_samples, rng)
        if sample is not None and (learned := self._learn(shared, sample, rng)):
            arrays = {**arrays, **learned}
            space = self._space(shared, arrays)
        points = space if sample is None else space.take(sample)
        run = self._best_run(points, wanted, rng, previous)
        labels = nearest(space, run.centres)
        used = np.bincount(labels, minlength=len(run.centres)) > 0
        if not used.all():
            labels = (np.cumsum(used) - 1)[labels].astype(np.int32)
        labels = self._visible(labels, sample)
        state = {"n_iter": np.array(run.n_iter), "converged": np.array(run.converged)}
        return Member(labels, {**arrays, **state}, centres=run.centres[used], n_clusters=wanted)

    def _assemble(self, labels: Array) -> Ensemble:
        # Members of a clusterer other than k-means do not say whether they converged.
        n_stopped = sum(not member.arrays.get("converged", True) for member in self.members_)
        if n_stopped:
            warn(
                f"{type(self).__name__}: {n_stopped} of {len(self.members_)} members stopped after "
                f"max_iter={self.max_iter} rounds of k-means before they converged; raise max_iter, "
                "or tol.",
                NotConvergedWarning,
            )
        return super()._assemble(labels)

    def _visible(self, labels: Array, sample: Array | None) -> Array:  # noqa: ARG002
        """Hide labels of rows that a member is not to know."""
        return labels

    def _predict(self, member: Member, rows: Any) -> Array:
        assert member.centres is not None  # noqa: S101 - `_member` gives them
        return nearest(self._space(rows, member.arrays), member.centres)
