"""Gather: for every row, the sum of the table rows of its base clusters; and the label of the largest.

A table is cut into tiles of one strip, (tiles, padded rows, lanes): four columns of float64 or sixteen
of int16. A tile of a typical ensemble stays in the L1 cache while a few hundred rows are processed.
"""

import numpy as np

from consilience._kernels._jit import jit
from consilience._kernels._lanes import add, at_least, first_bit, largest, load, store

# Rows that are processed per tile; their codes and sums stay in the L2 cache.
CHUNK = 512


@jit
def fill_tiles(table, rows, tiles):  # type: ignore[no-untyped-def]
    """Write a table, (t, K), into tiles; `rows` are the padded rows of its own."""
    n_tiles, _, lanes = tiles.shape
    for c in range(table.shape[0]):
        for tile in range(n_tiles):
            cells = table[c, tile * lanes : (tile + 1) * lanes]
            strip = tiles[tile, rows[c]]
            for lane in range(cells.shape[0]):
                strip[lane] = cells[lane]


@jit
def gather_rows(codes, offsets, tiles, bias, out):  # type: ignore[no-untyped-def]
    """Write bias + H T into `out`.

    Symbols: bias (tiles, lanes); out (rows x tiles, lanes), every row's tiles side by side.
    """
    for start in range(0, codes.shape[0], CHUNK):
        chunk = codes[start : start + CHUNK]
        for tile in range(tiles.shape[0]):
            gather_tile(chunk, offsets, tiles, bias, tile, out[start * tiles.shape[0] :])


@jit
def argmax_scores(scores, current, tolerance, labels, best):  # type: ignore[no-untyped-def]
    """Write the column of the largest score, ties by `choose`, and that score.

    `current` and `best` may be empty: no current label is known, no scores are wanted.
    """
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
    largest_sum = sums[0]
    for k in range(1, width):
        largest_sum = max(largest_sum, sums[k])
    if largest_sum == -np.inf:
        return max(current, 0)
    threshold = largest_sum - tolerance * max(1.0, abs(largest_sum))
    if current >= 0 and sums[current] >= threshold:
        return current
    k = 0
    while sums[k] < threshold:
        k += 1
    return k


@jit
def gather_tile(codes, offsets, tiles, bias, tile, out):  # type: ignore[no-untyped-def]
    """Write one strip of every row.

    Processes four rows at a time to hide the latency of dependent additions. The last group repeats
    the last row until it has four.
    """
    table, n_tiles, last = tiles[tile], tiles.shape[0], codes.shape[0] - 1
    for i in range(0, codes.shape[0], 4):
        second, third, fourth = min(i + 1, last), min(i + 2, last), min(i + 3, last)
        codes_a, codes_b, codes_c, codes_d = codes[i], codes[second], codes[third], codes[fourth]
        a = b = c = d = load(bias, tile)
        for j in range(codes.shape[1]):
            # Unsigned, so that Numba emits no test for a negative index.
            offset = offsets[j]
            a = add(a, load(table, np.uint32(offset + codes_a[j])))
            b = add(b, load(table, np.uint32(offset + codes_b[j])))
            c = add(c, load(table, np.uint32(offset + codes_c[j])))
            d = add(d, load(table, np.uint32(offset + codes_d[j])))
        store(out, i * n_tiles + tile, a)
        store(out, second * n_tiles + tile, b)
        store(out, third * n_tiles + tile, c)
        store(out, fourth * n_tiles + tile, d)


@jit
def choose_in_strip(strip_sums, i, margin, current):  # type: ignore[no-untyped-def]
    """Return the only column within the margin of the largest, else -1; no margin: as `choose`."""
    strip = load(strip_sums, i)
    bits = at_least(strip, largest(strip) - margin)
    if bits & (bits - 1) == 0:
        return np.int64(first_bit(bits))
    if margin > 0:
        return -1
    if current >= 0 and (bits >> current) & 1:
        return current
    return np.int64(first_bit(bits))


@jit
def choose_in_strips(strip_sums, n_tiles, i, margin, current):  # type: ignore[no-untyped-def]
    """Do the same for a row of several strips."""
    first, n_lanes = i * n_tiles, strip_sums.shape[1]
    top = largest(load(strip_sums, first))
    for tile in range(1, n_tiles):
        top = max(top, largest(load(strip_sums, first + tile)))
    label = -1
    for tile in range(n_tiles):
        bits = at_least(load(strip_sums, first + tile), top - margin)
        if bits == 0:
            continue
        if margin > 0 and (label >= 0 or bits & (bits - 1) != 0):
            return -1
        lane = current - tile * n_lanes
        if margin == 0 and 0 <= lane < n_lanes and (bits >> lane) & 1:
            return current
        if label < 0:
            label = tile * n_lanes + np.int64(first_bit(bits))
    return label


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
