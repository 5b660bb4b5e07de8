"""k-means that skips rows which cannot change: Hamerly's bounds, in blocks of rows.

Every row has an upper bound on the distance to its centre and a lower one on the distance to any
other. When centres move, bounds change by at most the same distance; a row whose upper bound stays
below the lower one keeps its label and is not read. The other rows are collected and compared with all
centres by one BLAS product.
"""

import numpy as np

from consilience._kernels._jit import jit

TILE = 256


@jit
def collect_rows(values, labels, upper, lower, moves, places, rows):  # type: ignore[no-untyped-def]
    """Move the bounds, and write the rows that may change their label; return how many.

    Symbols, per centre: moves[0] is how far it moved, moves[1] how far any other one moved, moves[2]
    half the distance to the nearest other one. A row without a label has an infinite upper bound, so
    its entry of `moves` does not matter.
    """
    drift, others, gaps = moves[0], moves[1], moves[2]
    one = values.dtype.type(1)
    # Covers the rounding of the addition and of this product.
    grow = one + values.dtype.type(2) * np.finfo(values.dtype).eps
    shrink = one - values.dtype.type(2) * np.finfo(values.dtype).eps
    count = 0
    for i in range(values.shape[0]):
        k = labels[i]
        above = (upper[i] + drift[k]) * grow
        below = (lower[i] - others[k]) * shrink
        upper[i] = above
        lower[i] = below
        # Written for every row and overwritten if not needed, which avoids branch mispredictions.
        places[count] = i
        count += 1 if above >= max(below, gaps[k]) else 0
    for m in range(count):
        source, target = values[places[m]], rows[m]
        for f in range(values.shape[1]):
            target[f] = source[f]
    return count


@jit
def nearest_rows(products, half, labels):  # type: ignore[no-untyped-def]
    """Write the nearest centre of every row; ties: the current label, else the first.

    Symbols: |x - c|^2 is smallest where |c|^2 / 2 - x.c is; `products` holds x.c, (K, n), and `half`
    |c|^2 / 2.
    """
    best = np.empty(TILE, products.dtype)
    second = np.empty(TILE, products.dtype)
    winner = np.empty(TILE, np.int32)
    for start in range(0, products.shape[1], TILE):
        current = labels[start : start + TILE]
        _two_nearest(products, start, half, current, best, second, winner)
        for i in range(current.shape[0]):
            current[i] = winner[i]


@jit
def settle_rows(  # type: ignore[no-untyped-def]  # noqa: PLR0913, PLR0917
    products, half, scale, values, squares, places, labels, upper, lower, sums, sizes
):
    """Update labels and bounds of collected rows, and the sums of clusters for rows that moved.

    `squares` holds |x|^2 of every row; scale[0] is the largest |c|^2, and scale[1] times |x|^2 + |c|^2
    bounds the error of a squared distance. `sums` is float64 also for float32 data. Returns how many
    rows moved.
    """
    best = np.empty(TILE, products.dtype)
    second = np.empty(TILE, products.dtype)
    winner = np.empty(TILE, np.int32)
    zero = products.dtype.type(0)
    n_changed = 0
    for start in range(0, products.shape[1], TILE):
        here = places[start : start + TILE]
        _two_nearest(products, start, half, labels[here], best, second, winner)
        square = squares[here]
        for m in range(here.shape[0]):
            error = scale[1] * (square[m] + scale[0])
            near = square[m] + best[m] + best[m]
            far = square[m] + second[m] + second[m] - error
            best[m] = np.sqrt((near if near > zero else zero) + error)
            second[m] = np.sqrt(far if far > zero else zero)
        for m in range(here.shape[0]):
            i, new = here[m], winner[m]
            upper[i] = best[m]
            lower[i] = second[m]
            old = labels[i]
            if old != new:
                n_changed += 1
                labels[i] = new
                sizes[new] += 1
                row = values[i]
                for f in range(row.shape[0]):
                    sums[new, f] += row[f]
                if old >= 0:
                    sizes[old] -= 1
                    for f in range(row.shape[0]):
                        sums[old, f] -= row[f]
    return n_changed


@jit
def small_run(  # type: ignore[no-untyped-def]
    values, centres, labels, max_iter, least_shift, rounding
):
    """Run k-means on small data in one compiled loop; centres and labels change in place.

    Computes all distances in float64 in every iteration. It ends when no label changes, when the squared
    moves of the centres sum to at most `least_shift`, or to `rounding` after an empty cluster was
    restarted. Returns the number of iterations and whether it converged.
    """
    n_clusters, n_columns = centres.shape
    transposed = np.empty((n_columns, n_clusters))
    sums = np.empty((n_clusters, n_columns))
    sizes = np.empty(n_clusters, np.int64)
    for n_iter in range(1, max_iter + 1):
        n_changed = _assign_all(values, centres, transposed, labels)
        end = least_shift
        for _ in range(n_clusters):
            if not _refill_one(values, centres, labels, sizes):
                break
            end = max(least_shift, rounding)
            n_changed += _assign_all(values, centres, transposed, labels)
        sums[:] = 0.0
        sizes[:] = 0
        for i in range(values.shape[0]):
            k = labels[i]
            sizes[k] += 1
            for f in range(n_columns):
                sums[k, f] += values[i, f]
        shift = 0.0
        for k in range(n_clusters):
            if sizes[k] > 0:
                for f in range(n_columns):
                    mean = sums[k, f] / sizes[k]
                    move = mean - centres[k, f]
                    shift += move * move
                    centres[k, f] = mean
        if n_changed == 0 or shift <= end:
            return n_iter, True
    return max_iter, False


@jit
def _assign_all(values, centres, transposed, labels):  # type: ignore[no-untyped-def]
    """Label every row by its nearest centre; ties: its label, else the first. Return how many moved."""
    n_clusters = centres.shape[0]
    for k in range(n_clusters):
        for f in range(centres.shape[1]):
            transposed[f, k] = centres[k, f]
    distances = np.empty(n_clusters)
    n_changed = 0
    for i in range(values.shape[0]):
        distances[:] = 0.0
        for f in range(values.shape[1]):
            x = np.float64(values[i, f])
            line = transposed[f]
            for k in range(n_clusters):
                distances[k] += (x - line[k]) * (x - line[k])
        best = 0
        for k in range(1, n_clusters):
            if distances[k] < distances[best] or (
                distances[k] == distances[best] and k == labels[i]
            ):
                best = k
        if best != labels[i]:
            labels[i] = best
            n_changed += 1
    return n_changed


@jit
def _refill_one(values, centres, labels, sizes):  # type: ignore[no-untyped-def]
    """Move the first empty centre to the row furthest from its centre; return whether there was one."""
    sizes[:] = 0
    for i in range(labels.shape[0]):
        sizes[labels[i]] += 1
    empty = -1
    for k in range(sizes.shape[0]):
        if sizes[k] == 0:
            empty = k
            break
    if empty < 0:
        return False
    distances = np.empty(values.shape[0])
    squared_distances(values, centres, labels, distances)
    furthest = 0
    for i in range(1, distances.shape[0]):
        if distances[i] > distances[furthest]:
            furthest = i
    if distances[furthest] == 0.0:
        return False
    for f in range(values.shape[1]):
        centres[empty, f] = values[furthest, f]
    return True


@jit
def squared_distances(values, centres, labels, out):  # type: ignore[no-untyped-def]
    """Write the squared distance of every row to the centre of its label, in float64."""
    for i in range(values.shape[0]):
        k = labels[i]
        total = 0.0
        for f in range(values.shape[1]):
            difference = np.float64(values[i, f]) - np.float64(centres[k, f])
            total += difference * difference
        out[i] = total


@jit
def _two_nearest(products, start, half, current, best, second, winner):  # type: ignore[no-untyped-def]
    """Smallest and second smallest score of every row of a tile, and the centre of the smallest."""
    width = current.shape[0]
    for i in range(width):
        best[i] = np.inf
        second[i] = np.inf
        winner[i] = 0
    for k in range(products.shape[0]):
        row = products[k, start : start + width]
        own = np.int32(k)
        for i in range(width):
            score = half[k] - row[i]
            better = (score < best[i]) | ((score == best[i]) & (current[i] == own))
            loser = best[i] if better else score
            best[i] = score if better else best[i]
            second[i] = loser if loser < second[i] else second[i]
            winner[i] = own if better else winner[i]
