"""A chain of k-means runs, each started from the one before (azimi2007)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import Points, random_rows
from consilience.generate._kmeans_generator import KMEANS_PARAMETERS, KMeansGenerator
from consilience.generate._member import Member
from consilience.generate._ranges import Range, cluster_range, draw


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

    parameters: ClassVar[Mapping[str, Declaration]] = KMEANS_PARAMETERS
    in_sequence: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        max_iter: int = 300,
        tol: float = 1e-4,
        scaling: str | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

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
        from joblib import effective_n_jobs

        return int(effective_n_jobs(self.n_jobs))
