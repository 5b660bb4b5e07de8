"""KMCF (3.9): k-means on the dense, centred one-hot matrix."""

from itertools import combinations

import numpy as np

from .labels import all_partitions, canonical, canonical_members, one_hot


def features(L, weights=None, *, unit_variance=False):
    """H minus its column means; a missing label gives zeros; columns scaled by sqrt(w_j)."""
    H, owners = one_hot(L)
    known = np.column_stack([np.asarray(L)[:, j] >= 0 for j in owners])
    F = np.zeros_like(H)
    for c in range(H.shape[1]):
        mean = H[known[:, c], c].mean()
        F[known[:, c], c] = H[known[:, c], c] - mean
        if unit_variance and F[:, c].std() > 0:
            F[:, c] /= F[:, c].std()
        if weights is not None:
            F[:, c] *= np.sqrt(weights[owners[c]])
    return F


def centres(F, labels):
    """Return the mean row of every cluster."""
    labels = np.asarray(labels)
    return np.array([F[labels == k].mean(axis=0) for k in range(labels.max() + 1)])


def sse(F, labels):
    """Sum of squared distances to the own centre."""
    labels = np.asarray(labels)
    return float(((F - centres(F, labels)[labels]) ** 2).sum())


def is_fixed_point(F, labels):
    """Whether no object is nearer to another centre than to its own."""
    C = centres(F, labels)
    for i, k in enumerate(labels):
        distances = [((F[i] - c) ** 2).sum() for c in C]
        if min(distances) < distances[k] - 1e-9 * max(1.0, distances[k]):
            return False
    return True


def optimum(F, K):
    """Least SSE over all partitions of the distinct rows in at most K clusters."""
    rows, of = np.unique(F.round(12), axis=0, return_inverse=True)
    of = of.ravel()
    return min(sse(F, np.array(p)[of]) for p in all_partitions(len(rows), K))


def lloyd(F, seeds):
    """Lloyd's rounds from the rows `seeds`; ties: keep, else the smallest index; SSE at the end."""
    C = F[list(seeds)]
    labels = None
    while True:
        moved = []
        for i, row in enumerate(F):
            distances = [((row - c) ** 2).sum() for c in C]
            near = [k for k, d in enumerate(distances) if d <= min(distances) + 1e-9]
            moved.append(labels[i] if labels and labels[i] in near else near[0])
        if moved == labels:
            return sse(F, canonical(labels))
        labels = moved
        C = np.array([F[[v == k for v in labels]].mean(axis=0) for k in sorted(set(labels))])
        labels = [sorted(set(labels)).index(v) for v in labels]


def reachable(F, K):
    """Least SSE that Lloyd's rounds reach from any K distinct rows."""
    _, first = np.unique(F.round(12), axis=0, return_index=True)
    return min(
        lloyd(F, seeds) for seeds in combinations(sorted(first.tolist()), min(K, len(first)))
    )


def category_utility(labels, member):
    """U_j = sum_k p_k sum_c p(c|k)^2 - sum_c p(c)^2; complete labels."""
    labels, member = np.array(canonical(labels)), np.asarray(member)
    inside = 0.0
    for k in range(labels.max() + 1):
        here = member[labels == k]
        inside += len(here) / len(labels) * sum(((here == c).mean()) ** 2 for c in set(member))
    return inside - sum(((member == c).mean()) ** 2 for c in set(member))


def explained(labels, L, weights):
    """n sum_j w_j U_j."""
    L = canonical_members(L)
    return len(L) * sum(
        weights[j] * category_utility(labels, L[:, j].tolist()) for j in range(L.shape[1])
    )
