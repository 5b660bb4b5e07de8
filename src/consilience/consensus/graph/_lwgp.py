"""LWGP: locally weighted graph partitioning."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.ensemble import Ensemble
from consilience.metrics.internals import ensemble_cluster_index
from consilience.partition import BipartiteGraph, Spectral


class LWGP(ConsensusFunction):
    """Locally weighted graph partitioning: HBGF with base clusters weighted by their certainty.

    A base cluster that other members split into many parts is uncertain. Its links in the bipartite
    graph of objects and base clusters are weighted by ECI(c) = exp(-E(c) / (theta r)), E(c) its
    entropy with respect to the ensemble; the graph is then cut spectrally.

    Objects are embedded by D_x^(-1) B D_y^(-1/2) v, with B = H diag(w ECI), D_x and D_y its row and
    column sums and v the leading right singular vectors of D_x^(-1/2) B D_y^(-1/2); rows are scaled to
    length one and clustered by k-means.

    Parameters
    ----------
    theta : float, default 0.4
        Larger values reduce the influence of uncertainty and approach HBGF.
    n_init : int, default 10
        k-means starts.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Attributes
    ----------
    cluster_weights_ : array (t,)
        ECI of every base cluster.
    objective_ : float
        Sum of squares of the embedded rows about their centres.
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    HBGF : The same without weights.
    LWEA : The same weights with average linkage.

    Notes
    -----
    O(n r^2 + t^3) and O(n r K) for k-means. A missing label is one link less. Works well if members
    have very different numbers of clusters.

    References
    ----------
    [huang2018]_

    Examples
    --------
    >>> from consilience.consensus import LWGP
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> LWGP(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "theta": Real(0.01),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        theta: float = 0.4,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.theta = theta
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        H = ensemble.incidence
        certainty = ensemble_cluster_index(ensemble, self.theta)
        links = ensemble.column_weights * certainty
        partitioner = Spectral(objects_only=True, n_init=self.n_init, max_iter=self.max_iter)
        (found,) = partitioner.cut_bipartite(BipartiteGraph(H, links, H @ links), n_clusters, rng)
        return Outcome.of(found, cluster_weights_=certainty)
