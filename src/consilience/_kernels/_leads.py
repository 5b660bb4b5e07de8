"""Label only the rows whose label may change, by bounds on the lead of the largest sum.

The same idea as Hamerly's bounds of k-means. The lead of a row is the difference between the sum of
its label and the largest other sum, stored when the row was last processed. When the table changes, a
lead decreases by at most a number that depends on the label alone. A row whose lead stays positive
keeps its label, and its codes are not read.
"""

import numpy as np

from consilience._kernels._gather import (
    CHUNK,
    choose,
    choose_in_strip,
    choose_in_strips,
    gather_tile,
)
from consilience._kernels._jit import jit
from consilience._kernels._lanes import STRIP_BYTES, largest, load, without

# Numbers of int16 in a strip.
LANES = STRIP_BYTES // 2


@jit
def label_rows_in_doubt(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0913, PLR0917
    codes,
    offsets,
    tiles,
    bias,
    margin,
    unit,
    exact,
    exact_bias,
    error,
    tolerance,
    limit,
    spent,
    current,
    labels,
    leads,
):
    """Write the same labels as `label_rows`; rows that cannot change keep theirs.

    tiles, bias, margin  as in `label_rows`; `unit` is the integer that represents one in sums of int16
    exact, exact_bias    as in `label_rows`; `error` bounds the rounding error of a difference of sums
    limit, spent         (K,) float64: a row of label k keeps its label if leads >= limit[k]; leads are
                         stored plus spent[k], so that they need not be updated in every iteration
    leads                (rows,) float32, written for the rows that are processed, rounded down
    """
    n_tiles = tiles.shape[0]
    worth = 1.0 / unit  # its rounding error is covered by the margin
    sums = np.empty((CHUNK * max(1, n_tiles), tiles.shape[2]), np.int16)
    scores = np.empty((CHUNK * exact.shape[0], exact.shape[2]), np.float64)
    places = np.empty(CHUNK, np.int64)
    rows = np.empty((CHUNK, codes.shape[1]), codes.dtype)
    for start in range(0, codes.shape[0], CHUNK):
        stop = min(start + CHUNK, codes.shape[0])
        n_open = _open_rows(start, stop, current, leads, limit, labels, places)
        if n_open == 0:
            continue
        chunk = codes[start:stop]
        if 2 * n_open < stop - start:
            _copy_rows(codes, places[:n_open], rows)
            chunk = rows[:n_open]
        else:  # processing all rows is faster than copying some
            n_open = stop - start
            for place in range(n_open):
                places[place] = start + place
        for tile in range(n_tiles):
            gather_tile(chunk, offsets, tiles, bias, tile, sums)
        n_doubtful = 0
        for place in range(n_open):
            i = places[place]
            label = np.int64(-1)
            ahead = np.int64(0)
            if n_tiles == 1:
                label = np.int64(choose_in_strip(sums, place, margin, current[i]))
                strip = load(sums, place)
                ahead = np.int64(largest(strip)) - np.int64(largest(without(strip, label)))
            elif n_tiles > 1:
                label = np.int64(choose_in_strips(sums, n_tiles, place, margin, current[i]))
                ahead = _ahead(sums, n_tiles, place, label)
            if label < 0:
                places[n_doubtful] = i
                n_doubtful += 1
            else:
                labels[i] = label
                leads[i] = _rounded_down((ahead - margin) * worth + spent[label])
        if n_doubtful > 0:
            _copy_rows(codes, places[:n_doubtful], rows)
            for tile in range(exact.shape[0]):
                gather_tile(rows[:n_doubtful], offsets, exact, exact_bias, tile, scores)
            _choose_exactly(
                scores, error, tolerance, spent, current, places[:n_doubtful], labels, leads
            )


@jit
def _open_rows(start, stop, current, leads, limit, labels, places):  # type: ignore[no-untyped-def]
    """Write the rows that must be processed, and return how many; other labels are unchanged."""
    n_open = 0
    for i in range(start, stop):
        own = current[i]
        labels[i] = own
        # Written for every row and overwritten if not needed, which avoids branch mispredictions.
        places[n_open] = i
        n_open += 1 if leads[i] < limit[own] else 0
    return n_open


@jit
def _copy_rows(codes, places, rows):  # type: ignore[no-untyped-def]
    """Copy some rows to consecutive memory."""
    for place in range(places.shape[0]):
        source, target = codes[places[place]], rows[place]
        for j in range(source.shape[0]):
            target[j] = source[j]


@jit
def _choose_exactly(scores, error, tolerance, spent, current, places, labels, leads):  # type: ignore[no-untyped-def]
    """Label rows by sums in float64."""
    width = scores.size // CHUNK
    lines = scores.reshape(CHUNK, width)
    for place in range(places.shape[0]):
        i, line = places[place], lines[place]
        label = choose(line, width, current[i], tolerance)
        second = -np.inf
        for k in range(width):
            second = max(second, line[k] if k != label else -np.inf)
        labels[i] = label
        leads[i] = _rounded_down(line[label] - second - error + spent[label])


@jit
def largest_losses(change, starts, bias_change, losses):  # type: ignore[no-untyped-def]
    """Write the largest possible decrease of the lead of a row with label a, for every a.

    A row has one base cluster of every member, or none; the maximum over these is taken separately for
    every other label k.

    Symbols: change (t, K) and bias_change (K,), new minus old table and bias; starts (r + 1,) where
    members begin.
    """
    n_labels = change.shape[1]
    low = np.empty(n_labels)
    total = np.empty(n_labels)
    for a in range(n_labels):
        for k in range(n_labels):
            total[k] = bias_change[a] - bias_change[k]
        for j in range(starts.shape[0] - 1):
            low[:] = 0.0  # a missing label
            for c in range(starts[j], starts[j + 1]):
                line = change[c]
                own = line[a]
                for k in range(n_labels):
                    low[k] = min(low[k], own - line[k])
            for k in range(n_labels):
                total[k] += low[k]
        worst = np.inf
        for k in range(n_labels):
            worst = min(worst, total[k] if k != a else np.inf)
        losses[a] = -worst if worst < np.inf else 0.0


@jit
def _ahead(strip_sums, n_tiles, i, label):  # type: ignore[no-untyped-def]
    """Return the difference of the sum of a label and the largest other sum; arbitrary for -1."""
    first, own_tile, lane = i * n_tiles, 0, label
    while lane >= LANES:
        own_tile, lane = own_tile + 1, lane - LANES
    strip = load(strip_sums, first + own_tile)
    own, second = np.int64(largest(strip)), np.int64(largest(without(strip, lane)))
    for tile in range(n_tiles):
        if tile != own_tile:
            second = max(second, np.int64(largest(load(strip_sums, first + tile))))
    return own - second


@jit
def _rounded_down(number):  # type: ignore[no-untyped-def]
    """Return a float32 that is not above a number."""
    small = np.float32(number)
    lower = np.float32(number - 2.0**-23 * abs(number))
    if -1e-37 < number < 0 or number > 3e38:
        # In float32 these would become 0 and infinite.
        return np.float32(-1e-37 if number < 0 else 3e38)
    # Computes both values to avoid branch mispredictions.
    return small if small <= number else lower
