"""Agglomeration (1e, 3.14), locally weighted evidence (3.29) and furthest consensus (3.13), literally.

Dense matrices on all objects; clusters are sorted lists, named by their smallest object.
"""

from fractions import Fraction
from itertools import combinations
from math import exp, log2

import numpy as np

from .agreement import exact_weights


def co_association(L, weights=None, trust=None):
    """S: weight of the members that join two objects, over all weight; fractions if `trust` is None.

    trust[j][v] multiplies what cluster v of member j adds.
    """
    rows = np.asarray(L).tolist()
    w = exact_weights(weights, len(rows[0]))

    def together(a, b):
        shared = [j for j in range(len(w)) if a[j] == b[j] and a[j] >= 0]
        if trust is None:
            return sum((w[j] for j in shared), start=Fraction(0)) / sum(w)
        return sum(float(w[j]) * trust[j][a[j]] for j in shared) / float(sum(w))

    return [[together(a, b) for b in rows] for a in rows]


def entropies(L, weights=None):
    """E(c) of every base cluster, per member and label: - sum_j w_j sum_d p log2 p."""
    columns = np.asarray(L).T.tolist()
    w = [float(v) for v in exact_weights(weights, len(columns))]
    result = []
    for own in columns:
        values = {}
        for v in sorted(set(own) - {-1}):
            entropy = 0.0
            for weight, other in zip(w, columns, strict=True):
                inside = [b for a, b in zip(own, other, strict=True) if a == v and b >= 0]
                shares = [inside.count(d) / len(inside) for d in set(inside)]
                entropy -= weight * sum(p * log2(p) for p in shares)
            values[v] = entropy
        result.append(values)
    return result


def cluster_index(L, theta, weights=None):
    """ECI(c) = exp(-E(c) / (theta r)), r the summed weight of the members."""
    total = float(sum(exact_weights(weights, np.asarray(L).shape[1])))
    return [
        {v: exp(-entropy / (theta * total)) for v, entropy in values.items()}
        for values in entropies(L, weights)
    ]


def copies(L):
    """Return the groups of identical rows, in order of first appearance."""
    groups = {}
    for i, row in enumerate(np.asarray(L).tolist()):
        groups.setdefault(tuple(row), []).append(i)
    return list(groups.values())


def distance(S, A, B, linkage):
    """Distance of two clusters of objects."""
    distances = [1 - S[x][y] for x in A for y in B]
    if linkage == "average":
        return sum(distances) / len(distances)
    return min(distances) if linkage == "single" else max(distances)


def greedy(S, clusters, linkage):
    """Merge the closest pair until one is left, ties: the smallest names (0.3).

    Yields (A, B, height, gap): gap is how much further the next pair is apart.
    """
    clusters = sorted(sorted(cluster) for cluster in clusters)
    while len(clusters) > 1:
        pairs = sorted(
            (distance(S, A, B, linkage), A[0], B[0], A, B) for A, B in combinations(clusters, 2)
        )
        height, _, _, A, B = pairs[0]
        yield A, B, height, (pairs[1][0] - height if len(pairs) > 1 else 1)
        clusters = sorted([*(C for C in clusters if C not in (A, B)), sorted(A + B)])


def merge_heights(merges, n):
    """Return the height at which every two objects meet, from (A, B, height, ...); inf if never."""
    meet = np.full((n, n), np.inf)
    for A, B, height, *_ in merges:
        meet[np.ix_(A, B)] = float(height)
        meet[np.ix_(B, A)] = float(height)
    return meet


def read_linkage(Z, leaves):
    """Return (A, B, height) of a SciPy linkage matrix over leaves that are lists of objects."""
    clusters = [sorted(leaf) for leaf in leaves]
    merges = []
    for first, second, height, _ in Z:
        A, B = clusters[int(first)], clusters[int(second)]
        merges.append((A, B, height))
        clusters.append(sorted(A + B))
    return merges


def is_greedy(merges, S, clusters, linkage):
    """Whether every merge joins a pair that no other pair undercuts, at its own distance."""
    clusters = [sorted(cluster) for cluster in clusters]
    for A, B, height in merges:
        closest = min(distance(S, C, D, linkage) for C, D in combinations(clusters, 2))
        own = distance(S, A, B, linkage)
        if abs(float(own - closest)) > 1e-9 or abs(height - float(own)) > 1e-12:
            return False
        clusters = [*(C for C in clusters if C not in (A, B)), sorted(A + B)]
    return len(clusters) == 1


def flat(merges, clusters, K, n):
    """Return the labels, by first appearance, after all but the last K - 1 merges."""
    clusters = sorted(sorted(cluster) for cluster in clusters)
    for A, B, *_ in merges[: max(0, len(clusters) - K)]:
        clusters = sorted([*(C for C in clusters if C not in (A, B)), sorted(A + B)])
    labels = [None] * n
    for k, cluster in enumerate(clusters):
        for i in cluster:
            labels[i] = k
    return labels


def furthest_consensus(L, K, weights=None):
    """FC (3.13) on all objects; an object and its copies are as similar as can be, S = 1."""
    rows = np.asarray(L).tolist()
    S = co_association(L, weights)
    S = [
        [Fraction(1) if a == b else S[i][k] for k, b in enumerate(rows)] for i, a in enumerate(rows)
    ]
    n = len(rows)
    if K == 1:
        return [0] * n
    centres = list(min(combinations(range(n), 2), key=lambda pair: (S[pair[0]][pair[1]], pair)))
    while len(centres) < K:
        others = [x for x in range(n) if x not in centres]
        centres.append(min(others, key=lambda x: (max(S[x][c] for c in centres), x)))
    labels = []
    for x in range(n):
        alike = [k for k, c in enumerate(centres) if rows[c] == rows[x]]
        best = max(S[x][c] for c in centres)
        labels.append(
            alike[0] if alike else next(k for k, c in enumerate(centres) if S[x][c] == best)
        )
    return labels


def balls(L, alpha, weights=None):
    """Gionis et al., algorithm BALLS, on all objects; identical objects are never separated.

    Returns the balls as lists of objects. Only members that label both objects count; objects without
    such a member are not compared.
    """
    rows = np.asarray(L).tolist()
    n, w = len(rows), exact_weights(weights, len(rows[0]))
    half, alpha = Fraction(1, 2), Fraction(str(alpha))

    def apart(a, b):
        if a == b:
            return Fraction(0)
        both = [(v, x != y) for v, x, y in zip(w, a, b, strict=True) if x >= 0 and y >= 0]
        known = sum((v for v, _ in both), start=Fraction(0))
        return (
            sum((v for v, differ in both if differ), start=Fraction(0)) / known if known else None
        )

    def key(u):
        # More labels first; then the share of all comparisons in which others differ from u.
        compared = differ = Fraction(0)
        for v in range(n):
            for weight, x, y in zip(w, rows[u], rows[v], strict=True):
                compared += weight * (x >= 0 and y >= 0)
                differ += weight * (x >= 0 and y >= 0 and x != y)
        known = sum((v for v, x in zip(w, rows[u], strict=True) if x >= 0), start=Fraction(0))
        return -known, differ / compared, u

    d = [[apart(a, b) for b in rows] for a in rows]
    left, found = sorted(range(n), key=key), []
    while left:
        u = left[0]
        near = [v for v in left if v != u and d[u][v] is not None and d[u][v] <= half]
        if near and sum(d[u][v] for v in near) <= alpha * len(near):
            ball = [u, *near]
        else:
            ball = [v for v in left if rows[v] == rows[u]]
        found.append(ball)
        left = [v for v in left if v not in ball]
    return found
