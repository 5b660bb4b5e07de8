"""A partitioner whose parts have equal sizes, by METIS."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Integer, Real
from consilience.partition._balanced_dense import cut_weight
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, ObjectGraph
from consilience.partition._metis import MAX_EDGES, metis_bipartite, metis_dense, metis_low_rank
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution
from consilience.partition._written_graph import written_affinity


@dataclass(frozen=True)
class Metis(Partitioner):
    """Cut into parts of equal size by METIS, as the papers did; needs ``consilience[metis]``.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes.
    n_init : int, default 10
        Number of cuts by METIS; the best one is kept.
    max_edges : int, default 20_000_000
        Graphs of objects with more edges raise an error, since METIS needs an explicit list of edges.
    """

    imbalance: float = 0.0
    n_init: int = 10
    max_edges: int = MAX_EDGES

    equal_parts: ClassVar[bool] = True
    parameters: ClassVar = {"imbalance": Real(0), "n_init": Integer(1), "max_edges": Integer(1)}

    def cut_objects(
        self, graph: ObjectGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts."""
        labels = metis_low_rank(
            graph.H,
            graph.column_weight,
            n_clusters,
            **self._options(rng),
            max_edges=self.max_edges,
        )
        return [Solution.minimised(labels, graph.cut_of_labels(labels, n_clusters))]

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Maximise the weight of the links inside parts; only objects are balanced."""
        labels = metis_bipartite(
            graph.H,
            graph.column_weight,
            n_clusters,
            **self._options(rng),
        )
        return [Solution.maximised(labels, graph.inside_weight(labels, n_clusters))]

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts of about equal summed weight."""
        affinity = written_affinity(graph)
        labels = metis_dense(
            affinity,
            graph.vertex_weight,
            n_clusters,
            **self._options(rng),
        )
        return [Solution.minimised(labels, cut_weight(affinity, labels))]

    def _options(self, rng: np.random.Generator) -> dict[str, Any]:
        return {"imbalance": self.imbalance, "n_init": self.n_init, "rng": rng}
