"""Agglomeration: always merge the most similar pair; ties: the first pair."""

from typing import Protocol

import numpy as np

from consilience._utils._types import Array
from consilience.incidence.internals import TIE_TOLERANCE


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
