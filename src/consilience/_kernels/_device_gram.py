"""Overlaps of base clusters on the GPU."""

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, int32, int64, uint32

from consilience._kernels._device import jit
from consilience._kernels._device_codes import Form, code_at, stage


@cache
def gram_kernel(form: Form, *, weighted: bool, in_shared: bool) -> Any:
    """Return the kernel that counts pairs of base clusters.

    Parameters of the kernel, beside the codes:

    offsets   (r + 1,) int32, where the rows of every member begin in a padded table, and its rows
    groups    (g + 1,) int32, groups of members
    pairs     (blocks in y, 2) int32, the two groups that blocks (x, y) count
    weight    (n,) int64 if weighted
    table     (padded rows x padded rows,) int64, added to; the upper triangle by member
    """
    log, stride, shift, mask = form

    @jit
    def count_pairs(  # type: ignore[no-untyped-def]
        words, tail, n_rows, width,
        offsets, groups, pairs, weight, table,
    ):  # fmt: skip
        small = cuda.shared.array(0, int32)
        large = cuda.shared.array(0, int64)
        tile = cuda.shared.array(0, uint32)
        left, right = pairs[cuda.blockIdx.y, 0], pairs[cuda.blockIdx.y, 1]
        n_padded = np.int64(offsets[width])
        row_low, column_low = np.int64(offsets[groups[left]]), np.int64(offsets[groups[right]])
        n_columns = np.int64(offsets[groups[right + 1]]) - column_low
        n_cells = (np.int64(offsets[groups[left + 1]]) - row_low) * n_columns
        base = np.int64(0)
        if in_shared:
            base = 2 * n_cells if weighted else n_cells
            for i in range(cuda.threadIdx.x, n_cells, cuda.blockDim.x):
                if weighted:
                    large[i] = 0
                else:
                    small[i] = 0
        step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
        own_row = np.int64(cuda.threadIdx.x)
        while first < n_rows:
            cuda.syncthreads()
            stage(words, tail, n_rows, width, log, stride, first, tile, base)
            cuda.syncthreads()
            i = first + own_row
            if i < n_rows:
                amount = np.int64(1)
                if weighted:
                    amount = weight[i]
                for j in range(groups[left], groups[left + 1]):
                    code = code_at(tile, base, width, log, stride, shift, mask, own_row, j)
                    row = np.int64(offsets[j]) + code
                    for m in range(max(j, groups[right]), groups[right + 1]):
                        code = code_at(tile, base, width, log, stride, shift, mask, own_row, m)
                        column = np.int64(offsets[m]) + code
                        place = (row - row_low) * n_columns + column - column_low
                        if not in_shared:
                            cuda.atomic.add(table, row * n_padded + column, amount)
                        elif weighted:
                            cuda.atomic.add(large, np.uint32(place), amount)
                        else:
                            cuda.atomic.add(small, np.uint32(place), 1)
            first += step
        cuda.syncthreads()
        if in_shared:
            for i in range(cuda.threadIdx.x, n_cells, cuda.blockDim.x):
                amount = np.int64(0)
                if weighted:
                    amount = large[i]
                else:
                    amount = np.int64(small[i])
                if amount != 0:
                    place = (row_low + i // n_columns) * n_padded + column_low + i % n_columns
                    cuda.atomic.add(table, place, amount)

    return count_pairs
