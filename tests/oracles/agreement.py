"""Agreement of partitions: Rand distance, NMI, and their means over the members (4.1, 4.2, 4.6)."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import log, sqrt

import numpy as np


def exact_weights(weights, r):
    """Return member weights as fractions; default 1."""
    return [Fraction(w) for w in ([1] * r if weights is None else weights)]


def rand_distance(a, b):
    """Share of the pairs, known on both sides, that one partition joins and the other parts."""
    pairs = different = 0
    for x, y in combinations(range(len(a)), 2):
        if min(a[x], a[y], b[x], b[y]) < 0:
            continue
        pairs += 1
        different += (a[x] == a[y]) != (b[x] == b[y])
    return Fraction(different, pairs) if pairs else Fraction(0)


def consensus_rand(labels, L, weights=None):
    """Mean Rand distance to the members, each on the objects it knows."""
    L = np.asarray(L)
    w = exact_weights(weights, L.shape[1])
    distances = [rand_distance(labels, column) for column in L.T.tolist()]
    return sum(v * d for v, d in zip(w, distances, strict=True)) / sum(w)


def nmi(a, b):
    """I / sqrt(H_a H_b) over the objects known on both sides; one-cluster sides: 0, both 1."""
    known = [(u, v) for u, v in zip(a, b, strict=True) if u >= 0 and v >= 0]
    n = len(known)
    joint, left, right = Counter(known), Counter(u for u, _ in known), Counter(v for _, v in known)
    if len(left) <= 1 or len(right) <= 1:
        return float(len(left) <= 1 and len(right) <= 1)
    shared = sum(c * log(n * c / (left[u] * right[v])) for (u, v), c in joint.items())
    entropies = [sum(c * log(c / n) for c in counts.values()) for counts in (left, right)]
    return shared / sqrt(entropies[0] * entropies[1])


def snmi(labels, L):
    """Sum of the NMI with every member."""
    return sum(nmi(labels, column) for column in np.asarray(L).T.tolist())


def anmi(labels, L, weights=None):
    """Mean NMI with the members, weighted by member weight and by observed count."""
    L = np.asarray(L)
    w = exact_weights(weights, L.shape[1])
    shares = [float(w[j]) * int((L[:, j] >= 0).sum()) for j in range(L.shape[1])]
    total = sum(s * nmi(labels, L[:, j].tolist()) for j, s in enumerate(shares))
    return total / sum(shares)
