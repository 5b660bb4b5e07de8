"""What the borders of a clustering cost, on the graph of nearest neighbours.

starts     (n + 1,) where the links of an object begin
others     (links,) the object at the other end of a link; every link is stored both ways
ranks      (links,) 1 if an object is the nearest of the other, 2 if it is the second, and so on
lengths    (links,) how long a link is
weights    (links,) how much a link counts
"""

import numpy as np

from consilience._kernels._jit import jit

# The cut through a cluster leaves at least this share of its objects on either side.
LEAST_SIDE = 0.3
# Clusters of fewer objects have no inside that could be cut.
LEAST_SIZE = 4


@jit
def border_costs(labels, n_clusters, starts, others, ranks, lengths, weights, by_density):  # type: ignore[no-untyped-def]
    """Return for every cluster how its border compares with its inside, from 0 (a gap) to 1.

    The cost is min(1, border / inside) sqrt(min(1, 2 place)): `border` is the weight of the links that
    leave the cluster, `inside` the weight of the lightest cut through it, and `place` where the links
    of its worst border lie between the sparsest (0) and the densest (1) objects of their own clusters.

    by_density  (n,) the objects, the sparsest first
    """
    n = labels.shape[0]
    sizes = np.zeros(n_clusters, np.int64)
    for i in range(n):
        sizes[labels[i]] += 1
    border, place = _borders(labels, sizes, starts, others, ranks, weights, by_density)
    members = np.argsort(labels, kind="mergesort")
    paths = np.empty(n)
    heap = np.empty(others.shape[0] + n + 1)
    queue = np.empty(others.shape[0] + n + 1, np.int64)
    costs = np.zeros(n_clusters)
    first = 0
    for c in range(n_clusters):
        mine = members[first : first + sizes[c]]
        first += sizes[c]
        if border[c] == 0.0:
            continue
        inside = 0.0
        if sizes[c] >= LEAST_SIZE:
            inside = _lightest_cut(
                mine, labels, starts, others, lengths, weights, paths, heap, queue
            )
        thin = 1.0 if inside <= border[c] else border[c] / inside
        costs[c] = thin * np.sqrt(min(1.0, 2.0 * place[c]))
    return costs


@jit
def _borders(labels, sizes, starts, others, ranks, weights, by_density):  # type: ignore[no-untyped-def]
    """Return the weight of the border of every cluster, and the mean place of the worst part of it.

    Links across count only if their rank is below the size of the smaller cluster, so that a cluster
    has no border only because it has fewer objects than neighbours.
    """
    n, k = labels.shape[0], sizes.shape[0]
    # Where an object stands in its cluster, from the sparsest to the densest.
    standing = np.empty(n)
    seen = np.zeros(k)
    for i in by_density:
        standing[i] = (seen[labels[i]] + 0.5) / sizes[labels[i]]
        seen[labels[i]] += 1
    border = np.zeros(k)
    links = np.zeros((k, k))
    places = np.zeros((k, k))
    for i in range(n):
        c = labels[i]
        for e in range(starts[i], starts[i + 1]):
            d = labels[others[e]]
            if d != c and ranks[e] < min(sizes[c], sizes[d]):
                border[c] += weights[e]
                links[c, d] += 1
                places[c, d] += (standing[i] + standing[others[e]]) / 2
    worst = np.zeros(k)
    for c in range(k):
        for d in range(k):
            if links[c, d] > 0:
                worst[c] = max(worst[c], places[c, d] / links[c, d])
    return border, worst


@jit
def _lightest_cut(mine, labels, starts, others, lengths, weights, paths, heap, queue):  # type: ignore[no-untyped-def]
    """Return the weight of the lightest cut through the inside of a cluster.

    Its objects are put in order of their path from one end, which is the object farthest from any
    other, so that cuts follow curved clusters. Objects without a path come last.
    """
    end = _farthest(mine[0], mine, labels, starts, others, lengths, paths, heap, queue)
    _farthest(end, mine, labels, starts, others, lengths, paths, heap, queue)
    order = mine[np.argsort(paths[mine], kind="mergesort")]
    cluster, n = labels[end], mine.shape[0]
    for i in mine:
        paths[i] = 0.0  # from here on, 1 for objects before the cut
    weight, least = 0.0, np.inf
    for t in range(n - 1):
        i = order[t]
        paths[i] = 1.0
        for e in range(starts[i], starts[i + 1]):
            if labels[others[e]] == cluster:
                weight += -weights[e] if paths[others[e]] == 1.0 else weights[e]
        if LEAST_SIDE <= (t + 1) / n <= 1 - LEAST_SIDE:
            least = min(least, weight)
    return 0.0 if least == np.inf else max(least, 0.0)


@jit
def _farthest(source, mine, labels, starts, others, lengths, paths, heap, queue):  # type: ignore[no-untyped-def]
    """Write the shortest path from one object to the others of its cluster; return the farthest.

    Dijkstra's algorithm; `heap` holds the lengths and `queue` the objects that they belong to.
    """
    cluster = labels[source]
    for i in mine:
        paths[i] = np.inf
    paths[source] = 0.0
    heap[0], queue[0] = 0.0, source
    count, last = 1, source
    while count > 0:
        length, i = heap[0], queue[0]
        count -= 1
        _sink(heap, queue, count)
        if length > paths[i]:
            continue
        last = i
        for e in range(starts[i], starts[i + 1]):
            j = others[e]
            reached = length + lengths[e]
            if labels[j] == cluster and reached < paths[j]:
                paths[j] = reached
                _rise(heap, queue, count, reached, j)
                count += 1
    return last


@jit
def _sink(heap, queue, count):  # type: ignore[no-untyped-def]
    """Take the first entry out of a heap; `count` entries remain."""
    length, i = heap[count], queue[count]
    place = 0
    while 2 * place + 1 < count:
        below = 2 * place + 1
        if below + 1 < count and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= length:
            break
        heap[place], queue[place] = heap[below], queue[below]
        place = below
    heap[place], queue[place] = length, i


@jit
def _rise(heap, queue, count, length, i):  # type: ignore[no-untyped-def]
    """Put an entry into a heap of `count` entries."""
    place = count
    while place > 0 and heap[(place - 1) // 2] > length:
        heap[place], queue[place] = heap[(place - 1) // 2], queue[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place], queue[place] = length, i
