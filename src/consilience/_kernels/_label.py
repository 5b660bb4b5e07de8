"""Label every row and count the labels, for many rows in one call without the interpreter."""

import numpy as np

from consilience._kernels._gather import (
    CHUNK,
    choose,
    choose_in_strip,
    choose_in_strips,
    gather_tile,
)
from consilience._kernels._jit import jit


@jit
def label_rows(  # type: ignore[no-untyped-def]
    codes, offsets, tiles, bias, margin, exact, exact_bias, tolerance, current, labels
):
    """Write the column of the largest sum of every row, ties by `choose`.

    tiles, bias, margin  a screen as in `screen_rows`; no tiles: every row is summed in float64
    exact, exact_bias    the table in float64, for the rows that the screen does not decide
    current              (rows,) labels, or empty
    """
    n_tiles, n_exact = tiles.shape[0], exact.shape[0]
    width = n_exact * exact.shape[2]
    sums = np.empty((CHUNK * max(1, n_tiles), tiles.shape[2]), np.int16)
    scores = np.empty((CHUNK * n_exact, exact.shape[2]), np.float64)
    doubtful = np.empty(CHUNK, np.int64)
    rest = np.empty((CHUNK, codes.shape[1]), codes.dtype)
    has_current = current.shape[0] > 0
    for start in range(0, codes.shape[0], CHUNK):
        chunk = codes[start : start + CHUNK]
        n_rows, n_doubtful = chunk.shape[0], 0
        for tile in range(n_tiles):
            gather_tile(chunk, offsets, tiles, bias, tile, sums)
        for i in range(n_rows):
            own = current[start + i] if has_current else -1
            label = np.int64(-1)
            if n_tiles == 1:
                label = np.int64(choose_in_strip(sums, i, margin, own))
            elif n_tiles > 1:
                label = np.int64(choose_in_strips(sums, n_tiles, i, margin, own))
            labels[start + i] = label
            if label < 0:
                # A loop, because the assignment of a whole row takes 1.6 s longer to compile.
                for j in range(codes.shape[1]):
                    rest[n_doubtful, j] = chunk[i, j]
                doubtful[n_doubtful] = i
                n_doubtful += 1
        if n_doubtful > 0:
            for tile in range(n_exact):
                gather_tile(rest[:n_doubtful], offsets, exact, exact_bias, tile, scores)
            flat = scores.reshape(CHUNK, width)
            for place in range(n_doubtful):
                i = start + doubtful[place]
                own = current[i] if has_current else -1
                labels[i] = choose(flat[place], width, own, tolerance)


@jit
def count_changes(codes, offsets, before, labels, weight, table, sizes):  # type: ignore[no-untyped-def]
    """Update the counts of the old and the new label for rows whose label changed.

    table (K, padded rows) and sizes (K,); unsigned numbers wrap around below 0.
    """
    for i in range(codes.shape[0]):
        if labels[i] == before[i]:
            continue
        now, was = table[np.uint32(labels[i])], table[np.uint32(before[i])]
        if weight is None:
            sizes[labels[i]] += 1
            sizes[before[i]] -= 1
            for j in range(codes.shape[1]):
                place = np.uint32(offsets[j] + codes[i, j])
                now[place] += 1
                was[place] -= 1
        else:
            sizes[labels[i]] += weight[i]
            sizes[before[i]] -= weight[i]
            for j in range(codes.shape[1]):
                place = np.uint32(offsets[j] + codes[i, j])
                now[place] += weight[i]
                was[place] -= weight[i]


@jit
def add_sizes(labels, weight, sizes):  # type: ignore[no-untyped-def]
    """Add the weight of every row, or one, to the size of its label."""
    for i in range(labels.shape[0]):
        if weight is None:
            sizes[labels[i]] += 1
        else:
            sizes[labels[i]] += weight[i]


@jit
def count_different(labels, other):  # type: ignore[no-untyped-def]
    """Return how many rows have different labels."""
    n_different = 0
    for i in range(labels.shape[0]):
        n_different += labels[i] != other[i]
    return n_different


@jit
def look_up(table, labels, out):  # type: ignore[no-untyped-def]
    """Write table[label] of every row."""
    for i in range(labels.shape[0]):
        out[i] = table[labels[i]]


@jit
def widen(labels, out):  # type: ignore[no-untyped-def]
    """Copy labels to a wider type."""
    for i in range(labels.shape[0]):
        out[i] = labels[i]
