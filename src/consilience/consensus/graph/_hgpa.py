"""HGPA: hypergraph partitioning algorithm."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Seed
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus.graph._graph_function import GraphFunction, outcome_of_cut
from consilience.ensemble import Ensemble
from consilience.partition import (
    Balanced,
    Hypergraph,
    MtKaHyPar,
    Partitioner,
    PartitionerChoice,
)


class HGPA(GraphFunction):
    """Hypergraph partitioning algorithm: cut as few base clusters as possible.

    Objects are vertices, base clusters are hyperedges. The objects are divided into K parts of about
    equal size so that few hyperedges reach into more than one part.

    Minimises the sum of w_c over the base clusters c that do not lie inside one part, w_c the weight of
    the member, times the size of c if asked for.

    The criterion is weak for every partitioner: a base cluster that is cut once may be cut into more
    pieces at no further cost, and with a little noise nearly every base cluster is cut in every
    partition, including the true one. HGPA is provided for comparison with the literature.

    Parameters
    ----------
    partitioner : {"balanced", "hypergraph"} or Partitioner, default "balanced"
        "balanced": a local search by moves and swaps. "hypergraph": Mt-KaHyPar, a multilevel
        partitioner; needs ``pip install consilience[hypergraph]``.
    edge_weight : {"one", "size"}, default "one"
        Whether cutting a base cluster costs 1, as in the paper, or its number of objects, as in the
        authors' code.

    Attributes
    ----------
    objective_ : float
        The weight of the cut base clusters.
    history_ : list of float
        The objective after every pass of the start that was kept. Never increases. Only of "balanced".
    n_iter_ : int
        Number of these passes. Only of "balanced".
    solutions_ : list of Solution
        Every distinct result of the starts, best first. Only of "balanced".

    See Also
    --------
    CSPA : Pairs instead of whole clusters.
    HBGF : The same hypergraph as a bipartite graph, cut spectrally; much better.

    Notes
    -----
    A pass takes O(n r K); memory O(n r). A missing label leaves the object out of the hyperedges of that
    member. Since a single move rarely saves a base cluster that is far from whole, the search counts
    base clusters first of which at most half lies in other parts, then an eighth, and so on.

    References
    ----------
    [strehl2002]_

    Examples
    --------
    >>> from consilience.consensus import HGPA
    >>> votes = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> HGPA(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": PartitionerChoice(
            "hypergraph",
            balanced=Balanced(imbalance=0.05, max_iter=20),
            hypergraph=MtKaHyPar(imbalance=0.05),
        ),
        "edge_weight": Choice("one", "size"),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(
        sample_weight=False, soft=False, profile_exact=False
    )

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "balanced",
        edge_weight: str = "one",
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.edge_weight = edge_weight
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        weights = ensemble.column_weights.astype(np.float64)
        if self.edge_weight == "size":
            weights = weights * ensemble.incidence.sizes
        graph = Hypergraph(ensemble.incidence, weights)
        return outcome_of_cut(self._partitioner().cut_hypergraph(graph, n_clusters, rng))
