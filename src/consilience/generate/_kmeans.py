"""Members by k-means, each in a space of its own: new random starts, or a chain of starts."""

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs

from consilience._utils._declare import Declaration, Integer, Real
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
from consilience.generate._base import DrawnMembers, parameters_from_fields
from consilience.generate._member import Member, without_empty
from consilience.generate._ranges import cluster_range, draw


@parameters_from_fields
class KMeansGenerator(DrawnMembers, ABC):
    """k-means per member, until it converges: one run from random rows, or the best of a few.

    A subclass says what makes member j special: arrays drawn from its stream (`_draw`), the space that
    these make of the data (`_space`), and the rows it is made from (`_sample`).
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **DrawnMembers.parameters,
        "max_iter": Integer(1),
        "tol": Real(0),
    }

    max_iter: int = 300
    tol: float = 1e-4
    # Runs per member; the best is kept. One starts from random rows, as in the papers. Not a parameter
    # of every subclass, so it has no annotation.
    n_init = 1

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

    def _bounds(self, n_samples: int) -> tuple[int, int]:
        """Return the smallest and largest number of clusters of a member."""
        return cluster_range(self.n_clusters, self._sample_size(n_samples))

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
        labels, used = without_empty(nearest(space, run.centres), len(run.centres))
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


@parameters_from_fields
class KMeansRestarts(KMeansGenerator):
    """k-means from new random rows for every member, K fixed or drawn.

    One run of k-means depends on its start; many runs agree where the data have clear clusters. With K
    drawn from a range, members see the data coarsely and finely, which evidence accumulation needs.

    Parameters
    ----------
    random_state : int, generator or None, default None
        Decides the starting rows and every K.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres as cluster table.
    n_iter_

    See Also
    --------
    IntelligentKMeans : Every run starts from the clusters of the one before.
    RandomProjection : The same on random projections.

    Notes
    -----
    O(n K d) a round at most; rows that cannot change their cluster are skipped [hamerly2010]_. A run
    ends when no label changes, when the squared moves of its centres sum to at most `tol` times the
    mean variance of the columns, or after `max_iter` rounds: the rule of scikit-learn. The papers run
    k-means until no label changes, which is ``tol=0``. All members share one centred copy of the data.
    No label is missing. Sparse data are left to scikit-learn's k-means, from the same rows.

    Members may have fewer clusters than asked if the data have fewer distinct rows; then there is a
    `FewerClustersWarning`.

    References
    ----------
    [fred2005]_, [hamerly2010]_, [nguyen2007]_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from consilience.generate import KMeansRestarts
    >>> X = load_iris().data
    >>> KMeansRestarts(n_members=10, n_clusters=3, random_state=0).fit(X).ensemble_
    Ensemble(150 objects, 10 members, 30 base clusters)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "n_init": Integer(1),
    }

    n_init: int = 1


@parameters_from_fields
class IntelligentKMeans(KMeansGenerator):
    """k-means started from one row of every cluster of the member before.

    k random rows hit all of k equal clusters with a chance of k! / k^k only. Rows drawn from different
    clusters of the run before are spread better, and are still different each time.

    Parameters
    ----------
    n_clusters : int, pair (low, high) or None, default None
        Clusters of all members, K; a pair: drawn once for the chain, both ends included; None: drawn
        once from 2 .. min(50, ceil(sqrt(n))).
    random_state : int, generator or None, default None
        Decides starting rows and K.
    n_jobs : int or None, default None
        Threads that share the rows of one member; see joblib. Results do not depend on it.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres as cluster table.
    n_iter_

    See Also
    --------
    KMeansRestarts : Independent runs.

    Notes
    -----
    O(n K d) a round of k-means. Members are made one after the other, each from its predecessor; only
    the rows of one member can be shared between workers. No label is missing. If the run before has
    fewer than K clusters, the missing starts are uniform rows. The paper counts O(1) for the draws; they
    are O(n + K).

    References
    ----------
    [azimi2007]_, section 3.1

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from consilience.generate import IntelligentKMeans
    >>> members = IntelligentKMeans(n_members=10, n_clusters=3, scaling="max", random_state=0)
    >>> members.fit(load_iris().data).ensemble_
    Ensemble(150 objects, 10 members, 30 base clusters)
    """

    in_sequence: ClassVar[bool] = True

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        self._drawn = draw(cluster_range(self.n_clusters, X.shape[0]), rng)
        return super()._prepare(X, rng)

    def _bounds(self, n_samples: int) -> tuple[int, int]:  # noqa: ARG002
        return self._drawn, self._drawn

    def _start(
        self, points: Points, n_clusters: int, rng: np.random.Generator, previous: Member | None
    ) -> Array:
        if previous is None:
            return random_rows(points, n_clusters, rng)
        order = np.argsort(previous.labels, kind="stable")
        sizes = np.bincount(previous.labels)
        inside = np.cumsum(sizes) - sizes + rng.integers(sizes)
        uniform = rng.integers(points.n_samples, size=max(0, n_clusters - len(sizes)))
        return points.rows(np.concatenate([order[inside], uniform]))

    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))
