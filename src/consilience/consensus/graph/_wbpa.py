"""WBPA: weighted bipartite partitioning algorithm."""

from collections.abc import Mapping
from typing import ClassVar

from consilience._utils._declare import Declaration, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus.graph._feature_weights import FeatureWeighing
from consilience.consensus.graph._hbgf import HBGF
from consilience.partition import Balanced, Metis, Partitioner, PartitionerChoice, Spectral


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
