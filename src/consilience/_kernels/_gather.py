"""Gather: for every row, the sum of the table rows of its base clusters.

A table is cut into tiles of four columns, (tiles, padded rows, 4), because four scalar accumulators
stay in registers while an accumulator array does not: twice as fast for ten columns.
"""

import numpy as np

from consilience._kernels._jit import jit

TILE = 4


@jit
def gather_rows(codes, offsets, tiles, bias, out):  # type: ignore[no-untyped-def]
    """Write bias + H T into `out`, whose width is that of the tiles."""
    for i in range(codes.shape[0]):
        _gather_row(codes, i, offsets, tiles, bias, out[i])


@jit
def argmax_rows(codes, offsets, tiles, bias, current, tolerance, labels, best):  # type: ignore[no-untyped-def]
    """Write the column of the largest sum, ties by `choose`, and that sum.

    `current` and `best` may be empty: no current label is known, no sums are wanted.
    """
    width = tiles.shape[0] * TILE
    sums = np.empty(width)
    has_current = current.shape[0] > 0
    for i in range(codes.shape[0]):
        _gather_row(codes, i, offsets, tiles, bias, sums)
        label = choose(sums, width, current[i] if has_current else -1, tolerance)
        labels[i] = label
        if best.shape[0] > 0:
            best[i] = sums[label]


@jit
def argmax_scores(scores, current, tolerance, labels, best):  # type: ignore[no-untyped-def]
    """Do the same for scores that exist already."""
    width = scores.shape[1]
    has_current = current.shape[0] > 0
    for i in range(scores.shape[0]):
        label = choose(scores[i], width, current[i] if has_current else -1, tolerance)
        labels[i] = label
        if best.shape[0] > 0:
            best[i] = scores[i, label]


@jit
def choose(sums, width, current, tolerance):  # type: ignore[no-untyped-def]
    """Return the current column if it is among the best, else the first of the best.

    Sums within `tolerance`, relative to max(1, |largest|), are equal: they are ratios of integers that
    were added in floating point.
    """
    largest = sums[0]
    for k in range(1, width):
        largest = max(largest, sums[k])
    if largest == -np.inf:
        return max(current, 0)
    threshold = largest - tolerance * max(1.0, abs(largest))
    if current >= 0 and sums[current] >= threshold:
        return current
    k = 0
    while sums[k] < threshold:
        k += 1
    return k


@jit
def _gather_row(codes, i, offsets, tiles, bias, sums):  # type: ignore[no-untyped-def]
    for tile in range(tiles.shape[0]):
        table = tiles[tile]
        first = tile * 4
        a, b = bias[first], bias[first + 1]
        c, d = bias[first + 2], bias[first + 3]
        for j in range(codes.shape[1]):
            # Unsigned, so that Numba emits no test for a negative index.
            row = np.uint32(offsets[j] + codes[i, j])
            a += table[row, 0]
            b += table[row, 1]
            c += table[row, 2]
            d += table[row, 3]
        sums[first], sums[first + 1] = a, b
        sums[first + 2], sums[first + 3] = c, d
