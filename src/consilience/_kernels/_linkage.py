"""Similarities of rows and of clusters of rows, for agglomeration.

members  (r, rows) unsigned; the codes, transposed: one member after the other
weights  (padded,) weight of a base cluster in the similarity of two rows that share it; 0 for a
         missing label
values   upper triangle of a symmetric rows x rows matrix, row by row, without the diagonal
others   slots of clusters; a cluster is stored in the slot of its first row, and is not among its others
"""

import numpy as np

from consilience._kernels._jit import jit

# Rows whose sums stay in the L1 cache while all members are read.
_TILE = 2048


@jit
def similarities(members, offsets, weights, row, start, out):  # type: ignore[no-untyped-def]
    """Write the summed weights of what `row` shares with rows start, start + 1, ...

    Members outside, rows inside: the inner loop has no sum over members, so it is vectorised without
    changing the order of addition.
    """
    out[:] = 0.0
    for first in range(0, out.shape[0], _TILE):
        tile = out[first : first + _TILE]
        for j in range(members.shape[0]):
            code = members[j, row]
            if code == 0:
                continue
            weight = weights[offsets[j] + code]
            beside = members[j, start + first : start + first + tile.shape[0]]
            for k in range(tile.shape[0]):
                tile[k] += weight if beside[k] == code else 0.0


@jit
def fill_values(members, offsets, weights, masses, start, stop, values):  # type: ignore[no-untyped-def]
    """Write the rows start .. stop - 1 of the triangle: similarity times both masses."""
    n_rows = members.shape[1]
    for row in range(start, stop):
        first = row * (2 * n_rows - row - 1) // 2
        out = values[first : first + n_rows - row - 1]
        similarities(members, offsets, weights, row, row + 1, out)
        for k in range(out.shape[0]):
            out[k] *= masses[row] * masses[row + 1 + k]


@jit
def triangle_means(values, n_rows, others, slot, sizes, total, out):  # type: ignore[no-untyped-def]
    """Write the mean similarity of the cluster in `slot` and the others."""
    for place in range(others.shape[0]):
        other = others[place]
        pair = values[_position(n_rows, slot, other)]
        out[place] = pair / (sizes[slot] * sizes[other] * total)


@jit
def merge_minima(values, n_rows, others, kept, gone):  # type: ignore[no-untyped-def]
    """Keep the smaller similarity, of the two rows that are furthest apart: complete linkage."""
    for other in others:
        place = _position(n_rows, kept, other)
        values[place] = min(values[place], values[_position(n_rows, gone, other)])


@jit
def vector_means(rows, others, slot, sizes, total, place_of, vectors, table, out):  # type: ignore[no-untyped-def]
    """Do the same as `triangle_means` from the sums of the rows of H in every cluster.

    rows      codes, offsets, and the mass of every row: its size times its scale
    place_of  (rows,) where the sum of a cluster lies in `vectors`; -1 = it is one row, read its codes
    table     (padded,) weights times the sum of the cluster in `slot`
    """
    codes, offsets, masses = rows
    alone = place_of[slot] < 0
    for place in range(others.shape[0]):
        other = others[place]
        pair = 0.0
        if place_of[other] < 0:
            for j in range(codes.shape[1]):
                pair += table[offsets[j] + codes[other, j]]
            pair *= masses[other]
        elif alone:
            vector = vectors[place_of[other]]
            for j in range(codes.shape[1]):
                column = offsets[j] + codes[slot, j]
                pair += table[column] * vector[column]
        else:
            pair = _dot(table, vectors[place_of[other]])
        out[place] = pair / (sizes[slot] * sizes[other] * total)


@jit
def _dot(left, right):  # type: ignore[no-untyped-def]
    # Four sums, because the compiler may not reorder one: three times as fast, and reproducible.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = left.shape[0] - left.shape[0] % 4
    for k in range(0, whole, 4):
        a += left[k] * right[k]
        b += left[k + 1] * right[k + 1]
        c += left[k + 2] * right[k + 2]
        d += left[k + 3] * right[k + 3]
    for k in range(whole, left.shape[0]):
        a += left[k] * right[k]
    return (a + b) + (c + d)


@jit
def _position(n_rows, first, second):  # type: ignore[no-untyped-def]
    low, high = min(first, second), max(first, second)
    return low * (2 * n_rows - low - 1) // 2 + high - low - 1


@jit
def average_merges(values, sizes, total, tolerance, leaves, heights):  # type: ignore[no-untyped-def]
    """Merge the most similar pair of clusters repeatedly: the search of greedy merging, compiled.

    values, sizes  changed in place
    leaves         (rows - 1, 2) slots that are merged, the first one is kept; written
    heights        (rows - 1,) one minus their similarity; written
    """
    n_rows = sizes.shape[0]
    active, partner = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    largest, out = np.empty(n_rows), np.empty(n_rows)
    for slot in range(n_rows):
        active[slot], partner[slot], largest[slot] = slot, -1, -np.inf
    for place in range(n_rows - 1):
        _look_behind(values, sizes, total, active, place, largest, partner, out)
    for step in range(n_rows - 1):
        place, threshold = _first_slot(values, sizes, total, active, largest, partner, out)
        threshold -= tolerance
        for before in range(place):
            if largest[active[before]] >= threshold:
                if partner[active[before]] < 0:
                    _look_behind(values, sizes, total, active, before, largest, partner, out)
                if largest[active[before]] >= threshold:
                    place = before
                    break
        _look_behind(values, sizes, total, active, place, largest, partner, out)
        winner = 0
        while out[winner] < threshold:
            winner += 1
        kept, gone = active[place], active[place + 1 + winner]
        leaves[step, 0], leaves[step, 1], heights[step] = kept, gone, 1 - out[winner]
        active = _merge_slots(values, sizes, total, active, kept, gone, largest, partner)
        _look_behind(values, sizes, total, active, place, largest, partner, out)


@jit
def _first_slot(values, sizes, total, active, largest, partner, out):  # type: ignore[no-untyped-def]
    """Return the place of the first slot with the largest similarity, and that similarity."""
    while True:
        # As a variable: Numba would compile `_look_behind` once more for a constant.
        top = np.int64(0)
        for place in range(1, active.shape[0]):
            if largest[active[place]] > largest[active[top]]:
                top = np.int64(place)
        if partner[active[top]] >= 0:
            return top, largest[active[top]]
        _look_behind(values, sizes, total, active, top, largest, partner, out)


@jit
def _merge_slots(values, sizes, total, active, kept, gone, largest, partner):  # type: ignore[no-untyped-def]
    """Merge two clusters; return the slots that are left."""
    n_rows = sizes.shape[0]
    left = np.empty(active.shape[0] - 1, dtype=active.dtype)
    n_left = 0
    for slot in active:
        if slot != gone:
            left[n_left] = slot
            n_left += 1
        if slot not in (kept, gone):
            values[_position(n_rows, kept, slot)] += values[_position(n_rows, gone, slot)]
    sizes[kept] += sizes[gone]
    for slot in left:
        if slot != kept and (partner[slot] == kept or partner[slot] == gone):
            partner[slot] = -1
            if slot < kept:
                # Slots that are as similar to the merged cluster as to their old partner keep their
                # value.
                pair = values[_position(n_rows, kept, slot)]
                if pair / (sizes[kept] * sizes[slot] * total) >= largest[slot]:
                    partner[slot] = kept
    return left


@jit
def _look_behind(values, sizes, total, active, place, largest, partner, out):  # type: ignore[no-untyped-def]
    """Write the similarities of one slot and those behind it, and find the largest."""
    n_rows = sizes.shape[0]
    slot = active[place]
    largest[slot] = -np.inf
    row = slot * (2 * n_rows - slot - 1) // 2 - slot - 1
    for behind in range(place + 1, active.shape[0]):
        other = active[behind]
        mean = values[row + other] / (sizes[slot] * sizes[other] * total)
        out[behind - place - 1] = mean
        if mean > largest[slot]:
            largest[slot], partner[slot] = mean, other
