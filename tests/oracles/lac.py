"""LAC (2.7) and its posteriors (3.19), literally: one row, one cluster, one feature at a time."""

import math

import numpy as np


def weighted_square(x, centre, weights):
    """sum_i w_i (x_i - c_i)^2."""
    return sum(w * (a - c) ** 2 for a, c, w in zip(x, centre, weights, strict=True))


def feature_weights(X, members, centre, h):
    """(3.4) from the dispersions X_ji of the rows in a cluster about its centre."""
    D = len(centre)
    dispersion = [
        sum((centre[i] - X[row][i]) ** 2 for row in members) / len(members) for i in range(D)
    ]
    least = min(dispersion)
    shares = [math.exp(-(value - least) / h) for value in dispersion]
    return [share / sum(shares) for share in shares]


def assign(X, centres, weights, draws=None):
    """(3.1): the nearest centre of every row; ties the first, or by a draw below 2^32 per row."""
    labels = []
    for i, x in enumerate(X):
        distances = [weighted_square(x, c, w) for c, w in zip(centres, weights, strict=True)]
        if draws is None:
            labels.append(distances.index(min(distances)))
        else:
            tied = [j for j, d in enumerate(distances) if d <= min(distances) + 1e-10]
            labels.append(tied[len(tied) * draws[i] >> 32])
    return labels


def lac(X, start, h, max_iter=100, draws=None):
    """Return labels, centres, weights and rounds; None once a cluster runs empty."""
    k, D = len(start), len(start[0])
    centres = [list(row) for row in start]
    weights = [[1 / D] * D for _ in range(k)]
    labels = assign(X, centres, weights, draws)
    for n_iter in range(1, max_iter + 1):
        parts = [[i for i, label in enumerate(labels) if label == j] for j in range(k)]
        if not all(parts):
            return None
        weights = [feature_weights(X, part, c, h) for part, c in zip(parts, centres, strict=True)]
        following = assign(X, centres, weights, draws)
        parts = [[i for i, label in enumerate(following) if label == j] for j in range(k)]
        if not all(parts):
            return None
        means = [[sum(X[i][f] for i in part) / len(part) for f in range(D)] for part in parts]
        unchanged = following == labels and np.allclose(means, centres, rtol=0, atol=1e-13)
        labels, centres = following, means
        if unchanged:
            return labels, centres, weights, n_iter
    return labels, centres, weights, max_iter


def posteriors(X, centres, weights):
    """(4.6)."""
    k = len(centres)
    rows = []
    for x in X:
        d = [math.sqrt(weighted_square(x, c, w)) for c, w in zip(centres, weights, strict=True)]
        largest = max(d)
        rows.append([(largest - v + 1) / (k * largest + k - sum(d)) for v in d])
    return rows


def furthest_first(X, k, drawn):
    """Rows far from each other: the first is the furthest from the row `drawn`."""

    def square(a, b):
        return sum((x - y) ** 2 for x, y in zip(X[a], X[b], strict=True))

    rows = range(len(X))
    chosen = [max(rows, key=lambda i: square(i, drawn))]
    while len(chosen) < k:
        chosen.append(max(rows, key=lambda i: min(square(i, c) for c in chosen)))
    return chosen


def psi(members, weights=None):
    """Return the weighted mean over members of the cosines of posterior rows; zeros are like nothing."""
    weights = [1.0] * len(members) if weights is None else weights
    n = len(members[0])
    total = np.zeros((n, n))
    for P, w in zip(members, weights, strict=True):
        for x in range(n):
            for y in range(n):
                length = np.linalg.norm(P[x]) * np.linalg.norm(P[y])
                if length > 0:
                    total[x, y] += w * np.dot(P[x], P[y]) / length
    return total / sum(weights)
