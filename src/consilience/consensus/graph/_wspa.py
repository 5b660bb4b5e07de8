"""WSPA: weighted similarity partitioning algorithm."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus.graph._feature_weights import FeatureWeighing
from consilience.consensus.graph._similarity_cut import SimilarityCut
from consilience.ensemble import Ensemble
from consilience.incidence import ArraySource, Incidence, SoftBlocks
from consilience.partition import (
    Balanced,
    Linkage,
    Metis,
    Partitioner,
    PartitionerChoice,
    Spectral,
)


class WSPA(FeatureWeighing, SimilarityCut):
    """Weighted similarity partitioning algorithm: the graph of similar posteriors in equal parts.

    Objects are vertices; the weight of an edge is the similarity of the posteriors of its two ends:
    the cosine of P_x and P_y, averaged over members. The graph is cut into K parts of equal size with
    as little weight between them as possible.

    Minimises the cut, the sum of Psi_xy over pairs in different parts, with Psi = B B' and B the
    memberships, those of every member scaled to length one and weighted by the root of its share of
    the member weights. Psi is never formed: the cut is (1' Psi 1 - sum_k |T_k|^2) / 2, with T_k the
    summed rows of B in part k.

    Strict balance is part of the method, and unsuitable for clusters of unequal size; a warning is
    given if the clusters found without balance differ by a factor of two. Use
    ``partitioner="spectral"`` or WBPA then.

    Parameters
    ----------
    partitioner : {"balanced", "spectral", "metis", "linkage"} or Partitioner, default "balanced"
        How the graph is cut. "balanced": moves and swaps by their exact gains, no edges needed.
        "spectral": eigenvectors and k-means, without balance. "metis": METIS, as the paper did, on an
        explicit list of edges (at most 20 million); needs ``pip install consilience[metis]``.
        "linkage": average linkage, without balance.
    features : array (n, D) or None, default None
        The data, in the units in which the members were made, for "dispersion".

    Attributes
    ----------
    objective_ : float
        The cut.
    history_ : list of float
        The cut after every pass of the start that was kept. Never increases. Only of "balanced".
    solutions_ : list of Solution
        Every distinct result of the starts, best first. Only of "balanced".
    n_iter_ : int
        Passes of the start that was kept, or rounds of k-means; not set by METIS and linkage.
    feature_weights_

    See Also
    --------
    CSPA : The same graph for labels.
    WBPA : Objects and base clusters in one graph.
    consilience.generate.LACSweep : Members with posteriors.

    Notes
    -----
    The method is intended for posteriors: pass an Ensemble that has them, such as
    ``LACSweep(...).ensemble_`` or one made by ``Ensemble.from_memberships``. Hard labels are
    posteriors of 0 or 1, for which Psi is the co-association matrix; for a label matrix, such as the
    result of `fit_transform` of a generator, WSPA is CSPA.

    O(n t K) a pass and memory O(n t), with t base clusters in all; linkage takes O(n^2 t). Members may
    have different numbers of clusters. Similarities are divided by the weight of all members, so that
    missing labels add no similarity. Balance counts objects: identical objects may be in different
    parts.

    Mean feature weights are f_k = sum_c m_kc phi_c / sum_c m_kc, with phi_c those of base cluster c and
    m_kc the number of objects of cluster k whose most likely base cluster is c, times the member's
    weight. By dispersion they are exp(-X_ki / h), scaled to sum one over i, with X_ki the mean of
    (x_i - c_ki)^2 over the objects of cluster k and c_k their mean. The paper does not say how the
    weights of consensus clusters are found.

    `predict` takes posteriors of new rows; the votes of a base cluster are counted over the objects
    whose most likely cluster it is, because posteriors of LAC are flat.

    References
    ----------
    [alrazgan2006]_, section 4.1

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.consensus import WSPA
    >>> sure = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]]
    >>> torn = [[0.6, 0.4], [0.5, 0.5], [0.5, 0.5], [0.3, 0.7]]
    >>> ensemble = Ensemble.from_memberships([sure, torn])
    >>> WSPA(n_clusters=2, random_state=0).fit_predict(ensemble).tolist()
    [0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": PartitionerChoice(
            "objects",
            balanced=Balanced(max_iter=20),
            spectral=Spectral(),
            metis=Metis(),
            linkage=Linkage(),
        ),
        **FeatureWeighing.feature_parameters,
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(sample_weight=False, profile_exact=False)
    without_balance: ClassVar[str] = "partitioner='spectral' or WBPA"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "balanced",
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

    def _rows(self, ensemble: Ensemble) -> Incidence:
        """Return the memberships, those of every member scaled to length one."""
        if not ensemble.is_soft:
            return Incidence(ensemble.incidence.source, ensemble.incidence.blocks)
        unit = np.empty_like(ensemble.memberships)
        for j in range(ensemble.n_members):
            columns = ensemble.layout.columns(j)
            part = ensemble.memberships[:, columns]
            length = np.sqrt(np.einsum("ij,ij->i", part, part))
            unit[:, columns] = part / np.where(length > 0, length, 1)[:, None]
        return Incidence(ArraySource(unit), SoftBlocks(ensemble.layout))
