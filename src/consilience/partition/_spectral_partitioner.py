"""Partitioners by eigenvectors and k-means, among them that of Ng, Jordan and Weiss [ng2002]_."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Flag, Integer
from consilience._utils._types import Array
from consilience.incidence import Incidence, on_cells
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, ObjectGraph
from consilience.partition._partitioner import Partitioner
from consilience.partition._row_kmeans import EmbeddedRows, row_kmeans, written_rows
from consilience.partition._solution import Solution
from consilience.partition._spectral import (
    ScaledIncidence,
    leading_eigenvectors,
    leading_vectors,
    zero_diagonal_vectors,
)


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


def njw_incidence(
    H: Incidence,
    column_weight: Array,
    n_clusters: int,
    *,
    keep_diagonal: bool,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> Solution:
    """Cluster the rows of H under the affinity S = H diag(column_weight) H', never formed."""
    rows = njw_embedding(H, column_weight, n_clusters, keep_diagonal=keep_diagonal)
    return row_kmeans(rows, n_clusters, n_init=n_init, max_iter=max_iter, rng=rng)


def njw_embedding(
    H: Incidence, column_weight: Array, n_clusters: int, *, keep_diagonal: bool
) -> EmbeddedRows:
    """Return the rows of the leading eigenvectors of the normalised affinity, to be made unit length."""
    if keep_diagonal:
        degree = H @ (column_weight * H.sizes)
        scaled = ScaledIncidence(H, 1 / np.sqrt(degree), np.sqrt(column_weight))
        return EmbeddedRows(H, leading_vectors(scaled, n_clusters).table)
    scaled, removed = _without_diagonal(H, column_weight)
    _, vectors = zero_diagonal_vectors(scaled, removed, n_clusters)
    return written_rows(vectors, H.row_weight)


def _without_diagonal(H: Incidence, column_weight: Array) -> tuple[ScaledIncidence, Array]:
    """Return A0 and the diagonal of D0^(-1/2) diag(S) D0^(-1/2), D0 the degrees without it."""
    diagonal = H.row_squares(column_weight)
    degree = H @ (column_weight * H.sizes) - diagonal
    # An object that shares no cluster with others keeps its diagonal: it is a component of its own,
    # and rows of zeros would make several such objects identical.
    alone = degree <= 1e-9 * diagonal
    degree = np.where(alone, diagonal, degree)
    removed = np.where(alone, 0.0, diagonal / degree)
    return ScaledIncidence(H, 1 / np.sqrt(degree), np.sqrt(column_weight)), removed


def njw_dense(
    affinity: Any,
    n_clusters: int,
    *,
    keep_diagonal: bool = False,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> Solution:
    """Cluster the vertices of a small graph given as a dense or sparse affinity matrix."""
    given = affinity.diagonal()
    affinity = affinity.astype(np.float64).copy()
    diagonal = given.astype(np.float64) if keep_diagonal else np.zeros(len(given))
    _set_diagonal(affinity, diagonal)
    degree = affinity.sum(axis=1)
    alone = degree <= 0
    diagonal[alone] = np.where(given[alone] > 0, given[alone], 1.0)
    _set_diagonal(affinity, diagonal)
    degree = np.where(alone, diagonal, degree)
    scaled = on_cells(affinity, lambda cells, a, b: a * cells * b, 1 / np.sqrt(degree))
    _, vectors = leading_eigenvectors(scaled, n_clusters)
    return row_kmeans(written_rows(vectors), n_clusters, n_init=n_init, max_iter=max_iter, rng=rng)


def _set_diagonal(affinity: Any, diagonal: Array) -> None:
    if isinstance(affinity, np.ndarray):
        np.fill_diagonal(affinity, diagonal)
    else:
        affinity.setdiag(diagonal)
