"""Scatter: sums over the rows of every base cluster."""

import numpy as np

from consilience._kernels._jit import jit
from consilience._kernels._lanes import add, load, store

# Rows that are processed per tile; their codes stay in the L2 cache.
CHUNK = 512


@jit
def count_labels(codes, offsets, labels, weight, table):  # type: ignore[no-untyped-def]
    """Add every row's weight to table[label, base cluster]; `weight` None means one, exactly.

    Labels come first, so that all cells of a row are in one line of the table and the position of a
    cell is a simple sum.
    """
    for i in range(codes.shape[0]):
        line = table[np.uint32(labels[i])]
        if weight is None:
            for j in range(codes.shape[1]):
                line[np.uint32(offsets[j] + codes[i, j])] += 1
        else:
            for j in range(codes.shape[1]):
                line[np.uint32(offsets[j] + codes[i, j])] += weight[i]


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
def scatter_rows(codes, offsets, values, tiles):  # type: ignore[no-untyped-def]
    """Add the values of every row to the table rows of its base clusters.

    Symbols: values (rows x tiles, lanes), every row's tiles side by side; tiles as in `_gather`.
    """
    n_tiles, n_members = tiles.shape[0], codes.shape[1]
    rows = np.empty((CHUNK, n_members), np.uint32)
    for start in range(0, codes.shape[0], CHUNK):
        chunk = codes[start : start + CHUNK]
        # Computed once per row instead of once per tile, because stores force codes to be read again.
        for i in range(chunk.shape[0]):
            for j in range(n_members):
                rows[i, j] = offsets[j] + chunk[i, j]
        for tile in range(n_tiles):
            table = tiles[tile]
            for i in range(chunk.shape[0]):
                value = load(values, (start + i) * n_tiles + tile)
                for j in range(n_members):
                    store(table, rows[i, j], add(load(table, rows[i, j]), value))


@jit
def add_tiles(tiles, table):  # type: ignore[no-untyped-def]
    """Add tiles to a padded table, (padded rows, K)."""
    n_tiles, _, lanes = tiles.shape
    for row in range(table.shape[0]):
        for tile in range(n_tiles):
            strip, cells = tiles[tile, row], table[row, tile * lanes : (tile + 1) * lanes]
            for lane in range(cells.shape[0]):
                cells[lane] += strip[lane]


@jit
def count_observed(codes, weights, out):  # type: ignore[no-untyped-def]
    """Write for every row the summed weights of the members that label it."""
    for i in range(codes.shape[0]):
        total = 0.0
        for j in range(codes.shape[1]):
            if codes[i, j] != 0:
                total += weights[j]
        out[i] = total
