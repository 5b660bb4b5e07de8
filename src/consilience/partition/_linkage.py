"""Hierarchical clustering of the rows of H by their weighted agreement, and a partitioner by it."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._memory import memory_limit, require_memory
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.incidence.internals import TIE_TOLERANCE
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._graphs import ObjectGraph
from consilience.partition._pair_similarity import (
    JointSimilarity,
    PairSimilarity,
    triangle_bytes,
)
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution

_LINEAR = "IPC, KMCF and HBGF grow linearly with the number of objects."


def incidence_linkage(
    ensemble: Ensemble,
    column_weight: Array,
    linkage: str,
    *,
    unit: bool = False,
    joint: bool = False,
) -> Dendrogram:
    """Merge the two most similar clusters of rows until one is left.

    Parameters
    ----------
    ensemble : Ensemble
        Hard labels; rows count by their row weights, which must be positive.
    column_weight : array (t,)
        Weight of a base cluster in the similarity of two rows that share it.
    linkage : {"average", "single", "complete"}
        Mean, smallest or largest distance 1 - S of the rows of two clusters.
    unit : bool, default False
        Whether S is the cosine of the weighted rows instead of the weight they share.
    joint : bool, default False
        Whether the weight that two rows share is divided by that of the members that label both.

    Notes
    -----
    Average and complete linkage store the triangle of all pairs if it fits the memory limit, in O(q^2
    r) time for q rows. Otherwise average linkage stores one sum of rows per cluster instead, O(q t)
    memory, and gives the same tree; complete linkage, and `joint`, raise MemoryLimitError. Single
    linkage grows a spanning tree, in O(q r) memory always.

    Ties: similarities within 1e-9 are equal. Of equal pairs average and complete linkage merge the
    lexicographically first, a cluster being named by its first row. Single linkage always breaks ties
    in the same order; cuts between different heights do not depend on this order.
    """
    sizes = _sizes(ensemble)
    if ensemble.is_soft:
        return _average_of_memberships(ensemble, column_weight, sizes, unit=unit)
    if joint and ensemble.has_missing:
        pairs: PairSimilarity = JointSimilarity(ensemble, column_weight)
        if linkage != "single":
            require_memory(
                2 * triangle_bytes(pairs.n_rows),
                f"Linkage of n = {pairs.n_rows} distinct objects over the members that label both",
                f"Choose a smaller max_samples, or missing='apart'; {_LINEAR}",
            )
    else:
        pairs = PairSimilarity(ensemble, column_weight, unit=unit)
    if linkage == "single":
        leaves, heights = spanning_tree(pairs)
    elif linkage == "average" and triangle_bytes(pairs.n_rows) <= memory_limit():
        leaves, heights = average_of_triangle(pairs.triangle(sizes), sizes, pairs.total)
    else:
        clusters: Clusters = (
            CompleteTriangle(pairs) if linkage == "complete" else AverageVectors(pairs, sizes)
        )
        leaves, heights = greedy_merges(clusters, pairs.n_rows)
    return Dendrogram.of_pairs(leaves, heights, sizes)


def _sizes(ensemble: Ensemble) -> Array:
    if ensemble.sample_weight is None:
        return np.ones(ensemble.n_samples)
    return ensemble.sample_weight.astype(np.float64)


def _average_of_memberships(
    ensemble: Ensemble, column_weight: Array, sizes: Array, *, unit: bool
) -> Dendrogram:
    """Average linkage of soft members, or of the cosines of their weighted rows."""
    rows = ensemble.memberships * np.sqrt(column_weight)
    if unit:
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        return _average_of_rows(rows, sizes, 1.0)
    return _average_of_rows(rows, sizes, float(ensemble.weights[ensemble.n_clusters > 0].sum()))


def _average_of_rows(rows: Array, sizes: Array, total: float) -> Dendrogram:
    """Compute the products of all rows, then proceed as for labels."""
    n_rows = len(rows)
    require_memory(
        8 * n_rows**2 + triangle_bytes(n_rows),
        f"The similarity matrix of n = {n_rows} objects",
        _LINEAR,
    )
    with one_blas_thread():
        products = (rows @ rows.T) * sizes[:, None] * sizes
    values = products[np.triu_indices(n_rows, 1)]
    leaves, heights = average_of_triangle(values, sizes, total)
    return Dendrogram.of_pairs(leaves, heights, sizes)


def average_of_triangle(values: Array, sizes: Array, total: float) -> tuple[Array, Array]:
    """Merge by mean similarity, from the sums of all pairs, which are overwritten.

    The same search as `greedy_merges`, compiled; sums are exact for integer weights in any order.
    """
    from consilience._kernels._linkage import average_merges

    leaves = np.empty((len(sizes) - 1, 2), dtype=np.int64)
    heights = np.empty(len(sizes) - 1)
    average_merges(values, sizes.astype(np.float64), float(total), TIE_TOLERANCE, leaves, heights)
    return leaves, np.maximum.accumulate(heights)


class CompleteTriangle:
    """Smallest similarities of all pairs of clusters; sizes do not matter."""

    def __init__(self, pairs: PairSimilarity) -> None:
        from consilience._kernels._linkage import merge_minima, triangle_means

        require_memory(
            triangle_bytes(pairs.n_rows),
            f"The distance matrix of n = {pairs.n_rows} distinct objects, for complete linkage,",
            f"Average and single linkage do not need it; {_LINEAR}",
        )
        self._means, self._merge = triangle_means, merge_minima
        self._ones = np.ones(pairs.n_rows)
        self._values = pairs.triangle(self._ones)
        self._total = pairs.total
        self._buffer = np.empty(pairs.n_rows)

    def means(self, others: Array, slot: int) -> Array:
        """Return the smallest similarities."""
        out = self._buffer[: len(others)]
        n_rows = len(self._ones)
        self._means(self._values, n_rows, others, slot, self._ones, self._total, out)
        return out

    def merge(self, others: Array, kept: int, gone: int) -> None:
        """Keep the smaller similarities."""
        self._merge(self._values, len(self._ones), others, kept, gone)


class AverageVectors:
    """Sums of the rows of H in every cluster: their products are the sums of similarities.

    A cluster of one row is stored as its codes; only merged clusters, at most half as many as rows,
    need a vector.
    """

    def __init__(self, pairs: PairSimilarity, sizes: Array) -> None:
        from consilience._kernels._linkage import vector_means

        n_columns = len(pairs.weights)
        n_vectors = pairs.n_rows // 2
        require_memory(
            8 * n_vectors * n_columns,
            f"Average linkage of n = {pairs.n_rows} distinct objects in {n_columns} base clusters",
            _LINEAR,
        )
        self._kernel = vector_means
        self._pairs = pairs
        self._sizes = sizes.copy()
        self._masses = sizes * pairs.row_scale
        self._vectors = np.empty((n_vectors, n_columns))
        self._free = list(range(n_vectors - 1, -1, -1))
        self._place_of = np.full(pairs.n_rows, -1)
        self._buffer = np.empty(pairs.n_rows)

    def means(self, others: Array, slot: int) -> Array:
        """Product of the sums over the product of the sizes."""
        out = self._buffer[: len(others)]
        pairs = self._pairs
        table = pairs.weights * self._sum(slot)
        rows = (pairs.codes, pairs.offsets, self._masses)
        clusters = (self._sizes, pairs.total, self._place_of, self._vectors)
        self._kernel(rows, others, slot, *clusters, table, out)
        return out

    def merge(self, others: Array, kept: int, gone: int) -> None:  # noqa: ARG002 - as the others
        """Add the vectors and reuse the memory of the merged cluster."""
        total = self._sum(kept) + self._sum(gone)
        for slot in (kept, gone):
            if self._place_of[slot] >= 0:
                self._free.append(int(self._place_of[slot]))
                self._place_of[slot] = -1
        self._place_of[kept] = self._free.pop()
        self._vectors[self._place_of[kept]] = total
        self._sizes[kept] += self._sizes[gone]

    def _sum(self, slot: int) -> Array:
        if self._place_of[slot] >= 0:
            vector: Array = self._vectors[self._place_of[slot]]
            return vector
        vector = np.zeros(len(self._pairs.weights))
        # Missing labels have weight 0, so their entries do not matter.
        vector[self._pairs.offsets + self._pairs.codes[slot]] = self._masses[slot]
        return vector


def spanning_tree(pairs: PairSimilarity) -> tuple[Array, Array]:
    """Grow the tree of the most similar pairs from the first row; ties: the first row (Prim)."""
    n_rows = pairs.n_rows
    leaves = np.empty((n_rows - 1, 2), dtype=np.int64)
    heights = np.empty(n_rows - 1)
    outside = np.arange(1, n_rows)
    nearest = np.full(n_rows, -np.inf)
    neighbour = np.zeros(n_rows, dtype=np.int64)
    last = 0
    for step in range(n_rows - 1):
        similarity = pairs.row(last) / pairs.total
        nearer = similarity > nearest + TIE_TOLERANCE
        nearest[nearer] = similarity[nearer]
        neighbour[nearer] = last
        candidates = nearest[outside]
        place = int(np.argmax(candidates >= candidates.max() - TIE_TOLERANCE))
        last = int(outside[place])
        leaves[step], heights[step] = (neighbour[last], last), 1 - nearest[last]
        outside = np.delete(outside, place)
    return leaves, heights


class Clusters(Protocol):
    """Clusters in slots; a cluster is stored in the slot of its first row."""

    def means(self, others: Array, slot: int) -> Array:
        """Return the similarity of one cluster and others; the next call may overwrite it."""
        ...

    def merge(self, others: Array, kept: int, gone: int) -> None:
        """Merge the cluster in `gone` into the one in `kept`; `others` are the remaining slots."""
        ...


def greedy_merges(clusters: Clusters, n_rows: int) -> tuple[Array, Array]:
    """Merge until one cluster is left; return the pairs of slots and the heights, ascending.

    Of pairs whose similarity is within 1e-9 of the largest the lexicographically first is merged, a
    cluster being named by its first row. The linkage must be reducible: the similarity of a merged
    cluster to a third one is at most that of its parts.
    """
    search = _Search(clusters, n_rows)
    leaves = np.empty((n_rows - 1, 2), dtype=np.int64)
    heights = np.empty(n_rows - 1)
    for step in range(n_rows - 1):
        kept, gone, similarity = search.best_pair()
        leaves[step], heights[step] = (kept, gone), 1 - similarity
        search.merge(kept, gone)
    # Rounding must not put a merge below those it builds upon.
    return leaves, np.maximum.accumulate(heights)


class _Search:
    """The largest similarity of every slot to the slots behind it, and one that attains it.

    When the partner is merged, the stored value becomes an upper bound. It is computed again only if
    it is the largest of all, which is rare, so the time is quadratic in practice.
    """

    def __init__(self, clusters: Clusters, n_rows: int) -> None:
        self._clusters = clusters
        self._active = np.arange(n_rows)
        self._largest = np.full(n_rows, -np.inf)
        self._partner = np.full(n_rows, -1)  # -1: out of date
        for place in range(n_rows - 1):
            self._look_behind(place)

    def best_pair(self) -> tuple[int, int, float]:
        """Return the first of the most similar pairs, and its similarity."""
        place, threshold = self._first_slot()
        behind = self._look_behind(place)
        winner = int(np.argmax(behind >= threshold))
        return int(self._active[place]), int(self._active[place + 1 + winner]), behind[winner]

    def merge(self, kept: int, gone: int) -> None:
        """Merge two clusters and update the values that the merge may have changed."""
        others = self._active[(self._active != kept) & (self._active != gone)]
        self._clusters.merge(others, kept, gone)
        self._active = self._active[self._active != gone]
        partner = self._partner[others]
        orphans = others[(partner == kept) | (partner == gone)]
        self._partner[orphans] = -1
        before = orphans[orphans < kept]
        if len(before):
            # Slots that are as similar to the merged cluster as to their old partner keep their value.
            as_near = self._clusters.means(before, kept) >= self._largest[before]
            self._partner[before[as_near]] = kept
        self._look_behind(int(np.searchsorted(self._active, kept)))

    def _first_slot(self) -> tuple[int, float]:
        """Return the first slot of a most similar pair, and the threshold for ties."""
        while True:
            largest = self._largest[self._active]
            top = int(np.argmax(largest))
            if self._partner[self._active[top]] >= 0:
                break
            self._look_behind(top)
        threshold = float(largest[top]) - TIE_TOLERANCE
        for place in np.flatnonzero(largest[:top] >= threshold):
            slot = self._active[place]
            if self._partner[slot] < 0:
                self._look_behind(int(place))
            if self._largest[slot] >= threshold:
                return int(place), threshold
        return top, threshold

    def _look_behind(self, place: int) -> Array:
        slot, behind = int(self._active[place]), self._active[place + 1 :]
        means = self._clusters.means(behind, slot)
        if len(behind):
            best = int(np.argmax(means))
            self._largest[slot], self._partner[slot] = means[best], behind[best]
        else:
            self._largest[slot] = -np.inf
        return means


@dataclass(frozen=True)
class Linkage(Partitioner):
    """Merge the two most similar clusters of objects until K are left; no balance, O(n^2)."""

    cost: ClassVar[Literal["linear", "quadratic"]] = "quadratic"

    def cut_objects(
        self,
        graph: ObjectGraph,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> list[Solution]:
        """Merge by the mean similarity of two clusters."""
        H = graph.H
        rows = H.blocks.dense(H.source.read(0, H.n_rows)) * np.sqrt(graph.column_weight)
        tree = _average_of_rows(rows, np.ones(H.n_rows), graph.total)
        labels = tree.cut_into(n_clusters)
        return [Solution.minimised(labels, graph.cut_of_labels(labels, n_clusters))]
