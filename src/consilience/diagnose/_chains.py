"""Clusters whose objects are chained by short distances, with a wide border between the clusters.

The minimum spanning tree connects all objects by links that are as short as possible. A long link of it
between two large parts is a border, if many objects on both sides are near the other side. Along a curve
only a few objects are near a random gap, and links to outliers have few objects on one side.
Shapes do not matter: arms of a spiral are found although each of them has gaps.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from sklearn.metrics import pairwise_distances_argmin_min

from consilience._utils._types import Array

if TYPE_CHECKING:
    from consilience.diagnose._neighbour_graph import NeighbourGraph


# The shortest link between two chains is so many times as long as the usual radius.
_LONG = 1.3
# So many times as many objects are near the border as there would be along a curve.
_CURVE = 2.5
# At the tip of a curve fewer are enough, if there are more beside the tip, and the link is longer.
_TIP, _BESIDE_TIP, _LONG_AT_TIP = 1.3, 3.0, 2.0
# Radii are 0 where rows are equal but for rounding.
_TINY = 1e-300
# A chain has so many times as many objects as an object has neighbours.
_SMALLEST = 2


class SpanningTree(NamedTuple):
    """The links of a minimum spanning tree, shortest first.

    firsts, seconds  (n - 1,) the two ends of every link
    lengths          (n - 1,)
    """

    firsts: Array
    seconds: Array
    lengths: Array


def spanning_tree(graph: "NeighbourGraph") -> SpanningTree:
    """Return the minimum spanning tree of the links of a graph.

    Parts of the graph without links between them are connected by the shortest distance between each
    of them and the rest, until all are connected.
    """
    rows = graph.rows
    ends = np.stack([graph.firsts, graph.others]).astype(np.int64)
    lengths = np.sqrt(np.square(rows[ends[0]] - rows[ends[1]]).sum(axis=1))
    part_of = _parts(len(rows), ends)
    while part_of.max() > 0:
        masks = (part_of == part for part in range(int(part_of.max()) + 1))
        found = [nearest_of(rows, mask, ~mask) for mask in masks]
        ends = np.concatenate(
            [ends, np.array([one[:2] for one in found]).T.astype(np.int64)], axis=1
        )
        lengths = np.concatenate([lengths, [one[2] for one in found]])
        part_of = _parts(len(rows), ends)
    return _shortest(len(rows), ends, lengths)


def chains(graph: "NeighbourGraph") -> Array:
    """Return the chain of every object, (n,); all are 0 if no link is long enough."""
    n_rows = len(graph.rows)
    tree = spanning_tree(graph)
    borders = _Borders(graph)
    part_of = np.arange(n_rows)
    members = {part: [part] for part in range(n_rows)}
    kept = np.ones(len(tree.lengths), dtype=np.bool_)
    for place, (first, second) in enumerate(zip(tree.firsts, tree.seconds, strict=True)):
        both = int(part_of[first]), int(part_of[second])
        small, large = sorted(both, key=lambda part: len(members[part]))
        if len(members[small]) >= _SMALLEST * graph.n_nearest:
            kept[place] = not borders.has(np.array(members[small]), np.array(members[large]))
        part_of[members[small]] = large
        members[large] += members.pop(small)
    ends = np.stack([tree.firsts, tree.seconds])
    found = _parts(n_rows, ends[:, kept])
    # A part of a curve behind a gap is no chain of its own, although other chains are near it.
    for place in np.flatnonzero(~kept).tolist():
        sides = (np.flatnonzero(found == found[end]) for end in ends[:, place])
        kept[place] = not borders.has(*sides)
    return _parts(n_rows, ends[:, kept])


class _Borders:
    """Wide borders between parts of the objects; copies of a row count as one object."""

    def __init__(self, graph: "NeighbourGraph") -> None:
        self.graph = graph
        _, row_of, copies = np.unique(graph.rows, axis=0, return_inverse=True, return_counts=True)
        self.weight: Array = 1 / copies[row_of.ravel()]

    def has(self, first: Array, second: Array) -> bool:
        """Say whether two parts are far apart, and many objects of both are near the other one."""
        graph = self.graph
        if min(self.weight[part].sum() for part in (first, second)) < _SMALLEST * graph.n_nearest:
            return False
        usual = max(float(np.median(graph.radius[part])) for part in (first, second))
        there = pairwise_distances_argmin_min(graph.rows[first], graph.rows[second])[1]
        width = float(there.min())
        if width <= _LONG * usual:
            return False
        back = pairwise_distances_argmin_min(graph.rows[second], graph.rows[first])[1]
        sides = (first, there), (second, back)
        # On a curve, half of the nearest neighbours of an object are on each side, within its radius.
        times = []
        for part, distance in sides:
            near = part[distance <= 2 * width]
            radius = max(float(np.median(graph.radius[near])), _TINY)
            on_a_curve = graph.n_nearest * width / radius
            times.append(float(self.weight[near].sum()) / on_a_curve)
        is_tip = width >= _LONG_AT_TIP * usual and max(times) >= _BESIDE_TIP
        return min(times) >= (_TIP if is_tip else _CURVE)


def _parts(n_rows: int, ends: Array) -> Array:
    links = coo_matrix((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(n_rows, n_rows))
    parts: Array = connected_components(links, directed=False)[1]
    return parts


def nearest_of(rows: Array, first: Array, second: Array) -> tuple[int, int, float]:
    """Return the object of one mask and that of another one that are nearest, and their distance."""
    inside, outside = np.flatnonzero(first), np.flatnonzero(second)
    nearest, distance = pairwise_distances_argmin_min(rows[inside], rows[outside])
    place = int(np.argmin(distance))
    return int(inside[place]), int(outside[nearest[place]]), float(distance[place])


def _shortest(n_rows: int, ends: Array, lengths: Array) -> SpanningTree:
    # A link of no length would be no link in a sparse matrix, so lengths are replaced by their ranks.
    low, high = np.sort(ends, axis=0)
    order = np.lexsort((high, low, lengths))
    low, high, lengths = low[order], high[order], lengths[order]
    _, first = np.unique(low * n_rows + high, return_index=True)
    first = np.sort(first)
    ranks = coo_matrix((first + 1.0, (low[first], high[first])), shape=(n_rows, n_rows))
    tree = minimum_spanning_tree(ranks.tocsr())
    chosen = np.sort(tree.data.astype(np.int64)) - 1
    return SpanningTree(low[chosen], high[chosen], lengths[chosen])
