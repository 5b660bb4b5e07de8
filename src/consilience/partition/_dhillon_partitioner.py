"""A spectral partitioner of bipartite graphs with few vectors."""

from dataclasses import dataclass

import numpy as np

from consilience.partition._graphs import BipartiteGraph
from consilience.partition._row_kmeans import EmbeddedRows
from consilience.partition._solution import Solution
from consilience.partition._spectral import leading_vectors
from consilience.partition._spectral_partitioner import Spectral


@dataclass(frozen=True)
class Dhillon(Spectral):
    """Cut a bipartite graph with ceil(log2 K) vectors, without scaling rows to length one.

    The parameters are those of `Spectral`.
    """

    @classmethod
    def takes(cls, kind: str) -> bool:
        """Take bipartite graphs only."""
        return kind == "bipartite"

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Leave out the first, constant vector; divide by the roots of the sums of the links."""
        scaled = graph.normalised()
        n_vectors = 1 + int(np.ceil(np.log2(max(2, n_clusters))))
        vectors = leading_vectors(scaled, min(n_vectors, len(graph.column_weight)))
        degree = np.sqrt(graph.column_weight * graph.column_sizes())
        extra = None if self.objects_only else vectors.right[:, 1:] / degree[:, None]
        rows = EmbeddedRows(
            # D1^(-1/2) u = D1^(-1) H times the table
            graph.H,
            vectors.table[:, 1:],
            unit=False,
            extra=extra,
            row_scale=np.broadcast_to(np.square(scaled.row_scale), graph.H.n_rows),
        )
        return self._kmeans(rows, n_clusters, rng)
