"""Balanced parts of the bipartite graph of objects and base clusters."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.partition._balanced_assignment import (
    balanced_assignment,
    improve_assignment,
    total_score,
)
from consilience.partition._graphs import BipartiteGraph
from consilience.partition._row_kmeans import EmbeddedRows, row_kmeans
from consilience.partition._solution import Solution
from consilience.partition._spectral import ScaledIncidence, leading_vectors
from consilience.partition._starts import SizeBounds, random_labels, run_starts

_KMEANS_ROUNDS = 300
# Passes that improve one assignment; the next iteration computes new scores.
_EXCHANGE_PASSES = 5


def balanced_bipartite(
    graph: BipartiteGraph,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[Solution]:
    """Put objects and base clusters into K parts with as many links as possible inside parts.

    The objective, to be maximised, is the sum of column_weight[c] H[x, c] over the pairs in one part.
    Base clusters join the part with most of their objects; objects join the part with most of their
    links under the limits on sizes. Both steps alternate, so the objective never decreases. Only
    objects are balanced. The starts are HBGF's spectral clustering and n_init - 1 random ones.
    """
    H = Incidence(graph.H.source, graph.H.blocks)  # balance counts rows, without weights
    graph = graph._replace(H=H)
    bounds = SizeBounds.of(H.n_rows, n_clusters, imbalance)
    kmeans_stream, *streams = rng.spawn(n_init)
    starts = [_spectral_start(H, graph.column_weight, n_clusters, bounds, kmeans_stream)]
    starts += [random_labels(H.n_rows, n_clusters, stream) for stream in streams]

    def search(labels: Array) -> Solution:
        return _alternate(graph, labels, n_clusters, bounds, max_iter)

    return run_starts(search, starts)


def hbgf_vectors(H: Incidence, column_weight: Array, n_vectors: int) -> Array:
    """Return the table whose gather gives HBGF's left vectors, up to a scale per row."""
    links = H @ column_weight
    by_row = 1 / np.sqrt(np.where(links > 0, links, 1.0))
    by_column = np.sqrt(column_weight / np.where(H.sizes > 0, H.sizes, 1))
    return leading_vectors(ScaledIncidence(H, by_row, by_column), n_vectors).table


def _spectral_start(
    H: Incidence,
    column_weight: Array,
    n_clusters: int,
    bounds: SizeBounds,
    stream: np.random.Generator,
) -> Array:
    rows = EmbeddedRows(H, hbgf_vectors(H, column_weight, n_clusters))
    found = row_kmeans(rows, n_clusters, n_init=10, max_iter=_KMEANS_ROUNDS, rng=stream)
    counts = H.count(found.labels, n_clusters)
    part_of_column = counts.argmax(axis=1)
    return balanced_assignment(_links(H, column_weight, part_of_column, n_clusters), bounds)


def _alternate(
    graph: BipartiteGraph,
    labels: Array,
    n_clusters: int,
    bounds: SizeBounds,
    max_iter: int,
) -> Solution:
    H, column_weight = graph.H, graph.column_weight
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        part_of_column = H.count(labels, n_clusters).argmax(axis=1)
        scores = _links(H, column_weight, part_of_column, n_clusters)
        # The greedy assignment may be worse than the current one; the better of the two is improved.
        better = max(
            (labels, balanced_assignment(scores, bounds)),
            key=lambda candidate: total_score(scores, candidate),
        )
        following = improve_assignment(scores, better, bounds, max_iter=_EXCHANGE_PASSES)
        objective = total_score(scores, following)
        converged = bool(history) and objective <= history[-1] * (1 + 1e-12)
        labels = labels if converged else following
        history.append(max(objective, history[-1]) if history else objective)
    return Solution.maximised(
        labels,
        graph.inside_weight(labels, n_clusters),
        len(history),
        converged=converged,
        history=history,
    )


def _links(H: Incidence, column_weight: Array, part_of_column: Array, n_clusters: int) -> Array:
    """Weight of the links of every object to the base clusters of every part, (n, K)."""
    table = np.zeros((len(column_weight), n_clusters))
    table[np.arange(len(column_weight)), part_of_column] = column_weight
    return H @ table
