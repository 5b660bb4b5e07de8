"""Moves and swaps between the parts of a low-rank graph, from count tables: no edges.

scale    (padded rows,) weight of every base cluster; 0 for missing labels
counts   (padded rows, K) T, objects of every base cluster in every part
A move of x from part a to b increases sum_k |T_k|^2 by twice `half_move_gain`, a swap of x and y by
twice `half_swap_gain`. The latter is never more than the sum of the two moves, which gives the
stopping rule for the scan of two sorted lists.
"""

import numpy as np

from consilience._kernels._jit import jit

# Maximum number of partners per object in one scan; reached only with many tied objects.
TRIES = 64


@jit
def swap_pass(codes, offsets, scale, labels, counts, sizes, smallest, largest, margin):  # type: ignore[no-untyped-def]
    """Exchange objects between every pair of parts once; return the number of moves and swaps.

    Each increases the objective by more than `margin`. `labels`, `counts` and `sizes` are
    changed in place; sizes stay between `smallest` and `largest`.
    """
    n_parts = counts.shape[1]
    done = 0
    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            xs, x_keys = _by_gain(codes, offsets, scale, labels, counts, a, b, sizes[a])
            ys, y_keys = _by_gain(codes, offsets, scale, labels, counts, b, a, sizes[b])
            x_gone = np.zeros(len(xs), dtype=np.bool_)
            y_gone = np.zeros(len(ys), dtype=np.bool_)
            bounds = (smallest, largest, margin)
            state = (codes, offsets, scale, labels, counts)
            done += _walk_moves(state, sizes, bounds, a, b, (xs, x_keys, x_gone))
            done += _walk_moves(state, sizes, bounds, b, a, (ys, y_keys, y_gone))
            done += _walk_swaps(state, margin, a, b, (xs, x_keys, x_gone), (ys, y_keys, y_gone))
    return done


@jit
def half_move_gain(codes, offsets, scale, counts, x, source, target):  # type: ignore[no-untyped-def]
    """<b_x, T_target> - <b_x, T_source> + |b_x|^2."""
    total = 0.0
    for j in range(codes.shape[1]):
        row = offsets[j] + codes[x, j]
        total += scale[row] * (counts[row, target] - counts[row, source] + 1)
    return total


@jit
def half_swap_gain(codes, offsets, scale, counts, x, y, of_x, of_y):  # type: ignore[no-untyped-def]
    """Both moves, less twice <b_x, b_y>: a base cluster that contains both does not change."""
    total = 0.0
    for j in range(codes.shape[1]):
        of_first = offsets[j] + codes[x, j]
        of_second = offsets[j] + codes[y, j]
        if of_first != of_second:
            total += scale[of_first] * (counts[of_first, of_y] - counts[of_first, of_x] + 1)
            total += scale[of_second] * (counts[of_second, of_x] - counts[of_second, of_y] + 1)
    return total


@jit
def relabel(codes, offsets, labels, counts, x, target):  # type: ignore[no-untyped-def]
    """Put x into another part."""
    source = labels[x]
    labels[x] = target
    for j in range(codes.shape[1]):
        row = offsets[j] + codes[x, j]
        counts[row, source] -= 1
        counts[row, target] += 1


@jit
def _by_gain(codes, offsets, scale, labels, counts, source, target, size):  # type: ignore[no-untyped-def]
    """Members of a part, those that gain most by moving first; ties: smallest index."""
    members = np.empty(size, dtype=np.int64)
    keys = np.empty(size)
    found = 0
    for i in range(len(labels)):
        if labels[i] == source:
            members[found] = i
            keys[found] = half_move_gain(codes, offsets, scale, counts, i, source, target)
            found += 1
    order = np.argsort(-keys, kind="mergesort")
    return members[order], keys[order]


@jit
def _walk_moves(state, sizes, bounds, source, target, walkers):  # type: ignore[no-untyped-def]
    members, keys, gone = walkers
    codes, offsets, scale, labels, counts = state
    smallest, largest, margin = bounds
    done = 0
    for p in range(len(members)):
        if 2 * keys[p] <= margin or sizes[source] <= smallest or sizes[target] >= largest:
            break
        # Keys are those at the start of the scan; the table has changed since.
        gain = half_move_gain(codes, offsets, scale, counts, members[p], source, target)
        if 2 * gain > margin:
            relabel(codes, offsets, labels, counts, members[p], target)
            sizes[source] -= 1
            sizes[target] += 1
            gone[p] = True
            done += 1
    return done


@jit
def _walk_swaps(state, margin, a, b, of_a, of_b):  # type: ignore[no-untyped-def]
    xs, x_keys, x_gone = of_a
    ys, y_keys, y_gone = of_b
    codes, offsets, scale, labels, counts = state
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
            gain = half_swap_gain(codes, offsets, scale, counts, xs[p], ys[q], a, b)
            if 2 * gain > margin:
                relabel(codes, offsets, labels, counts, xs[p], b)
                relabel(codes, offsets, labels, counts, ys[q], a)
                y_gone[q] = True
                done += 1
                break
    return done
