"""Graph partitioners, literally: dense matrices, all cuts by definition, optima by enumeration."""

from itertools import combinations

import numpy as np

from .labels import all_partitions, one_hot

# Six objects, four members.
GOLDEN = np.array(
    [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]]
)


def column_weights(L, weights=None):
    """Weight of the member that owns every base cluster."""
    _, owners = one_hot(L)
    weights = (
        np.ones(np.asarray(L).shape[1]) if weights is None else np.asarray(weights, dtype=float)
    )
    return weights[owners]


def coassociation(L, weights=None):
    """S by definition: the weighted share of ALL members that put a pair together; diagonal too."""
    L = np.asarray(L)
    n, r = L.shape
    weights = [1.0] * r if weights is None else weights
    S = np.zeros((n, n))
    for x in range(n):
        for y in range(n):
            for j in range(r):
                if L[x, j] >= 0 and L[x, j] == L[y, j]:
                    S[x, y] += weights[j]
    return S / sum(weights)


def cut(W, labels):
    """Sum of W over unordered pairs with different labels."""
    return float(sum(W[x, y] for x, y in combinations(range(len(W)), 2) if labels[x] != labels[y]))


def squares(H, c, labels):
    """sum_k |T_k|^2 with T_k the sum of the rows of H diag(sqrt c) in part k."""
    B = H * np.sqrt(c)
    labels = np.asarray(labels)
    return float(sum((B[labels == k].sum(axis=0) ** 2).sum() for k in set(labels.tolist())))


def inside(H, c, labels):
    """Weight of links inside parts if every base cluster sits in its best part."""
    labels = np.asarray(labels)
    best = [max(H[labels == k, e].sum() for k in set(labels.tolist())) for e in range(H.shape[1])]
    return float(np.dot(c, best))


def broken(H, c, labels):
    """Weight of the hyperedges with vertices in several parts."""
    total = 0.0
    for e in range(H.shape[1]):
        parts = {label for label, pin in zip(labels, H[:, e], strict=True) if pin}
        total += c[e] * (len(parts) > 1)
    return total


def swapped(labels):
    """Yield every labelling that exchanges two objects of different parts."""
    for x, y in combinations(range(len(labels)), 2):
        if labels[x] != labels[y]:
            other = list(labels)
            other[x], other[y] = other[y], other[x]
            yield other


def moved(labels, K, smallest, largest):
    """Yield every labelling that moves one object and keeps the sizes within bounds."""
    sizes = np.bincount(labels, minlength=K)
    for x, own in enumerate(labels):
        for k in range(K):
            if k != own and sizes[own] > smallest and sizes[k] < largest:
                other = list(labels)
                other[x] = k
                yield other


def partitions_within(n, K, smallest, largest):
    """Yield every partition in exactly K parts with sizes within bounds."""
    for labels in all_partitions(n, K):
        sizes = np.bincount(labels, minlength=K)
        if sizes.min() >= max(smallest, 1) and sizes.max() <= largest:
            yield labels


def partitions_by_weight(weight, K, limit):
    """Yield every partition in exactly K parts that weigh at most `limit`."""
    for labels in all_partitions(len(weight), K):
        if len(set(labels)) == K and np.bincount(labels, weights=weight).max() <= limit + 1e-9:
            yield labels


def lightest_first(weight, K):
    """Weight of the heaviest part if vertices, heaviest first, go to the lightest part."""
    loads = [0.0] * K
    for w in sorted(weight, reverse=True):
        loads[loads.index(min(loads))] += w
    return max(loads)


def tiny(seed, n=8, r=4, K0=3):
    """Draw labels without any structure, and their one-hot matrix."""
    L = np.random.default_rng(seed).integers(0, K0, (n, r))
    return L, one_hot(L)[0]


def share_of_optima(found_and_best):
    """Return the share of pairs whose two values agree."""
    return float(np.mean([abs(found - best) < 1e-9 for found, best in found_and_best]))
