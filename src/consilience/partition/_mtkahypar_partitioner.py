"""A partitioner of hypergraphs whose parts have equal sizes, by Mt-KaHyPar."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Real
from consilience.partition._balanced_hypergraph import broken_weight
from consilience.partition._graphs import Hypergraph
from consilience.partition._hypergraph import kahypar_hypergraph
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution


@dataclass(frozen=True)
class MtKaHyPar(Partitioner):
    """Cut a hypergraph by Mt-KaHyPar, in place of hMETIS; needs ``consilience[hypergraph]``.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes.
    """

    imbalance: float = 0.0

    equal_parts: ClassVar[bool] = True
    parameters: ClassVar = {"imbalance": Real(0)}

    def cut_hypergraph(
        self, graph: Hypergraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the cut base clusters."""
        labels = kahypar_hypergraph(
            graph.H, graph.edge_weight, n_clusters, imbalance=self.imbalance, rng=rng
        )
        return [Solution.minimised(labels, broken_weight(graph, labels, n_clusters))]
