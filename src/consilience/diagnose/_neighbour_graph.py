"""The nearest neighbours of objects, on which borders of clusters are tested."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.neighbors import NearestNeighbors

from consilience._utils._types import Array
from consilience.diagnose._chains import chains

# Neighbours of an object: the logarithm of the number of objects, within these limits.
_FEWEST, _MOST = 4, 10
# Islands that have links with other islands only need another round.
_ROUNDS = 3


class Across(NamedTuple):
    """Distances between some objects and others.

    nearest   for each of them, the nearest of the others
    distance  how far that is
    back      for each of the others, the distance to the nearest of them
    """

    nearest: Array
    distance: Array
    back: Array


@dataclass(frozen=True)
class NeighbourGraph:
    """Objects linked with their nearest neighbours, and how sparse the data are around each.

    rows       (n, d) the data
    starts     (n + 1,) where the neighbours of an object begin
    firsts     the objects to which the links belong, in the order of `others`
    others     neighbours of all objects, both ways
    ranks      places of the neighbours in the lists they come from, from 1
    heights    how sparse the data are along a link: its length, or the radius of an end if larger
    radius     (n,) distance to the farthest of the nearest neighbours
    n_nearest  neighbours that every object lists
    """

    rows: Array
    starts: Array
    firsts: Array
    others: Array
    ranks: Array
    heights: Array
    radius: Array
    n_nearest: int

    @classmethod
    def of(cls, rows: Array) -> Self:
        """Link every row with its nearest ones."""
        from consilience._kernels._borders import both_ways

        nearest, radius = _nearest(rows)
        starts, others, ranks = both_ways(nearest.astype(np.int32))
        firsts = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(starts))
        lengths = np.sqrt(np.square(rows[firsts] - rows[others]).sum(axis=1))
        heights = np.maximum(lengths, np.maximum(radius[firsts], radius[others]))
        return cls(rows, starts, firsts, others, ranks, heights, radius, nearest.shape[1])

    @cached_property
    def chains(self) -> Array:
        """Return the chain of every object, (n,); all 0 if there is no wide border between chains."""
        return chains(self)

    @cached_property
    def by_radius(self) -> Array:
        """Return the objects from the smallest radius to the largest, (n,)."""
        return np.argsort(self.radius, kind="stable")

    @cached_property
    def _across(self) -> dict[bytes, Across]:
        return {}

    def rest_of_chain(self, own: Array) -> Array:
        """Return the mask of the other objects of the chain that has most of the objects of a mask.

        If it has no others, all other objects are the rest.
        """
        chain = np.bincount(self.chains[own]).argmax()
        rest: Array = (self.chains == chain) & ~own
        return rest if rest.any() else ~own

    def across(self, own: Array, rest: Array) -> Across:
        """Return the distances between the objects of a mask and those of another one.

        They are kept, since many views have the same clusters.
        """
        key = own.tobytes() + rest.tobytes()
        if key not in self._across:
            inside, outside = self.rows[own], self.rows[rest]
            nearest, distance = pairwise_distances_argmin_min(inside, outside)
            back = pairwise_distances_argmin_min(outside, inside)[1]
            self._across[key] = Across(np.flatnonzero(rest)[nearest], distance, back)
        return self._across[key]

    def weights(self) -> csr_matrix:
        """Return the symmetric matrix of links: exp(-d_ij^2 / (s_i s_j)), s the radius of an object."""
        n_rows, firsts = len(self.rows), self.firsts
        squares = np.square(self.rows[firsts] - self.rows[self.others]).sum(axis=1)
        # All radii are zero if all rows are the same, and products of tiny ones could be.
        radius = np.maximum(self.radius, 1e-6 * (float(self.radius.max()) or 1.0))
        data = np.exp(-squares / (radius[firsts] * radius[self.others]))
        shape = (n_rows, n_rows)
        # Two objects that list each other are linked twice; both links have the same weight.
        links = csr_matrix((data, self.others.copy(), self.starts.copy()), shape=shape)
        times = csr_matrix(
            (np.ones_like(data), self.others.copy(), self.starts.copy()), shape=shape
        )
        links.sum_duplicates()
        times.sum_duplicates()
        links.data /= times.data
        return links

    def connected_parts(self, labels: Array, fewest: int) -> Array:
        """Divide every cluster into parts without links between them; return the new labels.

        Parts of fewer than `fewest` objects are islands inside another cluster. They join the larger
        part that they have most links with, or if there is none, those of the same cluster stay
        together.
        """
        firsts = self.firsts
        inside = labels[firsts] == labels[self.others]
        links = csr_matrix(
            (np.ones(np.count_nonzero(inside)), (firsts[inside], self.others[inside])),
            shape=(len(labels), len(labels)),
        )
        parts: Array = connected_components(links, directed=False)[1]
        for _ in range(_ROUNDS):
            small = np.bincount(parts) < fewest
            start, end = parts[firsts], parts[self.others]
            leaving = small[start] & ~small[end]
            if not leaving.any():
                break
            shape = (len(small), len(small))
            counts = csr_matrix(
                (np.ones(np.count_nonzero(leaving)), (start[leaving], end[leaving])), shape=shape
            )
            goes_to = np.arange(len(small))
            islands = np.flatnonzero(np.diff(counts.indptr))
            goes_to[islands] = np.asarray(counts[islands].argmax(axis=1)).ravel()
            parts = np.unique(goes_to[parts], return_inverse=True)[1]
        left = (np.bincount(parts) < fewest)[parts]
        together = np.where(left, parts.max() + 1 + labels, parts)
        return np.asarray(np.unique(together, return_inverse=True)[1])


def _nearest(rows: Array) -> tuple[Array, Array]:
    """Return the nearest other rows of every row, (n, neighbours), and the distance to the farthest.

    Copies of a row are not its neighbours: if they were, an object with many copies would have no links
    with others, and every group of copies would be a cluster. Rounded values have many copies.
    """
    _, first, row_of, copies = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    row_of = row_of.ravel()
    most = max(1, len(first) - 1)
    n_nearest = min(int(np.clip(np.log2(len(rows)), _FEWEST, _MOST)), most, len(rows) - 1)
    if len(first) == 1:
        # All rows are the same, and any other object is as near as the rest.
        return np.roll(np.arange(len(rows)), 1)[:, None], np.zeros(len(rows))
    if len(first) == len(rows):
        distance, nearest = NearestNeighbors(n_neighbors=n_nearest).fit(rows).kneighbors()
        return nearest, distance[:, -1]
    distance, nearest = NearestNeighbors(n_neighbors=n_nearest).fit(rows[first]).kneighbors()
    # Of the copies of a neighbour, any one.
    wanted = nearest[row_of]
    any_copy = (np.random.default_rng(0).random(wanted.shape) * copies[wanted]).astype(np.int64)
    starts = np.cumsum(copies) - copies
    by_row = np.argsort(row_of, kind="stable")
    return by_row[starts[wanted] + any_copy], distance[row_of, -1]
