"""A spanning tree of the data, and its merging into clusters of sizes that are not too unequal."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def spanning_tree(rows, core):  # type: ignore[no-untyped-def]
    """Return the edges of the minimum spanning tree of mutual reachability, and their lengths.

    The mutual reachability of two objects is the largest of their distance and their core distances.
    Prim's algorithm, O(n^2 d).
    """
    n = rows.shape[0]
    edges, lengths = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    best, nearest = np.full(n, np.inf), np.zeros(n, np.int64)
    outside = np.arange(1, n)
    latest = 0
    for step in range(n - 1):
        place = 0
        for p in range(n - 1 - step):
            j = outside[p]
            square = 0.0
            for f in range(rows.shape[1]):
                square += (rows[latest, f] - rows[j, f]) ** 2
            length = max(np.sqrt(square), core[latest], core[j])
            if length < best[j]:
                best[j], nearest[j] = length, latest
            if best[j] < best[outside[place]]:
                place = p
        latest = outside[place]
        outside[place] = outside[n - 2 - step]
        edges[step, 0], edges[step, 1], lengths[step] = nearest[latest], latest, best[latest]
    return edges, lengths


@jit
def even_merges(edges, most_unequal):  # type: ignore[no-untyped-def]
    """Merge along edges, the shortest first, so that the sizes of clusters stay even.

    While the Gini index of the sizes is above `most_unequal`, only edges that touch a smallest
    cluster are used. Returns the merges, (n - 1, 2), numbered as in SciPy.

    edges  (n - 1, 2) of a spanning tree, the shortest first
    """
    n = edges.shape[0] + 1
    merges = np.empty((n - 1, 2), np.int64)
    parent, size, node = np.arange(n), np.ones(n, np.int64), np.arange(n)
    with_size = np.zeros(n + 1, np.int64)
    with_size[1] = n
    used = np.zeros(n - 1, np.bool_)
    first, smallest, place = 0, 1, 0
    for step in range(n - 1):
        while used[first]:
            first += 1
        e = first
        if _gini(with_size, n - step) > most_unequal:
            least = 1
            while with_size[least] == 0:
                least += 1
            if least != smallest or place < first:
                smallest, place = least, first
            e = place
            while used[e] or (
                size[_root(parent, edges[e, 0])] != least
                and size[_root(parent, edges[e, 1])] != least
            ):
                e += 1
            place = e
        used[e] = True
        a, b = _root(parent, edges[e, 0]), _root(parent, edges[e, 1])
        merges[step, 0], merges[step, 1] = node[a], node[b]
        with_size[size[a]] -= 1
        with_size[size[b]] -= 1
        parent[b], node[a] = a, n + step
        size[a] += size[b]
        with_size[size[a]] += 1
    return merges


@jit
def _gini(with_size, n_clusters):  # type: ignore[no-untyped-def]
    """Return the Gini index of the sizes of clusters, of which `with_size` counts each size."""
    n = with_size.shape[0] - 1
    if n_clusters < 2:
        return 0.0
    total, seen, size = 0.0, 0, 0
    while seen < n_clusters:
        size += 1
        count = with_size[size]
        total += size * count * (2.0 * seen - n_clusters + count)
        seen += count
    return total / (n * (n_clusters - 1.0))


@jit
def _root(parent, x):  # type: ignore[no-untyped-def]
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x
