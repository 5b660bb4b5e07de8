"""HBGF, LWGP and WBPA: a graph of objects and base clusters."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus.graph._feature_weights import FeatureWeighing
from consilience.consensus.graph._graph_function import GraphFunction, outcome_of_cut
from consilience.ensemble import Ensemble
from consilience.metrics.internals import ensemble_cluster_index
from consilience.partition import (
    Balanced,
    BipartiteGraph,
    Dhillon,
    Metis,
    Partitioner,
    PartitionerChoice,
    Spectral,
)


class HBGF(GraphFunction):
    """Hybrid bipartite graph formulation: partition objects and base clusters in one graph.

    Objects and base clusters are the two sides of a graph; an object is linked only with the base
    clusters that contain it. Partitioning this graph groups objects by shared clusters and clusters by
    shared objects at the same time.

    The spectral form takes the K leading singular vectors u, v of D1^(-1/2) H W D2^(-1/2), with H the
    incidence, W the member weights, D1 and D2 the row and column sums; scales the n + t rows to length
    one; and runs k-means on them.

    Parameters
    ----------
    partitioner : {"spectral", "dhillon", "balanced", "metis"} or Partitioner, default "spectral"
        Spectral as in the paper; Dhillon's form with ceil(log2 K) vectors and no row scaling; or parts
        with equal numbers of objects, by a local search or by METIS. A name selects the partitioner
        with its default parameters; pass an object of `consilience.partition` for others, such as
        ``Spectral(objects_only=True, n_init=20)`` or ``Balanced(imbalance=0.1)``.

    Attributes
    ----------
    objective_ : float
        Sum of squares of the embedded rows about their centres; with equal parts, the weight of the
        links inside them.
    n_iter_ : int
        Rounds of k-means or of the local search; not set by METIS.
    history_ : list of float
        The objective after every round of the local search.
    solutions_ : list of Solution
        Every distinct result of the starts of the local search, best first.

    See Also
    --------
    LWGP : The same graph, base clusters weighted by their certainty.
    IBGF : Objects only.

    Notes
    -----
    O(n r^2 + t^3), or O(n r) a product if t is large; O(n r K) for k-means. A missing label is one
    link less. The balanced forms do not accept `sample_weight`; METIS does not accept soft members
    either. Parts of equal size are unsuitable for clusters of unequal size.

    References
    ----------
    [fern2004]_, section 4.1.3; [dhillon2001]_

    Examples
    --------
    >>> from consilience.consensus import HBGF
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> HBGF(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": PartitionerChoice(
            "bipartite",
            spectral=Spectral(),
            dhillon=Dhillon(),
            balanced=Balanced(max_iter=300),
            metis=Metis(),
        ),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "spectral",
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        H = ensemble.incidence
        # A scalar if every member labels every object.
        known = H.observed(ensemble.weights) if ensemble.has_missing else ensemble.weights.sum()
        graph = BipartiteGraph(H, ensemble.column_weights, known)
        return outcome_of_cut(self._partitioner().cut_bipartite(graph, n_clusters, rng))


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


class WBPA(FeatureWeighing, HBGF):
    """Weighted bipartite partitioning algorithm: objects and base clusters, linked by posteriors.

    Objects and base clusters are the two sides of a graph; the weight of a link is the posterior
    probability of the base cluster for the object. Partitioning this graph groups both at the same
    time. It is HBGF's graph with posteriors on its links.

    The spectral form takes the K leading singular vectors u, v of D1^(-1/2) A D2^(-1/2), with A the
    memberships times the member weights, D1 and D2 its row and column sums; scales the n + t rows to
    length one; and runs k-means on them. The balanced forms maximise the weight of the links inside
    parts with equal numbers of objects.

    Parameters
    ----------
    partitioner : {"spectral", "balanced", "metis"} or Partitioner, default "spectral"
        Spectral, or parts with equal numbers of objects: by a local search, or by METIS, as the paper
        did; the latter needs ``pip install consilience[metis]``. A name selects the partitioner with
        its default parameters; pass an object of `consilience.partition` for others.
    features : array (n, D) or None, default None
        The data, in the units in which the members were made, for "dispersion".

    Attributes
    ----------
    objective_ : float
        Sum of squares of the embedded rows about their centres; weight of the links inside the parts
        for the balanced forms.
    n_iter_ : int
        Rounds of k-means or of the local search; not set by METIS.
    history_ : list of float
        The objective after every round of the local search.
    solutions_ : list of Solution
        Every distinct result of the starts of the local search, best first.
    feature_weights_

    See Also
    --------
    HBGF : The same graph for labels.
    WSPA : Objects only, linked by the similarity of their posteriors.
    consilience.generate.LACSweep : Members with posteriors.

    Notes
    -----
    The method is intended for posteriors: pass an Ensemble that has them, such as
    ``LACSweep(...).ensemble_`` or one made by ``Ensemble.from_memberships``. Hard labels are
    posteriors of 0 or 1; for a label matrix, such as the result of `fit_transform` of a generator,
    WBPA is HBGF.

    O(n t^2 + t^3), with t base clusters in all, and O(n t K) for k-means. Members may have different
    numbers of clusters. Missing labels have no links. The balanced forms do not accept
    `sample_weight`; parts of equal size are unsuitable for clusters of unequal size. The paper cut the
    graph with METIS; the spectral form, which needs no balance, is the default here. Every object is
    linked with every base cluster, and METIS may find a poor cut of such a dense graph if K is more
    than 2; use "balanced" then.

    Mean feature weights are f_k = sum_c m_kc phi_c / sum_c m_kc, with phi_c those of base cluster c and
    m_kc the number of objects of cluster k whose most likely base cluster is c, times the member's
    weight. By dispersion they are exp(-X_ki / h), scaled to sum one over i, with X_ki the mean of
    (x_i - c_ki)^2 over the objects of cluster k and c_k their mean. The paper does not say how the
    weights of consensus clusters are found.

    `predict` takes posteriors of new rows; the votes of a base cluster are counted over the objects
    whose most likely cluster it is, because posteriors of LAC are flat.

    References
    ----------
    [alrazgan2006]_, section 4.2

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.consensus import WBPA
    >>> sure = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]]
    >>> torn = [[0.6, 0.4], [0.5, 0.5], [0.5, 0.5], [0.3, 0.7]]
    >>> ensemble = Ensemble.from_memberships([sure, torn])
    >>> WBPA(n_clusters=2, random_state=0).fit_predict(ensemble).tolist()
    [0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": PartitionerChoice(
            "bipartite", spectral=Spectral(), balanced=Balanced(max_iter=300), metis=Metis()
        ),
        **FeatureWeighing.feature_parameters,
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "spectral",
        feature_weights: str = "mean",
        features: Array | None = None,
        h: float = 0.2,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.feature_weights = feature_weights
        self.features = features
        self.h = h
        self.random_state = random_state
