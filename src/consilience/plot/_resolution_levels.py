"""Levels of a tree of resolutions: which clusters, how stable, and in which order they are drawn."""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.plot._given import Clusters

_SWEEPS = 12


class Level(NamedTuple):
    """One level, nodes from left to right.

    title      name of the labelling
    names      of the clusters
    sizes      objects in every cluster
    stability  of every cluster, from 0 to 1
    level_stability  of the whole level: mean adjusted Rand index
    """

    title: str
    names: tuple[str, ...]
    sizes: Array
    stability: Array
    level_stability: float


def overlap_table(first: Clusters, second: Clusters) -> Array:
    """Count the objects of every pair of clusters of two labellings."""
    known = (first.labels >= 0) & (second.labels >= 0)
    width = len(second.names)
    cells = first.labels[known] * width + second.labels[known]
    return np.bincount(cells, minlength=len(first.names) * width).reshape(-1, width)


def best_jaccard(table: Array) -> Array:
    """Return for every row the largest share that the intersection has in the union."""
    either = table.sum(axis=1)[:, None] + table.sum(axis=0)[None, :] - table
    shares = table / np.maximum(either, 1)
    best: Array = shares.max(axis=1, initial=0.0)
    return best


def adjusted_rand(table: Array) -> float:
    """Return the adjusted Rand index of a table of overlaps; 1 for two equal trivial partitions."""
    n_objects = table.sum()
    pairs = n_objects * (n_objects - 1) / 2
    together = (table * (table - 1.0) / 2).sum()
    rows = table.sum(axis=1)
    columns = table.sum(axis=0)
    in_rows, in_columns = (rows * (rows - 1.0) / 2).sum(), (columns * (columns - 1.0) / 2).sum()
    expected = in_rows * in_columns / pairs if pairs else 0.0
    most = (in_rows + in_columns) / 2
    return 1.0 if most == expected else float((together - expected) / (most - expected))


def stability_against(own: Clusters, others: list[Clusters]) -> tuple[Array, float]:
    """Return the mean best overlap of every cluster, and the mean adjusted Rand index."""
    tables = [overlap_table(own, other) for other in others]
    nodes = np.mean([best_jaccard(table) for table in tables], axis=0)
    return nodes, float(np.mean([adjusted_rand(table) for table in tables]))


def ordered_nodes(flows: list[Array]) -> list[Array]:
    """Return the nodes of every level from left to right, so that few flows cross.

    Levels are swept downwards and upwards; nodes are sorted by the mean place of what flows into them
    (barycentres). The best order of all sweeps is kept.
    """
    sizes = [flows[0].shape[0], *(flow.shape[1] for flow in flows)]
    orders = [np.arange(size) for size in sizes]
    best, fewest = [order.copy() for order in orders], crossings(flows, orders)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        levels = range(1, len(sizes)) if downwards else range(len(sizes) - 2, -1, -1)
        for level in levels:
            table = flows[level - 1].T if downwards else flows[level]
            beside = orders[level - 1 if downwards else level + 1]
            place = np.empty(len(beside))
            # Shares, so that levels of many nodes are as wide as those of few.
            place[beside] = (np.arange(len(beside)) + 0.5) / len(beside)
            total = table.sum(axis=1)
            now = np.empty(len(total))
            now[orders[level]] = (np.arange(len(total)) + 0.5) / len(total)
            centre = np.where(total > 0, table @ place / np.maximum(total, 1), now)
            orders[level] = np.argsort(centre, kind="stable")
        found = crossings(flows, orders)
        if found < fewest:
            best, fewest = [order.copy() for order in orders], found
    return best


def crossings(flows: list[Array], orders: list[Array]) -> float:
    """Return how many pairs of objects cross between neighbouring levels, as a share of all pairs."""
    total, pairs = 0.0, 0.0
    for level, flow in enumerate(flows):
        table = flow[np.ix_(orders[level], orders[level + 1])].astype(np.float64)
        # Objects that start further right and end further left.
        right_of = table[::-1].cumsum(axis=0)[::-1]
        below = np.vstack([right_of[1:], np.zeros((1, table.shape[1]))])
        left_of = np.hstack([np.zeros((len(table), 1)), below.cumsum(axis=1)[:, :-1]])
        total += float((table * left_of).sum())
        pairs += float(table.sum() * (table.sum() - 1) / 2)
    return total / pairs if pairs else 0.0
