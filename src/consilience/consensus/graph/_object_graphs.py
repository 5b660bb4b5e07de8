"""IBGF, CSPA and WSPA: a graph of objects, linked by their similarity W = H diag(w) H'."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Flag, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._doubts import UNEQUAL_CLUSTERS, Doubt
from consilience.consensus.graph._feature_weights import FeatureWeighing
from consilience.consensus.graph._graph_function import GraphFunction, outcome_of_cut
from consilience.ensemble import Ensemble
from consilience.incidence import ArraySource, Incidence, SoftBlocks
from consilience.partition import (
    Balanced,
    Linkage,
    Metis,
    ObjectGraph,
    Partitioner,
    PartitionerChoice,
    SizeBounds,
    Spectral,
    njw_incidence,
)


class IBGF(ConsensusFunction):
    """Instance-based graph formulation: spectral clustering of the co-association graph.

    Objects are vertices; the weight of an edge is the share of members that put its ends together. The
    graph is cut by spectral clustering: the K leading eigenvectors of the normalised graph, rows scaled
    to length one, k-means.

    S = H diag(w) H' / sum(w), with H the incidence of objects and base clusters and w the weights of
    the members, is never formed: its eigenvectors are singular vectors of a scaled H.

    Parameters
    ----------
    keep_diagonal : bool, default False
        Keep the similarity of every object with itself. The algorithm sets it to zero; keeping it
        changes eigenvalues by O(K / n) and is faster.
    n_init : int, default 10
        k-means starts.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Attributes
    ----------
    objective_ : float
        Sum of squares of the embedded rows about their centres.
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    HBGF : Keeps objects and clusters as vertices; faster.
    CSPA : The same graph, cut into parts of equal size.

    Notes
    -----
    O(n r^2 + t^3) for the Gram matrix, then O(n r) for every product of the Lanczos iteration that
    removes the diagonal; memory O(n r + n K). A missing label adds no similarity.

    References
    ----------
    [fern2004]_, section 4.1.1; [ng2002]_

    Examples
    --------
    >>> from consilience.consensus import IBGF
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> IBGF(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "keep_diagonal": Flag(),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        keep_diagonal: bool = False,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.keep_diagonal = keep_diagonal
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        share = ensemble.weights / ensemble.weights.sum()
        found = njw_incidence(
            ensemble.incidence,
            share[ensemble.layout.member_of],
            n_clusters,
            keep_diagonal=self.keep_diagonal,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        return Outcome.of(found)


# Parts of equal size are unsuitable if cluster sizes differ by more than this factor.
_CLEARLY_UNEQUAL = 2


class SimilarityCut(GraphFunction):
    """Cut the graph of similarities of objects; a subclass defines the rows behind them."""

    without_balance: ClassVar[str]

    @abstractmethod
    def _rows(self, ensemble: Ensemble) -> Incidence:
        """Return the rows whose weighted products are the similarities, without object weights."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        total = float(ensemble.weights.sum())
        graph = ObjectGraph(self._rows(ensemble), ensemble.column_weights, total)
        spectral_stream, search_stream = rng.spawn(2)
        partitioner = self._partitioner()
        if not partitioner.equal_parts:
            return outcome_of_cut(partitioner.cut_objects(graph, n_clusters, spectral_stream))
        # Parts without the balance constraint: a start of the search, and a check of the balance.
        free = Spectral(n_init=partitioner.n_init).cut_objects(graph, n_clusters, spectral_stream)
        graph = graph._replace(start=free[0].labels)
        outcome = outcome_of_cut(partitioner.cut_objects(graph, n_clusters, search_stream))
        outcome.doubts = self._doubts_about_sizes(graph.start, n_clusters, partitioner.imbalance)
        return outcome

    def _doubts_about_sizes(self, labels: Any, n_clusters: int, imbalance: float) -> list[Doubt]:
        """Return a doubt if the parts found without balance are larger than balance allows."""
        sizes = np.bincount(labels, minlength=n_clusters)
        allowed = SizeBounds.of(len(labels), n_clusters, imbalance).largest
        if sizes.max() <= max(_CLEARLY_UNEQUAL * sizes.min(), allowed):
            return []
        return [
            Doubt(
                UNEQUAL_CLUSTERS,
                {
                    "smallest": int(sizes.min()),
                    "largest": int(sizes.max()),
                    "allowed": int(allowed),
                },
                f"{type(self).__name__} cuts clusters of {sizes.min()} to {sizes.max()} objects, the "
                f"sizes found without balance, into parts of at most {allowed}; use "
                f"{self.without_balance} if the clusters may differ in size.",
                "clusters of unequal size were cut into parts of equal size",
            )
        ]


class CSPA(SimilarityCut):
    """Cluster-based similarity partitioning algorithm: the co-association graph in equal parts.

    Objects are vertices; the weight of an edge is the share of members that put its ends together. The
    graph is cut into K parts of equal size with as little weight between them as possible.

    Minimises the cut, the sum of S_xy over pairs in different parts, with S = H diag(w) H' / sum(w), H
    the incidence of objects and base clusters and w the weights of the members. S is never formed: the
    cut is (1' S 1 - sum_k |T_k|^2) / 2, with T_k the counts of part k in every base cluster, scaled by
    the root of its weight.

    Strict balance is part of the method, and unsuitable for clusters of unequal size: it splits large
    ones and merges small ones. A warning is given if the clusters found without balance differ by a
    factor of two. Use ``partitioner="spectral"``, IBGF or HBGF then.

    Parameters
    ----------
    partitioner : {"balanced", "spectral", "metis"} or Partitioner, default "balanced"
        How the graph is cut. "balanced": moves and swaps by their exact gains, no edges needed.
        "spectral": eigenvectors and k-means, without balance. "metis": METIS, as the paper did, on an
        explicit list of edges (at most 20 million); needs ``pip install consilience[metis]``. A name
        selects the partitioner with its default parameters; pass an object of `consilience.partition`
        for others, such as ``Balanced(imbalance=0.1)``: parts may then be larger by a tenth, and some
        of them usually are.

    Attributes
    ----------
    objective_ : float
        The cut.
    history_ : list of float
        The cut after every pass of the start that was kept. Never increases. Only of "balanced".
    solutions_ : list of Solution
        Every distinct result of the starts, best first. Only of "balanced".
    n_iter_ : int
        Passes of the start that was kept, or rounds of k-means; not set by METIS.

    See Also
    --------
    IBGF : The same graph, cut spectrally, without balance.
    KMCF : Balanced CSPA is KMCF with the constraint of equal sizes.

    Notes
    -----
    O(n r K) a pass and memory O(n r + n K), for any number of edges. Every start ends where no
    single move or swap lowers the cut (at most 64 equally good partners are tried per object).
    Similarities are divided by the weight of all members, so that a missing label adds no similarity.
    Balance counts objects: identical objects may be in different parts.

    References
    ----------
    [strehl2002]_

    Examples
    --------
    >>> from consilience.consensus import CSPA
    >>> votes = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> CSPA(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": PartitionerChoice(
            "objects", balanced=Balanced(max_iter=20), spectral=Spectral(), metis=Metis()
        ),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(
        sample_weight=False, soft=False, profile_exact=False
    )
    without_balance: ClassVar[str] = "partitioner='spectral', IBGF or HBGF"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "balanced",
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.random_state = random_state

    def _rows(self, ensemble: Ensemble) -> Incidence:
        return Incidence(ensemble.incidence.source, ensemble.incidence.blocks)


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

    O(n t K) a pass and memory O(n t), with t base clusters in all; linkage takes O(n^2 t) and memory
    O(n^2). Members may have different numbers of clusters. Similarities are divided by the weight of all
    members, so that missing labels add no similarity. Balance counts objects: identical objects may be
    in different parts.

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
