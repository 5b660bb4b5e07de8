"""Kernels: the winner of every row, count tables, responsibilities, and nearest centres.

A row is the work of one thread. Tables lie in the shared memory of a block where they fit. Counts are
integers, and sums of floats are added as integers of a small unit (`grain` is its inverse), so that
they do not depend on the order of the threads.

Shared vocabulary:

codes    (r, n) codes of the labels, transposed; 0 = missing
offsets  (r,) or (r + 1,) int64, where the rows of every member begin in a padded table
table    (padded rows x pitch,) float64, `width` columns; see `pitch_of`
bias     (width,) added to every sum
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numba import cuda, float64, int32, int64

from consilience.gpu._device import jit


def pitch_of(width: int) -> int:
    """Return the numbers from one row of a table to the next.

    It is odd, so that threads that read different rows rarely use the same bank of the shared memory.
    """
    return width | 1


@cache
def choose_kernel(width: int, *, in_shared: bool) -> Any:
    """Return the kernel that labels every row by its largest sum, as `_kernels._gather.choose` does.

    Sums are added in the order of the members, like those in float64 of the threads.

    current  (n,) labels, or empty
    labels   (n,) written; best (n,) the winning sums, written unless empty
    """
    pitch = pitch_of(width)

    @jit
    def choose_rows(codes, offsets, table, bias, tolerance, current, labels, best):  # type: ignore[no-untyped-def]
        lines = cuda.shared.array(0, float64)
        if in_shared:
            for cell in range(cuda.threadIdx.x, table.shape[0], cuda.blockDim.x):
                lines[cell] = table[cell]
            cuda.syncthreads()
        sums = cuda.local.array(width, float64)
        for i in range(cuda.grid(1), codes.shape[1], cuda.gridsize(1)):
            for k in range(width):
                sums[k] = bias[k]
            for j in range(codes.shape[0]):
                # Unsigned, so that Numba emits no test for a negative index.
                place = np.uint32((offsets[j] + codes[j, i]) * pitch)
                for k in range(width):
                    if in_shared:
                        sums[k] += lines[np.uint32(place + k)]
                    else:
                        sums[k] += table[np.uint32(place + k)]
            largest = -np.inf
            for k in range(width):
                largest = max(largest, sums[k])
            own = np.int64(-1)
            if current.shape[0] > 0:
                own = np.int64(current[i])
            label = max(own, np.int64(0))
            if largest > -np.inf:
                threshold = largest - tolerance * max(1.0, abs(largest))
                if own < 0 or not sums[own] >= threshold:
                    label = np.int64(0)
                    while sums[label] < threshold:
                        label += 1
            labels[i] = label
            if best.shape[0] > 0:
                best[i] = sums[label]

    return choose_rows


@cache
def count_kernel(*, weighted: bool, in_shared: bool) -> Any:
    """Return the kernel that adds every row to the cells of its label.

    groups    (g + 1,) members groups[y] .. groups[y + 1] - 1 are counted by the blocks (x, y)
    labels    (n,)
    before    (n,), or empty; else only rows whose label changed are counted, with -1 where they were
    weight    (n,) int64 if weighted
    n_labels  K
    counts    (padded rows x K,) int64, added to
    """

    @jit
    def count_rows(codes, offsets, groups, labels, before, weight, n_labels, counts):  # type: ignore[no-untyped-def]
        small = cuda.shared.array(0, int32)
        large = cuda.shared.array(0, int64)
        begin, end = groups[cuda.blockIdx.y], groups[cuda.blockIdx.y + 1]
        low = np.int64(offsets[begin]) * n_labels
        n_cells = np.int64(offsets[end]) * n_labels - low
        if in_shared:
            for cell in range(cuda.threadIdx.x, n_cells, cuda.blockDim.x):
                if weighted:
                    large[cell] = 0
                else:
                    small[cell] = 0
            cuda.syncthreads()
        for i in range(cuda.grid(1), codes.shape[1], cuda.gridsize(1)):
            label = np.int64(labels[i])
            was = np.int64(-1)
            if before.shape[0] > 0:
                was = np.int64(before[i])
            if label != was:
                amount = np.int64(1)
                if weighted:
                    amount = weight[i]
                for j in range(begin, end):
                    cell = (np.int64(offsets[j]) + codes[j, i]) * n_labels
                    if not in_shared:
                        cuda.atomic.add(counts, cell + label, amount)
                        if was >= 0:
                            cuda.atomic.add(counts, cell + was, -amount)
                    elif weighted:
                        cuda.atomic.add(large, cell - low + label, amount)
                        if was >= 0:
                            cuda.atomic.add(large, cell - low + was, -amount)
                    else:
                        cuda.atomic.add(small, cell - low + label, 1)
                        if was >= 0:
                            cuda.atomic.add(small, cell - low + was, -1)
        if in_shared:
            cuda.syncthreads()
            for cell in range(cuda.threadIdx.x, n_cells, cuda.blockDim.x):
                amount = np.int64(0)
                if weighted:
                    amount = large[cell]
                else:
                    amount = np.int64(small[cell])
                if amount != 0:
                    cuda.atomic.add(counts, low + cell, amount)

    return count_rows


@cache
def soften_kernel(width: int, *, in_shared: bool) -> Any:
    """Return the kernel that turns log weights into responsibilities, and adds these up.

    weight           (n,) float64, or empty: every row counts one
    grain            of responsibilities; log_grain of the log-likelihood
    memberships      (padded rows x K,) int64, added to: the responsibilities by base cluster
    log_likelihood   (1,) int64, added to
    """
    pitch = pitch_of(width)

    @jit
    def soften_rows(  # type: ignore[no-untyped-def]
        codes, offsets, table, bias, weight, grain, log_grain, memberships, log_likelihood
    ):
        own = cuda.shared.array(0, int64)
        if in_shared:
            for cell in range(cuda.threadIdx.x, memberships.shape[0], cuda.blockDim.x):
                own[cell] = 0
            cuda.syncthreads()
        scores = cuda.local.array(width, float64)
        total = np.int64(0)
        for i in range(cuda.grid(1), codes.shape[1], cuda.gridsize(1)):
            for k in range(width):
                scores[k] = bias[k]
            for j in range(codes.shape[0]):
                place = np.uint32((offsets[j] + codes[j, i]) * pitch)
                for k in range(width):
                    scores[k] += table[np.uint32(place + k)]
            largest = -np.inf
            for k in range(width):
                largest = max(largest, scores[k])
            shares = 0.0
            for k in range(width):
                scores[k] = math.exp(scores[k] - largest)
                shares += scores[k]
            amount = 1.0
            if weight.shape[0] > 0:
                amount = weight[i]
            total += np.int64(math.floor(amount * (largest + math.log(shares)) * log_grain + 0.5))
            for k in range(width):
                scores[k] = math.floor(amount * (scores[k] / shares) * grain + 0.5)
            for j in range(codes.shape[0]):
                cell = (np.int64(offsets[j]) + codes[j, i]) * width
                for k in range(width):
                    # Most responsibilities are nearly 0.
                    if scores[k] != 0.0:
                        if in_shared:
                            cuda.atomic.add(own, cell + k, np.int64(scores[k]))
                        else:
                            cuda.atomic.add(memberships, cell + k, np.int64(scores[k]))
        cuda.atomic.add(log_likelihood, 0, total)
        if in_shared:
            cuda.syncthreads()
            for cell in range(cuda.threadIdx.x, memberships.shape[0], cuda.blockDim.x):
                if own[cell] != 0:
                    cuda.atomic.add(memberships, cell, own[cell])

    return soften_rows


@cache
def nearest_kernel(width: int, *, in_shared: bool) -> Any:
    """Return the kernel that finds the nearest centre of every gathered row, and adds up the rows.

    to_unit  whether points are scaled to length one
    scale    (n,) float64 factors of the points, or empty
    centres  (restarts x K x d,) float64; lengths (restarts x K,) their squared lengths
    weight   (n,) float64, or empty: every row counts one
    grains   (3,) of the sums of points, of squared distances, and of weights
    sums     (restarts x K x (d + 1),) int64, added to: for every centre the points, then the weight
    squares  (restarts,) int64, added to: squared distances
    labels   (n,) written for one restart, or empty
    """
    pitch = pitch_of(width)

    @jit
    def nearest_rows(  # type: ignore[no-untyped-def]
        codes, offsets, table, bias, to_unit, scale, centres, lengths, n_restarts, weight, grains,
        sums, squares, labels,
    ):  # fmt: skip
        # In shared memory: centres, their lengths, sums, sums of squares, the table.
        numbers = cuda.shared.array(0, float64)
        totals = cuda.shared.array(0, int64)
        n_centres = lengths.shape[0]
        n_clusters = n_centres // n_restarts
        at_lengths = centres.shape[0]
        at_sums = at_lengths + n_centres
        # Every thread has its own sum of squares, to avoid conflicts of atomic additions.
        at_squares = at_sums + sums.shape[0]
        at_table = at_squares + n_restarts * cuda.blockDim.x
        for cell in range(cuda.threadIdx.x, centres.shape[0], cuda.blockDim.x):
            numbers[cell] = centres[cell]
        for cell in range(cuda.threadIdx.x, n_centres, cuda.blockDim.x):
            numbers[at_lengths + cell] = lengths[cell]
        for cell in range(at_sums + cuda.threadIdx.x, at_table, cuda.blockDim.x):
            totals[cell] = 0
        if in_shared:
            for cell in range(cuda.threadIdx.x, table.shape[0], cuda.blockDim.x):
                numbers[at_table + cell] = table[cell]
        cuda.syncthreads()
        point = cuda.local.array(width, float64)
        for i in range(cuda.grid(1), codes.shape[1], cuda.gridsize(1)):
            for d in range(width):
                point[d] = bias[d]
            for j in range(codes.shape[0]):
                place = np.uint32((offsets[j] + codes[j, i]) * pitch)
                for d in range(width):
                    if in_shared:
                        point[d] += numbers[np.uint32(at_table + place + d)]
                    else:
                        point[d] += table[np.uint32(place + d)]
            square = 0.0
            for d in range(width):
                if scale.shape[0] > 0:
                    point[d] *= scale[i]
                square += point[d] * point[d]
            if to_unit and square > 0.0:
                length = math.sqrt(square)
                square = 0.0
                for d in range(width):
                    point[d] /= length
                    square += point[d] * point[d]
            amount = 1.0
            if weight.shape[0] > 0:
                amount = weight[i]
            for restart in range(n_restarts):
                nearest, shortest = np.int64(0), np.inf
                for k in range(n_clusters):
                    centre = restart * n_clusters + k
                    product = 0.0
                    for d in range(width):
                        product += point[d] * numbers[np.uint32(centre * width + d)]
                    gap = numbers[at_lengths + centre] - 2 * product
                    if gap < shortest:
                        nearest, shortest = np.int64(k), gap
                if labels.shape[0] > 0:
                    labels[i] = nearest
                distance = max(shortest + square, 0.0)
                place = at_sums + (restart * n_clusters + nearest) * (width + 1)
                for d in range(width):
                    value = np.int64(math.floor(amount * point[d] * grains[0] + 0.5))
                    cuda.atomic.add(totals, place + d, value)
                value = np.int64(math.floor(amount * grains[2] + 0.5))
                cuda.atomic.add(totals, place + width, value)
                value = np.int64(math.floor(amount * distance * grains[1] + 0.5))
                totals[at_squares + restart * cuda.blockDim.x + cuda.threadIdx.x] += value
        cuda.syncthreads()
        for cell in range(cuda.threadIdx.x, sums.shape[0], cuda.blockDim.x):
            if totals[at_sums + cell] != 0:
                cuda.atomic.add(sums, cell, totals[at_sums + cell])
        for restart in range(n_restarts):
            mine = at_squares + restart * cuda.blockDim.x + cuda.threadIdx.x
            cuda.atomic.add(squares, restart, totals[mine])

    return nearest_rows
