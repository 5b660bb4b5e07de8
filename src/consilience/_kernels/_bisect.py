"""Fiduccia and Mattheyses: bisect a hypergraph by single moves, on counts per hyperedge and side.

The vertices are rows, the hyperedges base clusters; `weight` (padded rows,) is 0 for missing labels.
`pins` lists the rows of every hyperedge, `starts` where each list begins. Free rows of each side are
in a heap, the highest gain on top (ties: smallest index); `place` is the position of a row in it, -1
once it has moved.
"""

import numpy as np

from consilience._kernels._jit import jit


@jit
def list_pins(codes, offsets, n_padded):  # type: ignore[no-untyped-def]
    """Return where the rows of every hyperedge begin in a list, and the list."""
    starts = np.zeros(n_padded + 1, dtype=np.int64)
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            if codes[i, j] != 0:
                starts[offsets[j] + codes[i, j] + 1] += 1
    starts = np.cumsum(starts)
    filled = starts[:-1].copy()
    pins = np.empty(starts[-1], dtype=np.int32)
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            if codes[i, j] != 0:
                row = offsets[j] + codes[i, j]
                pins[filled[row]] = i
                filled[row] += 1
    return starts, pins


@jit
def bisect_pass(codes, offsets, weight, starts, pins, side, largest):  # type: ignore[no-untyped-def]
    """Move every row once, best gain first, then undo all moves after the best cut.

    `side` changes in place. Side s must not, and will not, hold more than largest[s] rows, but during
    the pass it may hold one more: otherwise no row could move between full sides. Returns the decrease
    of the weight of the cut hyperedges.
    """
    n_rows = codes.shape[0]
    counts = np.zeros((len(weight), 2), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    for i in range(n_rows):
        sizes[side[i]] += 1
        for j in range(codes.shape[1]):
            counts[offsets[j] + codes[i, j], side[i]] += 1
    gain = np.empty(n_rows)
    heap = np.empty((2, n_rows), dtype=np.int64)
    place = np.empty(n_rows, dtype=np.int64)
    length = np.zeros(2, dtype=np.int64)
    queue = (heap, place, length, gain)
    for i in range(n_rows):
        gain[i] = move_gain(codes, offsets, weight, counts, i, side[i])
        _push(queue, side[i], i)
    moved = np.empty(n_rows, dtype=np.int64)
    n_moved = n_kept = 0
    total = best = 0.0
    while True:
        x = _next(heap, length, gain, sizes, largest)
        if x < 0:
            break
        source = side[x]
        total += gain[x]
        _remove(queue, source, x)
        _shift((codes, offsets, weight, starts, pins), side, counts, queue, x)
        sizes[source] -= 1
        sizes[1 - source] += 1
        moved[n_moved] = x
        n_moved += 1
        fits = sizes[0] <= largest[0] and sizes[1] <= largest[1]
        # The tolerance prevents rounding errors from counting as improvements.
        if fits and total > best + 1e-9:
            best, n_kept = total, n_moved
    for step in range(n_kept, n_moved):
        side[moved[step]] = 1 - side[moved[step]]
    return best


@jit
def move_gain(codes, offsets, weight, counts, x, source):  # type: ignore[no-untyped-def]
    """Weight of the hyperedges that become uncut, minus those that become cut."""
    total = 0.0
    for j in range(codes.shape[1]):
        row = offsets[j] + codes[x, j]
        if counts[row, source] == 1:
            total += weight[row]
        if counts[row, 1 - source] == 0:
            total -= weight[row]
    return total


@jit
def _next(heap, length, gain, sizes, largest):  # type: ignore[no-untyped-def]
    """Return the best row that may move, or -1."""
    best = -1
    for source in range(2):
        if length[source] > 0 and sizes[1 - source] <= largest[1 - source]:
            x = heap[source, 0]
            if best < 0 or _before(gain, x, best):
                best = x
    return best


@jit
def _shift(hypergraph, side, counts, queue, x):  # type: ignore[no-untyped-def]
    """Change the side of x and the gains of the rows that share a hyperedge with it.

    Only hyperedges with at most one row on a side matter, and the number of locked rows grows on both
    sides, so every hyperedge is scanned only a few times per pass.
    """
    codes, offsets, weight, starts, pins = hypergraph
    _, place, _, gain = queue
    source, target = side[x], 1 - side[x]
    side[x] = target
    for j in range(codes.shape[1]):
        if codes[x, j] == 0:
            continue
        row = offsets[j] + codes[x, j]
        before = counts[row, target]
        counts[row, source] -= 1
        counts[row, target] += 1
        after = counts[row, source]
        if weight[row] == 0 or (before > 1 and after > 1):
            continue
        for p in range(starts[row], starts[row + 1]):
            y = pins[p]
            if place[y] < 0:
                continue
            stays = int(before == 0) + int(after == 1)
            follows = -int(before == 1) - int(after == 0)
            change = stays if side[y] == source else follows
            if change != 0:
                gain[y] += weight[row] * change
                _sift(queue, side[y], place[y])


@jit
def _before(gain, x, y):  # type: ignore[no-untyped-def]
    return gain[x] > gain[y] or (gain[x] == gain[y] and x < y)


@jit
def _push(queue, of, x):  # type: ignore[no-untyped-def]
    heap, place, length, _ = queue
    heap[of, length[of]] = x
    place[x] = length[of]
    length[of] += 1
    _sift(queue, of, place[x])


@jit
def _remove(queue, of, x):  # type: ignore[no-untyped-def]
    heap, place, length, _ = queue
    hole = place[x]
    place[x] = -1
    length[of] -= 1
    if hole < length[of]:
        last = heap[of, length[of]]
        heap[of, hole] = last
        place[last] = hole
        _sift(queue, of, hole)


@jit
def _sift(queue, of, spot):  # type: ignore[no-untyped-def]
    """Restore the heap order for a row after its gain has changed."""
    heap, place, length, gain = queue
    x = heap[of, spot]
    while spot > 0 and _before(gain, x, heap[of, (spot - 1) // 2]):
        above = heap[of, (spot - 1) // 2]
        heap[of, spot] = above
        place[above] = spot
        spot = (spot - 1) // 2
    while 2 * spot + 1 < length[of]:
        child = 2 * spot + 1
        if child + 1 < length[of] and _before(gain, heap[of, child + 1], heap[of, child]):
            child += 1
        if not _before(gain, heap[of, child], x):
            break
        below = heap[of, child]
        heap[of, spot] = below
        place[below] = spot
        spot = child
    heap[of, spot] = x
    place[x] = spot
