"""Moves and swaps between the parts of a low-rank graph whose rows are dense.

The same search as in `_swap`, on rows of fractions instead of codes.

rows    (n, t) B without the weights of its columns
scale   (t,) weight of every column
sums    (K, t) T, the summed rows of every part
A move of x from part a to b increases sum_k |T_k|^2 by twice `row_move_gain`, a swap of x and y by twice
`row_swap_gain`, which is never more than the sum of the two moves.
"""

import numpy as np

from consilience._kernels._jit import jit
from consilience._kernels._swap import TRIES


@jit
def swap_rows_pass(rows, scale, labels, sums, sizes, smallest, largest, margin):  # type: ignore[no-untyped-def]
    """Exchange objects between every pair of parts once; return the number of moves and swaps.

    Each increases the objective by more than `margin`. `labels`, `sums` and `sizes` are
    changed in place; sizes stay between `smallest` and `largest`.
    """
    n_parts = sums.shape[0]
    done = 0
    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            xs, x_keys = _by_gain(rows, scale, labels, sums, a, b, sizes[a])
            ys, y_keys = _by_gain(rows, scale, labels, sums, b, a, sizes[b])
            x_gone = np.zeros(len(xs), dtype=np.bool_)
            y_gone = np.zeros(len(ys), dtype=np.bool_)
            bounds = (smallest, largest, margin)
            state = (rows, scale, labels, sums)
            done += _walk_moves(state, sizes, bounds, a, b, (xs, x_keys, x_gone))
            done += _walk_moves(state, sizes, bounds, b, a, (ys, y_keys, y_gone))
            done += _walk_swaps(state, margin, a, b, (xs, x_keys, x_gone), (ys, y_keys, y_gone))
    return done


@jit
def row_move_gain(rows, scale, sums, x, source, target):  # type: ignore[no-untyped-def]
    """<b_x, T_target> - <b_x, T_source> + |b_x|^2."""
    total = 0.0
    for c in range(rows.shape[1]):
        total += scale[c] * rows[x, c] * (sums[target, c] - sums[source, c] + rows[x, c])
    return total


@jit
def row_swap_gain(rows, scale, sums, x, y, of_x, of_y):  # type: ignore[no-untyped-def]
    """<b_x - b_y, T_of_y - T_of_x> + |b_x - b_y|^2: both moves, less twice <b_x, b_y>."""
    total = 0.0
    for c in range(rows.shape[1]):
        # In double precision for rows of any type.
        apart = 1.0 * rows[x, c] - rows[y, c]
        total += scale[c] * apart * (sums[of_y, c] - sums[of_x, c] + apart)
    return total


@jit
def _relabel(rows, labels, sums, x, target):  # type: ignore[no-untyped-def]
    source = labels[x]
    labels[x] = target
    for c in range(rows.shape[1]):
        sums[source, c] -= rows[x, c]
        sums[target, c] += rows[x, c]


@jit
def _by_gain(rows, scale, labels, sums, source, target, size):  # type: ignore[no-untyped-def]
    """Members of a part, those that gain most by moving first; ties: smallest index."""
    members = np.empty(size, dtype=np.int64)
    keys = np.empty(size)
    found = 0
    for i in range(len(labels)):
        if labels[i] == source:
            members[found] = i
            keys[found] = row_move_gain(rows, scale, sums, i, source, target)
            found += 1
    order = np.argsort(-keys, kind="mergesort")
    return members[order], keys[order]


@jit
def _walk_moves(state, sizes, bounds, source, target, walkers):  # type: ignore[no-untyped-def]
    members, keys, gone = walkers
    rows, scale, labels, sums = state
    smallest, largest, margin = bounds
    done = 0
    for p in range(len(members)):
        if 2 * keys[p] <= margin or sizes[source] <= smallest or sizes[target] >= largest:
            break
        # Keys are those at the start of the scan; the sums have changed since.
        gain = row_move_gain(rows, scale, sums, members[p], source, target)
        if 2 * gain > margin:
            _relabel(rows, labels, sums, members[p], target)
            sizes[source] -= 1
            sizes[target] += 1
            gone[p] = True
            done += 1
    return done


@jit
def _walk_swaps(state, margin, a, b, of_a, of_b):  # type: ignore[no-untyped-def]
    xs, x_keys, x_gone = of_a
    ys, y_keys, y_gone = of_b
    rows, scale, labels, sums = state
    done = 0
    first = 0
    for p in range(len(xs)):
        while first < len(ys) and y_gone[first]:
            first += 1
        if first == len(ys) or 2 * (x_keys[p] + y_keys[first]) <= margin:
            break
        if x_gone[p]:
            continue
        tries = 0
        for q in range(first, len(ys)):
            if y_gone[q]:
                continue
            if tries == TRIES or 2 * (x_keys[p] + y_keys[q]) <= margin:
                break
            tries += 1
            gain = row_swap_gain(rows, scale, sums, xs[p], ys[q], a, b)
            if 2 * gain > margin:
                _relabel(rows, labels, sums, xs[p], b)
                _relabel(rows, labels, sums, ys[q], a)
                y_gone[q] = True
                done += 1
                break
    return done
