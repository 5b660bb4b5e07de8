"""Moves and swaps between the parts of a small graph given as a matrix."""

from consilience._kernels._jit import jit


@jit
def swap_dense_pass(affinity, weight, labels, sums, loads, sizes, limit, margin):  # type: ignore[no-untyped-def]
    """Make the best move or swap of every vertex; return how many were made.

    affinity  (t, t) symmetric, diagonal 0
    weight    (t,) of the vertices; no part may weigh more than `limit`
    sums      (t, K) affinity of every vertex to every part
    loads     (K,) weight of every part
    sizes     (K,) vertices of every part; a part is never emptied
    Only exchanges that reduce the cut by more than `margin` are made; all but the first two arguments
    and the limits change in place.
    """
    n_vertices, n_parts = sums.shape
    done = 0
    for x in range(n_vertices):
        own = labels[x]
        best, partner, target = margin, -1, -1
        for part in range(n_parts):
            fits = loads[part] + weight[x] <= limit and sizes[own] > 1
            if part != own and fits and sums[x, part] - sums[x, own] > best:
                best, target = sums[x, part] - sums[x, own], part
        for y in range(n_vertices):
            part = labels[y]
            if part == own:
                continue
            change = weight[x] - weight[y]
            if loads[part] + change > limit or loads[own] - change > limit:
                continue
            gain = sums[x, part] - sums[x, own] + sums[y, own] - sums[y, part] - 2 * affinity[x, y]
            if gain > best:
                best, partner, target = gain, y, part
        if target < 0:
            continue
        done += 1
        _move(affinity, weight, labels, sums, loads, sizes, x, target)
        if partner >= 0:
            _move(affinity, weight, labels, sums, loads, sizes, partner, own)
    return done


@jit
def _move(affinity, weight, labels, sums, loads, sizes, x, target):  # type: ignore[no-untyped-def]
    source = labels[x]
    labels[x] = target
    loads[source] -= weight[x]
    loads[target] += weight[x]
    sizes[source] -= 1
    sizes[target] += 1
    for y in range(len(labels)):
        sums[y, source] -= affinity[y, x]
        sums[y, target] += affinity[y, x]
