"""Row steps of sweeps: responsibilities, and k-means on gathered rows, of several restarts at once."""

import numpy as np

from consilience._kernels._gather import CHUNK, gather_tile
from consilience._kernels._jit import jit


@jit
def softmax_rows(scores, weight, totals):  # type: ignore[no-untyped-def]
    """Replace every row by its softmax and return the weighted sum of the log normalisers.

    `totals` receives the weighted column sums. `weight` None means one.
    """
    n_columns = scores.shape[1]
    log_likelihood = 0.0
    for i in range(scores.shape[0]):
        largest = scores[i, 0]
        for k in range(1, n_columns):
            largest = max(largest, scores[i, k])
        total = 0.0
        for k in range(n_columns):
            scores[i, k] = np.exp(scores[i, k] - largest)
            total += scores[i, k]
        factor = 1.0
        if weight is not None:
            factor = float(weight[i])
        log_likelihood += factor * (largest + np.log(total))
        for k in range(n_columns):
            scores[i, k] /= total
            totals[k] += factor * scores[i, k]
    return log_likelihood


@jit
def nearest_centres(products, lengths, squares, labels, distance):  # type: ignore[no-untyped-def]
    """Write the nearest centre of every row for every restart, the first of equals, and its distance.

    products  (rows, restarts x K) inner products of rows and centres
    lengths   (restarts, K) squared lengths of the centres
    squares   (rows,) squared lengths of the rows
    labels    (rows, restarts) int64, distance (rows, restarts): squared, never below 0; written
    """
    n_restarts, n_clusters = lengths.shape
    for i in range(products.shape[0]):
        for restart in range(n_restarts):
            first = restart * n_clusters
            nearest, shortest = 0, lengths[restart, 0] - 2 * products[i, first]
            for k in range(1, n_clusters):
                gap = lengths[restart, k] - 2 * products[i, first + k]
                if gap < shortest:
                    nearest, shortest = k, gap
            labels[i, restart] = nearest
            distance[i, restart] = max(shortest + squares[i], 0.0)


@jit
def add_rows(points, weight, labels, sums, sizes):  # type: ignore[no-untyped-def]
    """Add every row to the sum of its cluster in every restart, and its weight to the size."""
    for i in range(points.shape[0]):
        for restart in range(labels.shape[1]):
            k = labels[i, restart]
            sizes[restart, k] += weight[i]
            for d in range(points.shape[1]):
                sums[restart, k, d] += weight[i] * points[i, d]


@jit
def nearest_of_block(  # type: ignore[no-untyped-def]
    codes, offsets, tiles, bias, width, unit, scale, centres, lengths, weight,
    sums, sizes, squares, labels,
):  # fmt: skip
    """Gather points, find their nearest centres, and add the points to the sums of the centres.

    tiles, bias       a table of `width` columns as in `gather_rows`
    unit              whether points are scaled to length one; scale (rows,) factors before, or None
    centres           (d, restarts x K); lengths (restarts, K) their squared lengths
    weight            (rows,), or empty: every row counts one
    sums (restarts, K, d), sizes (restarts, K), squares (restarts,)  added to
    labels            (rows,) written for one restart, or empty
    """
    n_tiles = tiles.shape[0]
    n_restarts, n_clusters = lengths.shape
    gathered = np.empty((CHUNK * n_tiles, tiles.shape[2]), np.float64)
    products = np.empty(n_restarts * n_clusters)
    flat = gathered.reshape(CHUNK, n_tiles * tiles.shape[2])
    for start in range(0, codes.shape[0], CHUNK):
        chunk = codes[start : start + CHUNK]
        for tile in range(n_tiles):
            gather_tile(chunk, offsets, tiles, bias, tile, gathered)
        for i in range(chunk.shape[0]):
            point = flat[i]
            square = 0.0
            for d in range(width):
                if scale is not None:
                    point[d] *= scale[start + i]
                square += point[d] * point[d]
            if unit:
                length = np.sqrt(square)
                if length > 1e-300:
                    square = 0.0
                    for d in range(width):
                        point[d] /= length
                        square += point[d] * point[d]
            amount = 1.0
            if weight.shape[0] > 0:
                amount = float(weight[start + i])
            products[:] = 0.0
            for d in range(width):
                x, row = point[d], centres[d]
                for c in range(products.shape[0]):
                    products[c] += x * row[c]
            for restart in range(n_restarts):
                first = restart * n_clusters
                nearest, shortest = 0, lengths[restart, 0] - 2 * products[first]
                for k in range(1, n_clusters):
                    gap = lengths[restart, k] - 2 * products[first + k]
                    if gap < shortest:
                        nearest, shortest = k, gap
                squares[restart] += amount * max(shortest + square, 0.0)
                sizes[restart, nearest] += amount
                total = sums[restart, nearest]
                for d in range(width):
                    total[d] += amount * point[d]
                if labels.shape[0] > 0:
                    labels[start + i] = nearest
