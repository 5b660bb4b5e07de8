"""Nearest centres of several k-means restarts at once, and sums over their rows."""

from consilience._kernels._jit import jit


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
