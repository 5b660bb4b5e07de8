"""Partitioners by eigenvectors and k-means."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Flag, Integer
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, ObjectGraph
from consilience.partition._njw import njw_dense, njw_incidence
from consilience.partition._partitioner import Partitioner
from consilience.partition._row_kmeans import EmbeddedRows, row_kmeans
from consilience.partition._solution import Solution
from consilience.partition._spectral import leading_vectors


@dataclass(frozen=True)
class Spectral(Partitioner):
    """Cluster the rows of the K leading vectors of the normalised graph by k-means; no balance.

    Parameters
    ----------
    objects_only : bool, default False
        In a bipartite graph, run k-means on the rows of the objects alone.
    n_init : int, default 10
        Starts of k-means.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Examples
    --------
    >>> from consilience.consensus import HBGF
    >>> from consilience.partition import Spectral
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> HBGF(2, partitioner=Spectral(n_init=3), random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    objects_only: bool = False
    n_init: int = 10
    max_iter: int = 300

    parameters: ClassVar = {"objects_only": Flag(), "n_init": Integer(1), "max_iter": Integer(1)}

    def cut_objects(
        self, graph: ObjectGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Use the method of Ng, Jordan and Weiss, including the diagonal."""
        found = njw_incidence(
            graph.H,
            graph.column_weight,
            n_clusters,
            keep_diagonal=True,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        cut = graph.cut_of_labels(found.labels, n_clusters)
        return [found._replace(criterion=cut, objective=cut)]

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Embed objects and base clusters together; rows are scaled to length one."""
        vectors = leading_vectors(graph.normalised(), n_clusters)
        extra = None if self.objects_only else vectors.right
        return self._kmeans(EmbeddedRows(graph.H, vectors.table, extra=extra), n_clusters, rng)

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Use the method of Ng, Jordan and Weiss."""
        return [
            njw_dense(
                graph.affinity, n_clusters, n_init=self.n_init, max_iter=self.max_iter, rng=rng
            )
        ]

    def _kmeans(
        self, rows: EmbeddedRows, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        return [row_kmeans(rows, n_clusters, n_init=self.n_init, max_iter=self.max_iter, rng=rng)]
