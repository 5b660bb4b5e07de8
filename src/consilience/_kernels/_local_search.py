"""Local search: objects move to another cluster or part, or change places with each other.

Four searches: objects one after the other to the cluster of least cost, parts of bounded size under
fixed scores, parts of a low-rank graph, and parts of a small graph given as a matrix.

A low-rank graph has the similarity B B' of its objects. Its parts maximise sum_k |T_k|^2 of the summed
rows T_k of B of every part. The rows are those of H, or dense:

codes, offsets, scale, counts  the weight of every base cluster, (padded rows,), 0 for missing labels; T,
                               (padded rows, K), objects of every base cluster in every part
rows, scale, sums              (n, t) B without the weights of its columns, (t,), and T, (K, t)

A move of x from part a to b increases the objective by twice `half_move_gain` (`row_move_gain`), a swap
of x and y by twice `half_swap_gain` (`row_swap_gain`). The latter is never more than the sum of the two
moves, which gives the stopping rule for the scan of two sorted lists.
"""

import numpy as np

from consilience._kernels._jit import jit

# Maximum number of partners per object in one scan; reached only with many tied objects.
TRIES = 64


# --- clusters of least cost -----------------------------------------------------------------------


@jit
def relocate_rows(codes, offsets, weight, labels, member_cost, counts, totals, used):  # type: ignore[no-untyped-def]
    """Make one pass over the rows and return how many moved; everything is updated in place.

    Row u costs sum over its members j of member_cost[j] (totals[j, k] - 2 counts[c_j(u), k]) in
    cluster k, not counting u itself: the change of the consensus Rand distance (3.16 LocalSearch).

    counts  (padded rows, K) weight of every base cluster in every cluster
    totals  (r, K) weight observed by member j in cluster k
    used    (K,) rows in every cluster; a cluster is never emptied, so K is kept
    """
    n_members, n_labels = totals.shape
    cost = np.empty(n_labels)
    moved = 0
    for i in range(codes.shape[0]):
        own = labels[i]
        if used[own] == 1:
            continue
        cost[:] = 0.0
        for j in range(n_members):
            if codes[i, j] == 0:
                continue
            row = offsets[j] + codes[i, j]
            for k in range(n_labels):
                cost[k] += member_cost[j] * (totals[j, k] - 2 * counts[row, k])
            cost[own] += member_cost[j] * weight[i]
        best = own
        for k in range(n_labels):
            # The tolerance prevents rounding errors from moving an object back and forth.
            if cost[k] < cost[best] - 1e-9 * abs(cost[best]):
                best = k
        if best != own:
            moved += 1
            labels[i] = best
            used[own] -= 1
            used[best] += 1
            for j in range(n_members):
                if codes[i, j] != 0:
                    row = offsets[j] + codes[i, j]
                    counts[row, own] -= weight[i]
                    counts[row, best] += weight[i]
                    totals[j, own] -= weight[i]
                    totals[j, best] += weight[i]
    return moved


# --- fixed scores ---------------------------------------------------------------------------------


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
            xs, x_gains = _by_score(scores, labels, a, b)
            ys, y_gains = _by_score(scores, labels, b, a)
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
def _by_score(scores, labels, source, target):  # type: ignore[no-untyped-def]
    members = np.flatnonzero(labels == source)
    gains = np.empty(len(members))
    for p, x in enumerate(members):
        gains[p] = scores[x, target] - scores[x, source]
    order = np.argsort(-gains, kind="mergesort")
    return members[order], gains[order]


# --- low-rank graphs ------------------------------------------------------------------------------


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
def _relabel(codes, offsets, labels, counts, x, target):  # type: ignore[no-untyped-def]
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
            _relabel(codes, offsets, labels, counts, members[p], target)
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
                _relabel(codes, offsets, labels, counts, xs[p], b)
                _relabel(codes, offsets, labels, counts, ys[q], a)
                y_gone[q] = True
                done += 1
                break
    return done


# The same search on dense rows. A shared one would pass tuples of arrays, which is slower by a half.


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
            xs, x_keys = _rows_by_gain(rows, scale, labels, sums, a, b, sizes[a])
            ys, y_keys = _rows_by_gain(rows, scale, labels, sums, b, a, sizes[b])
            x_gone = np.zeros(len(xs), dtype=np.bool_)
            y_gone = np.zeros(len(ys), dtype=np.bool_)
            bounds = (smallest, largest, margin)
            state = (rows, scale, labels, sums)
            done += _walk_row_moves(state, sizes, bounds, a, b, (xs, x_keys, x_gone))
            done += _walk_row_moves(state, sizes, bounds, b, a, (ys, y_keys, y_gone))
            done += _walk_row_swaps(state, margin, a, b, (xs, x_keys, x_gone), (ys, y_keys, y_gone))
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
def _relabel_row(rows, labels, sums, x, target):  # type: ignore[no-untyped-def]
    source = labels[x]
    labels[x] = target
    for c in range(rows.shape[1]):
        sums[source, c] -= rows[x, c]
        sums[target, c] += rows[x, c]


@jit
def _rows_by_gain(rows, scale, labels, sums, source, target, size):  # type: ignore[no-untyped-def]
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
def _walk_row_moves(state, sizes, bounds, source, target, walkers):  # type: ignore[no-untyped-def]
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
            _relabel_row(rows, labels, sums, members[p], target)
            sizes[source] -= 1
            sizes[target] += 1
            gone[p] = True
            done += 1
    return done


@jit
def _walk_row_swaps(state, margin, a, b, of_a, of_b):  # type: ignore[no-untyped-def]
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
                _relabel_row(rows, labels, sums, xs[p], b)
                _relabel_row(rows, labels, sums, ys[q], a)
                y_gone[q] = True
                done += 1
                break
    return done


# --- small graphs ---------------------------------------------------------------------------------


@jit
def swap_dense_pass(affinity, weight, labels, sums, loads, sizes, limit, margin):  # type: ignore[no-untyped-def]
    """Make the best move or swap of every vertex; return how many were made.

    affinity  (t, t) symmetric, diagonal 0
    weight    (t,) of the vertices; no part may weigh more than `limit`
    sums      (t, K) affinity of every vertex to every part
    loads     (K,) weight of every part
    sizes     (K,) vertices of every part; a part is never emptied
    Only exchanges that reduce the cut by more than `margin` are made; all but the first two arguments
    and the limits change in place.
    """
    n_vertices, n_parts = sums.shape
    done = 0
    for x in range(n_vertices):
        own = labels[x]
        best, partner, target = margin, -1, -1
        for part in range(n_parts):
            fits = loads[part] + weight[x] <= limit and sizes[own] > 1
            if part != own and fits and sums[x, part] - sums[x, own] > best:
                best, target = sums[x, part] - sums[x, own], part
        for y in range(n_vertices):
            part = labels[y]
            if part == own:
                continue
            change = weight[x] - weight[y]
            if loads[part] + change > limit or loads[own] - change > limit:
                continue
            gain = sums[x, part] - sums[x, own] + sums[y, own] - sums[y, part] - 2 * affinity[x, y]
            if gain > best:
                best, partner, target = gain, y, part
        if target < 0:
            continue
        done += 1
        _move_vertex(affinity, weight, labels, sums, loads, sizes, x, target)
        if partner >= 0:
            _move_vertex(affinity, weight, labels, sums, loads, sizes, partner, own)
    return done


@jit
def _move_vertex(affinity, weight, labels, sums, loads, sizes, x, target):  # type: ignore[no-untyped-def]
    source = labels[x]
    labels[x] = target
    loads[source] -= weight[x]
    loads[target] += weight[x]
    sizes[source] -= 1
    sizes[target] += 1
    for y in range(len(labels)):
        sums[y, source] -= affinity[y, x]
        sums[y, target] += affinity[y, x]
