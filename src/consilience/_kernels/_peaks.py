"""Peaks of a density on a graph, and on a line."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def peaks(edges, heights, density, least):  # type: ignore[no-untyped-def]
    """Return the peak of every object, and how far every peak stands above its saddle.

    edges    (m, 2) edges of the graph, the highest first
    heights  (m,) log density of the edges
    density  (n,) log density of the objects
    least    peaks that stand less above their saddle are merged with the next higher one

    The prominence is inf for the highest peak of every part of the graph, and for other objects 0 or
    more: an object that is no peak has prominence 0.
    """
    n = density.shape[0]
    parent, prominence = np.arange(n), np.full(n, np.inf)
    # First everything is merged, to know the prominence; then again, keeping the peaks that stand out.
    for merge_all in (True, False):
        for i in range(n):
            parent[i] = i
        for e in range(edges.shape[0]):
            low, high = _root(parent, edges[e, 0]), _root(parent, edges[e, 1])
            if low == high:
                continue
            if density[high] < density[low] or (density[high] == density[low] and high > low):
                low, high = high, low
            stands = density[low] - heights[e]
            if merge_all:
                prominence[low] = stands
            if merge_all or stands < least:
                parent[low] = high
    for i in range(n):
        parent[i] = _root(parent, i)
    return parent, prominence


@jit
def line_prominence(sorted_values, k):  # type: ignore[no-untyped-def]
    """Return how far the second peak on a line stands above the deepest valley, in log density.

    The density at a value is the inverse of the distance that holds k others.
    """
    n = sorted_values.shape[0]
    density = np.empty(n)
    for i in range(n):
        nearest = np.inf
        for first in range(max(0, i - k), min(i, n - k - 1) + 1):
            reach = max(
                sorted_values[i] - sorted_values[first], sorted_values[first + k] - sorted_values[i]
            )
            nearest = min(nearest, reach)
        density[i] = -np.log(max(nearest, 1e-300))
    right = np.empty(n)
    highest = -np.inf
    for i in range(n - 1, -1, -1):
        highest = max(highest, density[i])
        right[i] = highest
    highest, found = -np.inf, 0.0
    for i in range(n):
        highest = max(highest, density[i])
        found = max(found, min(highest, right[i]) - density[i])
    return found


@jit
def _root(parent, x):  # type: ignore[no-untyped-def]
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x
