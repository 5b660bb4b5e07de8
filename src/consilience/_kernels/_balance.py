"""Parts of bounded size under fixed scores, which do not depend on other objects."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def level_sizes(scores, labels, sizes, level):  # type: ignore[no-untyped-def]
    """Move objects out of parts with more than `level` members into parts with fewer.

    The object with the smallest loss is moved first (ties: smallest index), until no part is above or
    no part is below the level. `labels` and `sizes` are changed in place. A receiving part never
    exceeds the level, so no object is moved twice, and one sorted list per receiving part is
    sufficient.
    """
    takers = np.flatnonzero(sizes < level)
    givers = np.flatnonzero(sizes[labels] > level)
    order = np.empty((len(takers), len(givers)), dtype=np.int64)
    for place, taker in enumerate(takers):
        loss = np.empty(len(givers))
        for p, x in enumerate(givers):
            loss[p] = scores[x, labels[x]] - scores[x, taker]
        order[place] = givers[np.argsort(loss, kind="mergesort")]
    heads = np.zeros(len(takers), dtype=np.int64)
    while True:
        best, smallest_loss = -1, np.inf
        for place, taker in enumerate(takers):
            if sizes[taker] >= level:
                continue
            while heads[place] < len(givers) and sizes[labels[order[place, heads[place]]]] <= level:
                heads[place] += 1
            if heads[place] < len(givers):
                x = order[place, heads[place]]
                loss_here = scores[x, labels[x]] - scores[x, taker]
                if best < 0 or loss_here < smallest_loss:
                    best, smallest_loss = place, loss_here
        if best < 0:
            return
        x = order[best, heads[best]]
        sizes[labels[x]] -= 1
        labels[x] = takers[best]
        sizes[takers[best]] += 1


@jit
def exchange_pass(scores, labels, sizes, smallest, largest, margin):  # type: ignore[no-untyped-def]
    """Exchange objects between every pair of parts once; return the number of moves and swaps.

    Scores are fixed, so a scan of two sorted lists finds the best exchange of two parts.
    """
    n_parts = scores.shape[1]
    done = 0
    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            xs, x_gains = _by_gain(scores, labels, a, b)
            ys, y_gains = _by_gain(scores, labels, b, a)
            p = q = 0
            while True:
                x_gain = x_gains[p] if p < len(xs) else -np.inf
                y_gain = y_gains[q] if q < len(ys) else -np.inf
                if x_gain + y_gain > margin:
                    labels[xs[p]], labels[ys[q]] = b, a
                    p, q, done = p + 1, q + 1, done + 1
                elif x_gain > margin and sizes[a] > smallest and sizes[b] < largest:
                    labels[xs[p]] = b
                    sizes[a], sizes[b] = sizes[a] - 1, sizes[b] + 1
                    p, done = p + 1, done + 1
                elif y_gain > margin and sizes[b] > smallest and sizes[a] < largest:
                    labels[ys[q]] = a
                    sizes[a], sizes[b] = sizes[a] + 1, sizes[b] - 1
                    q, done = q + 1, done + 1
                else:
                    break
    return done


@jit
def _by_gain(scores, labels, source, target):  # type: ignore[no-untyped-def]
    members = np.flatnonzero(labels == source)
    gains = np.empty(len(members))
    for p, x in enumerate(members):
        gains[p] = scores[x, target] - scores[x, source]
    order = np.argsort(-gains, kind="mergesort")
    return members[order], gains[order]
