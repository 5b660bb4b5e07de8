"""HBGF: hybrid bipartite graph formulation."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.graph._graph_function import GraphFunction, outcome_of_cut
from consilience.ensemble import Ensemble
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
