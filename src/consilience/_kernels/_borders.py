"""Layers of objects along the border of a cluster, in a graph of nearest neighbours.

starts     (n + 1,) where the neighbours of an object begin in `others`
others     (2 n k,) neighbours of all objects, both ways
ranks      (2 n k,) 1 for the nearest neighbour of one of the two, 2 for the second, and so on
"""

import numpy as np

from consilience._kernels._jit import jit


@jit
def both_ways(nearest):  # type: ignore[no-untyped-def]
    """Return starts, others and ranks of the graph that links i and j if either lists the other."""
    n_rows, n_near = nearest.shape
    starts = np.zeros(n_rows + 1, dtype=np.int64)
    for i in range(n_rows):
        starts[i + 1] += n_near
        for place in range(n_near):
            starts[nearest[i, place] + 1] += 1
    for i in range(n_rows):
        starts[i + 1] += starts[i]
    filled = starts[:-1].copy()
    others = np.empty(starts[-1], dtype=np.int32)
    ranks = np.empty(starts[-1], dtype=np.int32)
    for i in range(n_rows):
        for place in range(n_near):
            j = nearest[i, place]
            others[filled[i]], ranks[filled[i]] = j, place + 1
            filled[i] += 1
            others[filled[j]], ranks[filled[j]] = i, place + 1
            filled[j] += 1
    return starts, others, ranks


@jit
def border_layers(starts, others, ranks, labels, sizes, cluster, layer):  # type: ignore[no-untyped-def]
    """Write the layer of every object along the border of one cluster, on both of its sides.

    Layer 1 has a neighbour across; layer 2 has one in layer 1 on its own side; layer 3 one in layer 2;
    0 is farther away. Neighbours across count only if their rank is below the size of the smaller
    cluster, so that a small cluster is not linked with others only because it has fewer objects than
    neighbours.
    """
    layer[:] = 0
    for i in range(labels.shape[0]):
        inside = labels[i] == cluster
        for place in range(starts[i], starts[i + 1]):
            j = others[place]
            if (labels[j] == cluster) != inside:
                smaller = min(sizes[labels[i]], sizes[labels[j]])
                if ranks[place] < smaller:
                    layer[i] = 1
                    break
    for depth in range(2, 4):
        for i in range(labels.shape[0]):
            if layer[i] != 0:
                continue
            inside = labels[i] == cluster
            for place in range(starts[i], starts[i + 1]):
                j = others[place]
                if layer[j] == depth - 1 and (labels[j] == cluster) == inside:
                    layer[i] = depth
                    break


@jit
def border_figures(order, radius, labels, cluster, layer, counts, pairs):  # type: ignore[no-untyped-def]
    """Count the layers inside and outside of one cluster, and compare layer 1 with those behind it.

    order   the objects, from the smallest radius to the largest
    counts  (2, 3) objects of layers 1, 2 and 3, inside and outside; written
    pairs   (2,) pairs of an object of layer 1 and one of layer 2 or 3: two for every pair in which the
            radius of the first is larger, one where they are equal; written
    """
    counts[:], pairs[:] = 0, 0
    before, seen = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    start = 0
    while start < order.shape[0]:
        end = start
        while end < order.shape[0] and radius[order[end]] == radius[order[start]]:
            i = order[end]
            side = 0 if labels[i] == cluster else 1
            if layer[i] > 0:
                counts[side, layer[i] - 1] += 1
            if layer[i] > 1:
                seen[side] += 1
            end += 1
        for place in range(start, end):
            i = order[place]
            side = 0 if labels[i] == cluster else 1
            if layer[i] == 1:
                pairs[side] += before[side] + seen[side]
        before[:] = seen
        start = end


@jit
def halves_layers(starts, others, labels, members, upper):  # type: ignore[no-untyped-def]
    """Count the first two layers along a cut of a cluster into two halves.

    members  (m,) the objects of the cluster
    upper    (n,) whether an object is in the upper half
    """
    first = np.zeros(labels.shape[0], dtype=np.bool_)
    n_first, n_second = 0, 0
    for i in members:
        for place in range(starts[i], starts[i + 1]):
            j = others[place]
            if labels[j] == labels[i] and upper[j] != upper[i]:
                first[i] = True
                n_first += 1
                break
    for i in members:
        if first[i]:
            continue
        for place in range(starts[i], starts[i + 1]):
            j = others[place]
            if labels[j] == labels[i] and upper[j] == upper[i] and first[j]:
                n_second += 1
                break
    return n_first, n_second
