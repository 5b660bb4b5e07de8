"""k-means from given centres (0.5), row by row and centre by centre."""

import numpy as np


def squared_distance(x, c):
    """|x - c|^2."""
    return float(((np.asarray(x, dtype=float) - np.asarray(c, dtype=float)) ** 2).sum())


def assign(X, centres, current):
    """Nearest centre of every row; ties: the current label, else the smallest index."""
    labels = []
    for x, now in zip(X, current, strict=True):
        distances = [squared_distance(x, c) for c in centres]
        nearest = [k for k, distance in enumerate(distances) if distance == min(distances)]
        labels.append(now if now in nearest else nearest[0])
    return labels


def lloyd(X, start, max_iter, tol):
    """Centres and rounds; an empty cluster moves to the row that is furthest from its centre.

    With tol = 0 only labels decide when it ends.
    """
    centres = [np.array(c, dtype=float) for c in start]
    least = tol * np.mean([column.var() for column in X.T])
    labels = [-1] * len(X)
    n_iter = 0
    while n_iter < max_iter:
        n_iter += 1
        before = labels
        labels = assign(X, centres, labels)
        for _ in centres:
            empty = [k for k in range(len(centres)) if k not in labels]
            distances = [squared_distance(x, centres[k]) for x, k in zip(X, labels, strict=True)]
            if not empty or max(distances) == 0:
                break
            centres[empty[0]] = X[int(np.argmax(distances))].astype(float)
            labels = assign(X, centres, labels)
        moved = [
            X[[label == k for label in labels]].mean(axis=0) if k in labels else c
            for k, c in enumerate(centres)
        ]
        shift = sum(squared_distance(a, b) for a, b in zip(moved, centres, strict=True))
        centres = moved
        if labels == before or (tol > 0 and shift <= least):
            break
    return np.array(centres), n_iter
