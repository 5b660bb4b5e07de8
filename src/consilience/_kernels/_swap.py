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
def swap_pass(  # type: ignore[no-untyped-def]  # noqa: PLR0913, PLR0917
    rows, weight, table, floor, labels, masses, loads, limits, margin, settled
):
    """Exchange objects between every pair of parts once; return the number of moves and swaps.

    Each increases the objective by more than `margin`. `labels`, `table` and `loads`, the summed masses
    of the parts, are changed in place; loads stay between the two `limits`. If they are outside, objects
    move at any loss, least first, until they are inside. `settled` (K, K) marks the pairs a < b without
    such exchanges, which are left out until one of their parts changes.
    """
    n_parts = table.shape[1]
    # Members of a part, in ascending order: from its first one to the next, until -1.
    first, following = np.full(n_parts, -1), np.full(len(labels), -1)
    for x in range(len(labels) - 1, -1, -1):
        following[x] = first[labels[x]]
        first[labels[x]] = x
    unit, largest = np.all(rows[2] == 1), rows[2].max()
    leads = np.full((len(floor), 3), -1)
    # Whether some column may gain by a move from a part to another.
    hopeful = np.full((n_parts, n_parts), len(floor) == 0 or floor.min() <= 0)
    for c in range(len(floor)):
        _look_at(table, floor, leads, hopeful, c, largest)
    graph, parts = (rows, weight, table, floor, leads), (labels, masses, loads)
    marks = (settled, hopeful, largest)
    done = 0
    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            uneven = max(loads[a], loads[b]) > limits[1] or min(loads[a], loads[b]) < limits[0]
            hopeless = settled[a, b] or not (hopeful[a, b] or hopeful[b, a])
            if hopeless and not uneven:
                continue
            of_a = _gains(graph, unit, first, following, a, b)
            of_b = _gains(graph, unit, first, following, b, a)
            xs = _by_gain(of_a, -np.inf if uneven else margin, of_b[1])
            ys = _by_gain(of_b, -np.inf if uneven else margin, of_a[1])
            exchanged = _make_moves(graph, parts, limits, margin, a, b, xs)
            exchanged += _make_moves(graph, parts, limits, margin, b, a, ys)
            exchanged += _make_swaps(graph, parts, limits, margin, a, b, xs, ys)
            done += exchanged
            settled[a, b] = exchanged == 0
            if exchanged > 0:
                _file_again(graph, (first, following), labels, a, b, xs, ys, marks)
    return done


@jit
def add_up(rows, labels, table):  # type: ignore[no-untyped-def]
    """Add every row to the column of its part in the table."""
    starts, columns, values = rows
    for x in range(len(labels)):
        for p in range(starts[x], starts[x + 1]):
            table[columns[p], labels[x]] += values[p]


@jit
def fill_parts(rows, weight, order, loads, table, room):  # type: ignore[no-untyped-def]
    """Put objects, one after the other, into the part with room that is most similar on average.

    The first objects go into empty parts. `loads` and `table` are filled; the labels are returned.
    """
    starts, columns, values = rows
    labels = np.empty(len(order), dtype=np.int32)
    for x in order:
        score = np.zeros(len(loads))
        for p in range(starts[x], starts[x + 1]):
            c, scale = columns[p], weight[columns[p]] * values[p]
            for k in range(len(loads)):
                score[k] += scale * table[c, k]
        for k in range(len(loads)):
            score[k] /= max(loads[k], 1)
            if loads[k] == 0 or loads[k] >= room:
                score[k] = np.inf if loads[k] == 0 else -np.inf
        best = score.argmax()
        labels[x] = best
        loads[best] += 1
        for p in range(starts[x], starts[x + 1]):
            table[columns[p], best] += values[p]
    return labels


@jit
def gain_of(graph, x, source, target):  # type: ignore[no-untyped-def]
    """Increase of the objective if x moves from one part to another."""
    (starts, columns, values), weight, table, floor, leads = graph
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
        lead = _other(leads[c, 0], leads[c, 1], leads[c, 2], source, target)
        if lead >= 0:
            top = max(top, table[c, lead])
        here, there = table[c, source], table[c, target]
        total += weight[c] * (max(top, here - values[p], there + values[p]) - max(top, here, there))
    return total


@jit
def _other(first, second, third, source, target):  # type: ignore[no-untyped-def]
    """Return the first of three parts that is neither of two."""
    if source != first != target:
        return first
    return second if source != second != target else third


@jit
def _look_at(table, floor, leads, hopeful, c, largest):  # type: ignore[no-untyped-def]
    """Find the three largest parts of a column; one of them has no share in any exchange of two parts.

    Not where there is a floor: if another part is above it, the two parts of an exchange are below it
    before and after, and change nothing. There a move pays only if it lifts a part above the floor.
    """
    n_parts = table.shape[1]
    if floor[c] > 0:
        for b in range(n_parts):
            if table[c, b] + largest > floor[c]:
                for a in range(n_parts):
                    hopeful[a, b] |= table[c, a] > 0
        return
    leads[c] = -1
    for part in range(n_parts):
        k = part
        for place in range(3):
            lead = leads[c, place]
            if lead < 0 or table[c, k] > table[c, lead]:
                leads[c, place], k = k, lead
            if k < 0:
                break


@jit
def _steps(graph, unit, source, target):  # type: ignore[no-untyped-def]
    """Share of every column in the gain of a value of one; none if few objects would read them."""
    (starts, _, _), weight, table, floor, leads = graph
    few = starts[-1] <= len(weight) * table.shape[1]
    if few or (len(floor) > 0 and not unit):
        return np.empty(0)
    step = 2 * weight * (table[:, target] - table[:, source] + 1)
    for c in range(len(floor)):
        top = floor[c]
        lead = _other(leads[c, 0], leads[c, 1], leads[c, 2], source, target)
        if lead >= 0:
            top = max(top, table[c, lead])
        here, there = table[c, source], table[c, target]
        step[c] = weight[c] * (max(top, here - 1, there + 1) - max(top, here, there))
    return step


@jit
def _gains(graph, unit, first, following, source, target):  # type: ignore[no-untyped-def]
    """Members of a part, and their gains by moving."""
    (starts, columns, values), weight, _, _, _ = graph
    step = _steps(graph, unit, source, target)
    size, x = 0, first[source]
    while x >= 0:
        size, x = size + 1, following[x]
    members, gains = np.empty(size, dtype=np.int64), np.zeros(size)
    x = first[source]
    for place in range(size):
        members[place] = x
        x = following[x]
    for place, x in enumerate(members):
        if len(step) == 0:
            gains[place] = gain_of(graph, x, source, target)
            continue
        for p in range(starts[x], starts[x + 1]):
            gains[place] += step[columns[p]]
        for p in range(starts[x], starts[x] if unit else starts[x + 1]):
            c, more = columns[p], values[p] - 1
            gains[place] += more * (step[c] + 2 * weight[c] * values[p])
    return members, gains


@jit
def _by_gain(listed, least, others):  # type: ignore[no-untyped-def]
    """Those that gain most by moving first; their gains; which have moved."""
    members, gains = listed
    best = max(0.0, others.max()) if len(others) > 0 else 0.0
    kept = np.flatnonzero(gains + best > least)
    kept = kept[np.argsort(-gains[kept], kind="mergesort")]
    return members[kept], gains[kept], np.zeros(len(kept), dtype=np.bool_)


@jit
def _file_again(graph, lists, labels, a, b, of_a, of_b, marks):  # type: ignore[no-untyped-def]
    """Put the members of two parts into the lists of their new parts, and find the leads again."""
    (starts, columns, _), _, table, floor, leads = graph
    (first, following), (settled, hopeful, largest) = lists, marks
    x, y = first[a], first[b]
    first[a] = first[b] = -1
    last = np.full(table.shape[1], -1)
    while x >= 0 or y >= 0:
        if y < 0 or 0 <= x < y:
            z, x = x, following[x]
        else:
            z, y = y, following[y]
        k = labels[z]
        if last[k] < 0:
            first[k] = z
        else:
            following[last[k]] = z
        following[z], last[k] = -1, z
    for listed in (of_a, of_b):
        for x in listed[0][listed[2]]:
            for p in range(starts[x], starts[x + 1] if len(floor) > 0 else starts[x]):
                _look_at(table, floor, leads, hopeful, columns[p], largest)
    if len(floor) > 0 and floor.min() <= 0:
        settled[:] = False  # other pairs depend on the leads
    for k in (a, b):
        settled[k], settled[:, k] = False, False


@jit
def _relabel(graph, parts, x, target):  # type: ignore[no-untyped-def]
    (starts, columns, values), _, table, _, _ = graph
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
