"""Moves and swaps between the parts of a partition, by their exact gains.

rows     sparse: where row x begins in the columns and values, the columns, the values
weight   (t,) of the columns
table    (t, K) the sum of the rows of every part
floor    (t,) or empty

The objective, to be increased, is the sum over columns of weight times the sum of the squares of the
entries in the table; if there is a floor, times their maximum, at least the floor. A positive floor is
at least half of the sum of its column. Both objectives are convex in the table, so a swap never gains
more than its two moves, which gives the stopping rule for the scan of two sorted lists.
"""

import numpy as np

from consilience._kernels._jit import jit

# Maximum number of partners per object in one scan; reached only with many tied objects.
TRIES = 64


@jit
def swap_pass(rows, weight, table, floor, labels, masses, loads, limits, margin):  # type: ignore[no-untyped-def]
    """Exchange objects between every pair of parts once; return the number of moves and swaps.

    Each increases the objective by more than `margin`. `labels`, `table` and `loads`, the summed masses
    of the parts, are changed in place; loads stay between the two `limits`. If they are outside, objects
    move at any loss, least first, until they are inside.
    """
    n_parts = table.shape[1]
    # Members of a part: from its first one to the next, until -1.
    first, following = np.full(n_parts, -1), np.full(len(labels), -1)
    for x in range(len(labels) - 1, -1, -1):
        following[x] = first[labels[x]]
        first[labels[x]] = x
    parts = (labels, masses, loads)
    done = 0
    for a in range(n_parts):
        leads = np.full((len(floor), 2), -1)
        for c in range(len(floor)):
            _find_leads(table, floor, leads, a, c)
        for b in range(a + 1, n_parts):
            graph = (rows, weight, table, floor, leads, b)
            xs = _by_gain(graph, first, following, a, b)
            ys = _by_gain(graph, first, following, b, a)
            exchanged = _make_moves(graph, parts, limits, margin, a, b, xs)
            exchanged += _make_moves(graph, parts, limits, margin, b, a, ys)
            exchanged += _make_swaps(graph, parts, limits, margin, a, b, xs, ys)
            done += exchanged
            if exchanged > 0:
                _file_again(graph, labels, first, following, a, b, xs, ys)
    return done


@jit
def add_up(rows, labels, table):  # type: ignore[no-untyped-def]
    """Add every row to the column of its part in the table."""
    starts, columns, values = rows
    for x in range(len(labels)):
        for p in range(starts[x], starts[x + 1]):
            table[columns[p], labels[x]] += values[p]


@jit
def gain_of(graph, x, source, target):  # type: ignore[no-untyped-def]
    """Increase of the objective if x moves from one part to another."""
    (starts, columns, values), weight, table, floor, leads, b = graph
    total = 0.0
    if len(floor) == 0:
        for p in range(starts[x], starts[x + 1]):
            c = columns[p]
            step = table[c, target] - table[c, source] + values[p]
            total += 2 * weight[c] * values[p] * step
        return total
    for p in range(starts[x], starts[x + 1]):
        c = columns[p]
        top = floor[c]
        lead = leads[c, 1] if leads[c, 0] == b else leads[c, 0]
        if lead >= 0:
            top = max(top, table[c, lead])
        here, there = table[c, source], table[c, target]
        total += weight[c] * (max(top, here - values[p], there + values[p]) - max(top, here, there))
    return total


@jit
def _find_leads(table, floor, leads, a, c):  # type: ignore[no-untyped-def]
    """Find the two largest parts of a column, other than a.

    Not where there is a floor: if another part is above it, the two parts of an exchange are below it
    before and after, and change nothing.
    """
    leads[c, 0] = leads[c, 1] = -1
    if floor[c] > 0:
        return
    for k in range(table.shape[1]):
        if k == a:
            continue
        if leads[c, 0] < 0 or table[c, k] > table[c, leads[c, 0]]:
            leads[c, 1] = leads[c, 0]
            leads[c, 0] = k
        elif leads[c, 1] < 0 or table[c, k] > table[c, leads[c, 1]]:
            leads[c, 1] = k


@jit
def _by_gain(graph, first, following, source, target):  # type: ignore[no-untyped-def]
    """Members of a part, those that gain most by moving first; their gains; which have moved."""
    (starts, columns, values), weight, table, floor, _, _ = graph
    size, x = 0, first[source]
    while x >= 0:
        size, x = size + 1, following[x]
    members, gains = np.empty(size, dtype=np.int64), np.zeros(size)
    x = first[source]
    for place in range(size):
        members[place] = x
        x = following[x]
    if len(floor) == 0 and size * starts[-1] > len(weight) * (len(starts) - 1):
        # The same for all members, as long as nothing moves: one vector instead of the table.
        slope = 2 * weight * (table[:, target] - table[:, source])
        for place, x in enumerate(members):
            for p in range(starts[x], starts[x + 1]):
                c = columns[p]
                gains[place] += values[p] * (slope[c] + 2 * weight[c] * values[p])
    else:
        for place, x in enumerate(members):
            gains[place] = gain_of(graph, x, source, target)
    order = np.argsort(-gains, kind="mergesort")
    return members[order], gains[order], np.zeros(size, dtype=np.bool_)


@jit
def _file_again(graph, labels, first, following, a, b, of_a, of_b):  # type: ignore[no-untyped-def]
    """Put the members of two parts into the lists of their new parts, and find the leads again."""
    (starts, columns, _), _, table, floor, leads, _ = graph
    both = np.sort(np.concatenate((of_a[0], of_b[0])))
    first[a] = first[b] = -1
    for place in range(len(both) - 1, -1, -1):
        x = both[place]
        following[x] = first[labels[x]]
        first[labels[x]] = x
    for listed in (of_a, of_b):
        for x in listed[0][listed[2]]:
            for p in range(starts[x], starts[x + 1] if len(floor) > 0 else starts[x]):
                _find_leads(table, floor, leads, a, columns[p])


@jit
def _relabel(graph, parts, x, target):  # type: ignore[no-untyped-def]
    (starts, columns, values), _, table, _, _, _ = graph
    labels, masses, loads = parts
    source = labels[x]
    labels[x] = target
    loads[source] -= masses[x]
    loads[target] += masses[x]
    for p in range(starts[x], starts[x + 1]):
        table[columns[p], source] -= values[p]
        table[columns[p], target] += values[p]


@jit
def _make_moves(graph, parts, limits, margin, source, target, listed):  # type: ignore[no-untyped-def]
    members, gains, gone = listed
    _, masses, loads = parts
    done = 0
    for p, x in enumerate(members):
        needed = loads[source] > limits[1] or loads[target] < limits[0]
        if gains[p] <= margin and not needed:
            break
        fits = loads[source] - masses[x] >= limits[0] and loads[target] + masses[x] <= limits[1]
        # Gains are those at the start of the scan; the table has changed since.
        if fits and (needed or gain_of(graph, x, source, target) > margin):
            _relabel(graph, parts, x, target)
            gone[p] = True
            done += 1
    return done


@jit
def _make_swaps(graph, parts, limits, margin, a, b, of_a, of_b):  # type: ignore[no-untyped-def]
    xs, x_gains, x_gone = of_a
    ys, y_gains, y_gone = of_b
    _, masses, loads = parts
    done = 0
    first = 0
    for p, x in enumerate(xs):
        while first < len(ys) and y_gone[first]:
            first += 1
        if first == len(ys) or x_gains[p] + y_gains[first] <= margin:
            break
        if x_gone[p]:
            continue
        # Partners are tried after x has moved, so that a column with both does not count twice.
        own_gain = gain_of(graph, x, a, b)
        _relabel(graph, parts, x, b)
        tries = 0
        for q in range(first, len(ys)):
            y = ys[q]
            if tries == TRIES or x_gains[p] + y_gains[q] <= margin:
                break
            fits = loads[b] - masses[y] <= limits[1] and loads[a] + masses[y] <= limits[1]
            if y_gone[q] or not fits:
                continue
            tries += 1
            if own_gain + gain_of(graph, y, b, a) > margin:
                _relabel(graph, parts, y, a)
                x_gone[p] = y_gone[q] = True
                done += 1
                break
        if not x_gone[p]:
            _relabel(graph, parts, x, a)
    return done
