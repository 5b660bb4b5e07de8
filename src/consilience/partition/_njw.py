"""Spectral clustering of Ng, Jordan and Weiss [ng2002]_."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import ArraySource, Incidence, Layout, SoftBlocks, on_cells
from consilience.partition._row_kmeans import EmbeddedRows, row_kmeans
from consilience.partition._solution import Solution
from consilience.partition._spectral import (
    ScaledIncidence,
    leading_eigenvectors,
    leading_vectors,
    zero_diagonal_vectors,
)


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


def written_rows(points: Array, row_weight: Array | None = None) -> EmbeddedRows:
    """Wrap an array of rows, so that the same sweeps can be used."""
    width = points.shape[1]
    blocks = SoftBlocks(Layout([width]))
    H = Incidence(ArraySource(np.ascontiguousarray(points)), blocks, row_weight)
    return EmbeddedRows(H, np.eye(width))
