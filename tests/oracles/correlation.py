"""Correlation clustering (3.16): dense distances 1 - S, cost of a partition, gain of one move."""

from fractions import Fraction
from itertools import combinations


def co_association(L, w):
    """Return S as a dense matrix of fractions; complete labels."""
    rows = L.tolist()
    return [
        [
            sum((v for v, p, q in zip(w, a, b, strict=True) if p == q), start=Fraction(0)) / sum(w)
            for b in rows
        ]
        for a in rows
    ]


def cost(labels, S):
    """Sum of d over pairs together and of 1 - d over pairs apart, d = 1 - S."""
    return sum(
        (1 - S[x][y] if labels[x] == labels[y] else S[x][y])
        for x, y in combinations(range(len(labels)), 2)
    )


def affinity(labels, S, x, k):
    """|C| - 2 sum of S over the cluster k without x; 0 for a new cluster."""
    others = [y for y, v in enumerate(labels) if v == k and y != x]
    return len(others) - 2 * sum((S[x][y] for y in others), start=Fraction(0))


def improving_moves(labels, S, K):
    """Moves (object, cluster) of one object that lower the cost.

    Into another cluster, or alone into a new one while there are fewer than K. Whether a cluster
    may be emptied when K are wanted is open, and copies of a row may have to move together:
    moves out of a cluster that holds one distinct row are left out.
    """
    clusters = sorted(set(labels))
    moves = []
    for x, own in enumerate(labels):
        if all(S[x][y] == 1 for y, k in enumerate(labels) if k == own):
            continue
        now = affinity(labels, S, x, own)
        targets = [k for k in clusters if k != own]
        if len(clusters) < K:
            targets.append(max(clusters) + 1)
        moves += [(x, k) for k in targets if affinity(labels, S, x, k) < now]
    return moves


def local_search(labels, S, K):
    """Move objects while it improves."""
    labels = list(labels)
    while moves := improving_moves(labels, S, K):
        x, k = moves[0]
        labels[x] = k
    return labels
