"""The information that clusterings share, for a table of clusterings against another."""

import numpy as np

from consilience._kernels._jit import jit

# Of what two clusterings share, chance explains at most this part of the smaller entropy.
MOST_BY_CHANCE = 0.9


@jit
def entropies(table, n_clusters):  # type: ignore[no-untyped-def]
    """Return the entropy of every clustering, in nats; `table` is (clusterings, n)."""
    found = np.zeros(table.shape[0])
    n = table.shape[1]
    for a in range(table.shape[0]):
        sizes = np.zeros(n_clusters[a])
        for i in range(n):
            sizes[table[a, i]] += 1
        for size in sizes:
            if size > 0:
                found[a] -= size / n * np.log(size / n)
    return found


@jit
def best_support(table, n_clusters, kinds, voters, voter_clusters, voter_kinds, n_kinds, unshared):  # type: ignore[no-untyped-def]
    """Return for every clustering the largest I - unshared VI with a voter of every kind.

    I is the information that both share beyond chance, and VI the information of either that the other
    lacks. -inf for the kind of the clustering itself, and for kinds without voters. A voter whose
    entropy alone shows that it cannot be the best of its kind is not compared.
    """
    n = table.shape[1]
    own, theirs = entropies(table, n_clusters), entropies(voters, voter_clusters)
    # x log x of counts, since most of the time would go into logarithms
    xlogx = np.zeros(n + 1)
    for x in range(2, n + 1):
        xlogx[x] = x * np.log(x)
    joint = np.zeros(n_clusters.max() * voter_clusters.max(), np.int32)
    found = np.full((table.shape[0], n_kinds), -np.inf)
    for a in range(table.shape[0]):
        bounds = (1 + 2 * unshared) * np.minimum(own[a], theirs) - unshared * (own[a] + theirs)
        for b in np.argsort(-bounds, kind="mergesort"):
            kind = voter_kinds[b]
            if kind == kinds[a] or bounds[b] <= found[a, kind]:
                continue
            width = voter_clusters[b]
            cells = n_clusters[a] * width
            joint[:cells] = 0
            for i in range(n):
                joint[table[a, i] * width + voters[b, i]] += 1
            total = 0.0
            for cell in range(cells):
                total += xlogx[joint[cell]]
            both = own[a] + theirs[b]
            mutual = both - (np.log(n) - total / n)
            most = both / 2
            chance = min(
                (n_clusters[a] - 1) * (width - 1) / (2 * n),
                MOST_BY_CHANCE * min(own[a], theirs[b]),
            )
            shared = 0.0
            if most > chance + 1e-12:
                shared = most * (mutual - chance) / (most - chance)
            found[a, kind] = max(found[a, kind], shared - unshared * (both - 2 * shared))
    return found
