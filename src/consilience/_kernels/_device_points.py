"""k-means on gathered rows on the GPU: nearest centres, and sums over their rows.

Sums of floats are added as integer multiples of a small unit, so that they are the same in any order.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numba import cuda, float64, int32, int64, uint32

from consilience._kernels._device import jit
from consilience._kernels._device_codes import Form, code_at, stage
from consilience._kernels._device_sweep import pitch_of


@cache
def nearest_kernel(form: Form, width_of_points: int, table_type: str) -> Any:
    """Return the kernel that finds the nearest of some centres for every row.

    The table is in shared memory as "float64" or as integers "int32", or in global memory, "large".

    Parameters of the kernel, beside the codes:

    offsets  (r,) int32, where the table rows of every member begin
    table    (padded rows x pitch,) float64 or int32; the pitch is odd, see `pitch_of`
    unit     value of one unit of an integer table; 1 for float64
    bias     (d,) added to every sum
    to_unit  whether points are scaled to length one
    scale    (n,) float64 factors of the points, or empty
    centres  (restarts x K x d,) float64; lengths (restarts x K,) their squared lengths
    weight   (n,) float64, or empty
    grain, square_grain  units of the sums of points and of squared distances
    sums     (restarts x K x (d + 1),) int64, added to: for every centre the points, then the weight
    squares  (restarts,) int64, added to: squared distances. Both empty: none are wanted
    labels   (n,) written for one restart, or empty
    """
    log, stride, shift, mask = form
    n_dimensions, pitch = width_of_points, pitch_of(width_of_points)
    added_type = int32 if table_type == "int32" else float64

    @jit
    def nearest_rows(  # type: ignore[no-untyped-def]
        words, tail, n_rows, width,
        offsets, table, unit, bias, to_unit, scale, centres, lengths, n_restarts,
        weight, grain, square_grain, weight_grain, sums, squares, labels,
    ):  # fmt: skip
        # In shared memory: centres, their lengths, sums, the table, the codes of the rows.
        numbers = cuda.shared.array(0, float64)
        totals = cuda.shared.array(0, int64)
        whole = cuda.shared.array(0, int32)
        tile = cuda.shared.array(0, uint32)
        n_centres = lengths.shape[0]
        n_clusters = n_centres // n_restarts
        at_lengths = centres.shape[0]
        at_sums = at_lengths + n_centres
        # Every thread has its own sum of squares, to avoid conflicts of atomic additions.
        at_squares = at_sums + sums.shape[0]
        at_table = at_squares + squares.shape[0] * cuda.blockDim.x
        base = 2 * at_table
        if table_type == "float64":
            base += 2 * table.shape[0]
        elif table_type == "int32":
            base += table.shape[0]
        for i in range(cuda.threadIdx.x, centres.shape[0], cuda.blockDim.x):
            numbers[i] = centres[i]
        for i in range(cuda.threadIdx.x, n_centres, cuda.blockDim.x):
            numbers[at_lengths + i] = lengths[i]
        for i in range(cuda.threadIdx.x, at_table - at_sums, cuda.blockDim.x):
            totals[at_sums + i] = 0
        if table_type != "large":
            for i in range(cuda.threadIdx.x, table.shape[0], cuda.blockDim.x):
                if table_type == "float64":
                    numbers[at_table + i] = table[i]
                else:
                    whole[2 * at_table + i] = table[i]
        point = cuda.local.array(n_dimensions, float64)
        added = cuda.local.array(n_dimensions, added_type)
        step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
        own_row = np.int64(cuda.threadIdx.x)
        while first < n_rows:
            cuda.syncthreads()
            stage(words, tail, n_rows, width, log, stride, first, tile, base)
            cuda.syncthreads()
            i = first + own_row
            if i < n_rows:
                for d in range(n_dimensions):
                    if table_type == "int32":
                        added[d] = 0
                    else:
                        added[d] = bias[d]
                for j in range(width):
                    code = code_at(tile, base, width, log, stride, shift, mask, own_row, j)
                    # Unsigned, so that Numba emits no test for a negative index.
                    place = np.uint32((offsets[j] + code) * pitch)
                    for d in range(n_dimensions):
                        if table_type == "float64":
                            added[d] += numbers[np.uint32(at_table + place + d)]
                        elif table_type == "int32":
                            added[d] += whole[np.uint32(2 * at_table + place + d)]
                        else:
                            added[d] += table[np.uint32(place + d)]
                square = 0.0
                for d in range(n_dimensions):
                    if table_type == "int32":
                        point[d] = bias[d] + added[d] * unit
                    else:
                        point[d] = added[d]
                    if scale.shape[0] > 0:
                        point[d] *= scale[i]
                    square += point[d] * point[d]
                if to_unit and square > 0.0:
                    factor = math.sqrt(square)
                    square = 0.0
                    for d in range(n_dimensions):
                        point[d] /= factor
                        square += point[d] * point[d]
                amount = 1.0
                if weight.shape[0] > 0:
                    amount = np.float64(weight[i])
                for restart in range(n_restarts):
                    nearest, shortest = np.int64(0), np.inf
                    for k in range(n_clusters):
                        centre = restart * n_clusters + k
                        product = 0.0
                        for d in range(n_dimensions):
                            product += point[d] * numbers[np.uint32(centre * n_dimensions + d)]
                        gap = numbers[at_lengths + centre] - 2 * product
                        if gap < shortest:
                            nearest, shortest = np.int64(k), gap
                    if labels.shape[0] > 0:
                        labels[i] = nearest
                    if sums.shape[0] > 0:
                        distance = max(shortest + square, 0.0)
                        centre = restart * n_clusters + nearest
                        place = at_sums + centre * (n_dimensions + 1)
                        for d in range(n_dimensions):
                            value = np.int64(math.floor(amount * point[d] * grain + 0.5))
                            cuda.atomic.add(totals, place + d, value)
                        value = np.int64(math.floor(amount * weight_grain + 0.5))
                        cuda.atomic.add(totals, place + n_dimensions, value)
                        value = np.int64(math.floor(amount * distance * square_grain + 0.5))
                        totals[at_squares + restart * cuda.blockDim.x + own_row] += value
            first += step
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, sums.shape[0], cuda.blockDim.x):
            if totals[at_sums + i] != 0:
                cuda.atomic.add(sums, i, totals[at_sums + i])
        for restart in range(squares.shape[0]):
            place = at_squares + restart * cuda.blockDim.x + own_row
            cuda.atomic.add(squares, restart, totals[place])

    return nearest_rows
