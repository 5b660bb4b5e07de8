"""Local search: objects move, one after the other, to the cluster of least cost."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def relocate_rows(codes, offsets, weight, labels, member_cost, counts, totals, used):  # type: ignore[no-untyped-def]
    """Make one pass over the rows and return how many moved; everything is updated in place.

    Row u costs sum over its members j of member_cost[j] (totals[j, k] - 2 counts[c_j(u), k]) in
    cluster k, not counting u itself: the change of the consensus Rand distance (3.16 LocalSearch).

    counts  (padded rows, K) weight of every base cluster in every cluster
    totals  (r, K) weight observed by member j in cluster k
    used    (K,) rows in every cluster; a cluster is never emptied, so K is kept
    """
    n_members, n_labels = totals.shape
    cost = np.empty(n_labels)
    moved = 0
    for i in range(codes.shape[0]):
        own = labels[i]
        if used[own] == 1:
            continue
        cost[:] = 0.0
        for j in range(n_members):
            if codes[i, j] == 0:
                continue
            row = offsets[j] + codes[i, j]
            for k in range(n_labels):
                cost[k] += member_cost[j] * (totals[j, k] - 2 * counts[row, k])
            cost[own] += member_cost[j] * weight[i]
        best = own
        for k in range(n_labels):
            # The tolerance prevents rounding errors from moving an object back and forth.
            if cost[k] < cost[best] - 1e-9 * abs(cost[best]):
                best = k
        if best != own:
            moved += 1
            labels[i] = best
            used[own] -= 1
            used[best] += 1
            for j in range(n_members):
                if codes[i, j] != 0:
                    row = offsets[j] + codes[i, j]
                    counts[row, own] -= weight[i]
                    counts[row, best] += weight[i]
                    totals[j, own] -= weight[i]
                    totals[j, best] += weight[i]
    return moved


# --- fixed scores ---------------------------------------------------------------------------------
