"""CSPA: cluster-based similarity partitioning algorithm."""

from collections.abc import Mapping
from typing import ClassVar

from consilience._utils._declare import Declaration, Integer, Seed
from consilience.consensus._capabilities import Capabilities
from consilience.consensus.graph._similarity_cut import SimilarityCut
from consilience.ensemble import Ensemble
from consilience.incidence import Incidence
from consilience.partition import Balanced, Metis, Partitioner, PartitionerChoice, Spectral


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
