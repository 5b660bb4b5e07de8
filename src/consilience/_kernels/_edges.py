"""Members that put the two ends of an edge together.

codes         (n, r) unsigned; 0 = missing, c + 1 = base cluster c of that member
first, second  (m,) rows of the two ends of every edge
"""

from consilience._kernels._jit import jit


@jit
def count_together(codes, first, second, together, known):  # type: ignore[no-untyped-def]
    """Write how many members put both ends into one cluster, and how many label both ends."""
    for e in range(first.shape[0]):
        one, other = codes[first[e]], codes[second[e]]
        n_together = 0
        n_known = 0
        # Without branches, so that the loop is vectorised.
        for j in range(one.shape[0]):
            n_together += (one[j] == other[j]) & (one[j] != 0)
            n_known += (one[j] != 0) & (other[j] != 0)
        together[e] = n_together
        known[e] = n_known


@jit
def weigh_together(codes, first, second, weights, together, known):  # type: ignore[no-untyped-def]
    """Write the same with weights of members; members are added in their order."""
    for e in range(first.shape[0]):
        one, other = codes[first[e]], codes[second[e]]
        weight_together = 0.0
        weight_known = 0.0
        for j in range(one.shape[0]):
            if one[j] != 0 and other[j] != 0:
                weight_known += weights[j]
                if one[j] == other[j]:
                    weight_together += weights[j]
        together[e] = weight_together
        known[e] = weight_known


@jit
def peel_leaves(starts, neighbours, degrees, queue):  # type: ignore[no-untyped-def]
    """Remove nodes of degree below 2 until none is left; degrees of removed nodes become 0."""
    n_waiting = 0
    for node in range(degrees.shape[0]):
        if degrees[node] == 1:
            queue[n_waiting] = node
            n_waiting += 1
    place = 0
    while place < n_waiting:
        node = queue[place]
        place += 1
        degrees[node] = 0
        for i in range(starts[node], starts[node + 1]):
            beside = neighbours[i]
            if degrees[beside] > 0:
                degrees[beside] -= 1
                if degrees[beside] == 1:
                    queue[n_waiting] = beside
                    n_waiting += 1
