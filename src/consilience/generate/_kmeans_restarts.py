"""k-means from many random starts."""

from collections.abc import Mapping
from typing import Any, ClassVar

from consilience._utils._declare import Declaration, Integer
from consilience._utils._random import RandomState
from consilience.generate._kmeans_generator import KMEANS_PARAMETERS, KMeansGenerator
from consilience.generate._ranges import Range


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

    parameters: ClassVar[Mapping[str, Declaration]] = {**KMEANS_PARAMETERS, "n_init": Integer(1)}

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        n_init: int = 1,
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
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose
