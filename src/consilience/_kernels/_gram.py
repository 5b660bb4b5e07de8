"""The overlaps of all base clusters, H' diag(w) H."""

import numpy as np

from consilience._kernels._jit import jit
from consilience._kernels._lanes import add, load, store

# Maximum number of joint values of two members, so that a histogram stays in the L1 cache.
MOST_JOINT = 256
LANES = 16


@jit
def overlaps(columns, offsets, weight, table):  # type: ignore[no-untyped-def]
    """Add every row's weight to the cells of the upper triangle (by member) of the padded table.

    `columns` are the codes transposed, (r, rows). Members are the outer loops, so that the two columns
    and the few hundred cells of a pair of members stay in the L1 cache while the rows are processed.
    """
    n_members = columns.shape[0]
    for j in range(n_members):
        for m in range(j, n_members):
            for i in range(columns.shape[1]):
                row = np.uint32(offsets[j] + columns[j, i])
                column = np.uint32(offsets[m] + columns[m, i])
                table[row, column] += weight[i]


@jit
def overlap_counts(columns, offsets, sizes, left, strips, cells, table):  # type: ignore[no-untyped-def]
    """Do the same for rows that count once; at most 65,535 of them.

    sizes   (r,) int64, values of every member's codes, the missing label among them
    left    (rows,) uint32, buffer for the joint values of two members
    strips  (MOST_JOINT + 2 + rows / 8, 16) int16, zeros: buffer for sums, a strip of zeros, a histogram
    cells   the memory of the histogram, flat

    Two small members are combined into one with a value for every pair of their labels; its histogram
    with a third member gives the overlaps of both in one step per row.
    """
    n_members, n_rows = columns.shape
    j = 0
    while j < n_members:
        is_pair = j + 1 < n_members and sizes[j] * sizes[j + 1] <= MOST_JOINT
        n_first, n_second = sizes[j], sizes[j + 1] if is_pair else 1
        for i in range(n_rows):
            left[i] = columns[j, i]
            if is_pair:
                left[i] = left[i] * n_second + columns[j + 1, i]
        for m in range(j, n_members):
            n_strips = (sizes[m] + LANES - 1) // LANES
            # Clearing a strip takes about as long as counting four rows, a cell of the table as one row.
            emptying = 4 * n_first * n_second * n_strips + (n_first + n_second) * sizes[m]
            if 2 * emptying <= n_rows:
                _count_joint(left, columns[m], n_strips * LANES, cells)
                second = offsets[j + 1] if is_pair and m > j else -1
                _empty(strips, n_first, n_second, sizes[m], offsets[j], second, offsets[m], table)
            else:
                _count_pair(columns[j], columns[m], offsets[j], offsets[m], table)
                if is_pair and m > j:
                    _count_pair(columns[j + 1], columns[m], offsets[j + 1], offsets[m], table)
        j += 2 if is_pair else 1


@jit
def _count_pair(column, other, offset, other_offset, table):  # type: ignore[no-untyped-def]
    for i in range(column.shape[0]):
        table[np.uint32(offset + column[i]), np.uint32(other_offset + other[i])] += 1


@jit
def _count_joint(left, right, width, cells):  # type: ignore[no-untyped-def]
    """Count in four histograms in turn, since consecutive rows often share a cell and would stall."""
    quarter = left.shape[0] // 4
    for i in range(quarter):
        for place in (i, i + quarter, i + 2 * quarter, i + 3 * quarter):
            cells[np.uint32(left[place] * np.uint32(width) + right[place])] += 1
    for place in range(4 * quarter, left.shape[0]):
        cells[np.uint32(left[place] * np.uint32(width) + right[place])] += 1


@jit
def _empty(strips, n_first, n_second, n_right, of_first, of_second, of_right, table):  # type: ignore[no-untyped-def]
    """Add a histogram (first, second, right) to the overlaps of right with first and with second.

    Symbols: of_first, of_second are the rows of the table where these members begin, -1 if second is
    not wanted; of_right the column where right does.
    """
    n_strips = (n_right + LANES - 1) // LANES
    # As a variable: Numba would compile `_add_strip` once more for a constant.
    total, zeros = np.int64(MOST_JOINT), MOST_JOINT + 1
    for strip in range(n_strips):
        first_cell = strip * LANES
        n_cells = min(LANES, n_right - first_cell)
        for a in range(n_first):
            sums = load(strips, zeros)
            for b in range(n_second):
                place = zeros + 1 + (a * n_second + b) * n_strips + strip
                counts = load(strips, place)
                store(strips, place, load(strips, zeros))
                sums = add(sums, counts)
                store(strips, b, add(load(strips, b), counts))
            store(strips, total, sums)
            _add_strip(strips, total, n_cells, table, of_first + a, of_right + first_cell)
        for b in range(n_second):
            if of_second >= 0:
                _add_strip(strips, b, n_cells, table, of_second + b, of_right + first_cell)
            store(strips, b, load(strips, zeros))


@jit
def _add_strip(strips, strip, n_cells, table, row, column):  # type: ignore[no-untyped-def]
    for c in range(n_cells):
        # Unsigned: what was counted in int16 may have passed 32,767.
        table[row, column + c] += np.uint16(strips[strip, c])
