"""Kernels for vectors with an entry per row on the GPU, and for single rows."""

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, int64, uint32

from consilience._kernels._device import device_function, jit
from consilience._kernels._device_codes import code_at, stage
from consilience._kernels._hash import MIX_1, MIX_2, PLACE, SHIFT_27, SHIFT_30, SHIFT_31, STEP


@jit
def look_up(table, labels, out):  # type: ignore[no-untyped-def]
    """Write table[label] of every row."""
    for i in range(cuda.grid(1), labels.shape[0], cuda.gridsize(1)):
        out[i] = table[labels[i]]


@jit
def take_values(values, rows, out):  # type: ignore[no-untyped-def]
    """Write the values of some rows."""
    for i in range(cuda.grid(1), rows.shape[0], cuda.gridsize(1)):
        out[i] = values[rows[i]]


@jit
def take_rows(flat, width, rows, out):  # type: ignore[no-untyped-def]
    """Write some rows of a matrix that is given flat."""
    for i in range(cuda.grid(1), out.shape[0], cuda.gridsize(1)):
        out[i] = flat[rows[i // width] * width + i % width]


@jit
def count_different(labels, other, found):  # type: ignore[no-untyped-def]
    """Add the number of rows with different labels in two vectors to found[0]."""
    mine = np.int64(0)
    for i in range(cuda.grid(1), labels.shape[0], cuda.gridsize(1)):
        if np.int64(labels[i]) != np.int64(other[i]):
            mine += 1
    if mine > 0:
        cuda.atomic.add(found, 0, mine)


@cache
def sizes_kernel(*, weighted: bool) -> Any:
    """Return the kernel that adds the weight of every row, or one, to the size of its label."""

    @jit
    def add_sizes(labels, weight, sizes):  # type: ignore[no-untyped-def]
        own = cuda.shared.array(0, int64)
        for k in range(cuda.threadIdx.x, sizes.shape[0], cuda.blockDim.x):
            own[k] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), labels.shape[0], cuda.gridsize(1)):
            amount = np.int64(1)
            if weighted:
                amount = weight[i]
            cuda.atomic.add(own, np.int64(labels[i]), amount)
        cuda.syncthreads()
        for k in range(cuda.threadIdx.x, sizes.shape[0], cuda.blockDim.x):
            if own[k] != 0:
                cuda.atomic.add(sizes, k, own[k])

    return add_sizes


@jit
def first_places(labels, first):  # type: ignore[no-untyped-def]
    """Write the first position of every label."""
    for i in range(cuda.grid(1), labels.shape[0], cuda.gridsize(1)):
        label = np.int64(labels[i])
        # Most rows come after the known first position, so a read avoids an atomic operation.
        if i < first[label]:
            cuda.atomic.min(first, label, np.int64(i))


@device_function
def _mixed(label, row):  # type: ignore[no-untyped-def]
    state = (np.uint64(label) + np.uint64(row) * PLACE + STEP) * MIX_1
    state ^= state >> SHIFT_27
    state *= MIX_2
    return state ^ (state >> SHIFT_31)


@jit
def digest_labels(labels, total):  # type: ignore[no-untyped-def]
    """Add up a hash of every label and its place, two sums modulo 2^64."""
    first, second = np.uint64(0), np.uint64(0)
    for i in range(cuda.grid(1), labels.shape[0], cuda.gridsize(1)):
        mixed = _mixed(np.int64(labels[i]), np.int64(i))
        first += mixed
        second += mixed * (mixed >> SHIFT_31)
    cuda.atomic.add(total, 0, first)
    cuda.atomic.add(total, 1, second)


@jit
def hash_rows(  # type: ignore[no-untyped-def]
    words, tail, n_rows, width, log, stride, shift, mask,
    offsets, canonical, start, stop, out,
):  # fmt: skip
    """Write the hashes of the rows start .. stop - 1; canonical holds the code behind every label.

    start is a multiple of the number of threads in a block.
    """
    tile = cuda.shared.array(0, uint32)
    step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
    first = start + np.int64(cuda.blockIdx.x) * cuda.blockDim.x
    own_row = np.int64(cuda.threadIdx.x)
    while first < stop:
        cuda.syncthreads()
        stage(words, tail, n_rows, width, log, stride, first, tile, 0)
        cuda.syncthreads()
        if first + own_row < stop:
            state = STEP
            for j in range(width):
                code = code_at(tile, 0, width, log, stride, shift, mask, own_row, j)
                state = (state ^ np.uint64(canonical[offsets[j] + code])) * MIX_1
                state ^= state >> SHIFT_27
            state = (state ^ (state >> SHIFT_30)) * MIX_2
            out[first + own_row - start] = state ^ (state >> SHIFT_31)
        first += step


@jit
def digest_rows(hashes, start, stripe_rows, block_rows, blocks_per_stripe, sums):  # type: ignore[no-untyped-def]
    """Add the hashes of rows and their places in their blocks to the two sums of every block."""
    for i in range(cuda.grid(1), hashes.shape[0], cuda.gridsize(1)):
        row = start + i
        inside = row % stripe_rows
        block = row // stripe_rows * blocks_per_stripe + inside // block_rows
        mixed = (hashes[i] + np.uint64(inside % block_rows) * PLACE) * MIX_1
        mixed ^= mixed >> SHIFT_27
        mixed *= MIX_2
        mixed ^= mixed >> SHIFT_31
        cuda.atomic.add(sums, 2 * block, mixed)
        cuda.atomic.add(sums, 2 * block + 1, mixed * (mixed >> SHIFT_31))


@jit
def keep_multiples(hashes, one_in, n_kept, kept):  # type: ignore[no-untyped-def]
    """Write the hashes that are multiples of a number, in any order, up to the size of the output."""
    for i in range(cuda.grid(1), hashes.shape[0], cuda.gridsize(1)):
        if hashes[i] % one_in == np.uint64(0):
            place = cuda.atomic.add(n_kept, 0, np.int64(1))
            if place < kept.shape[0]:
                kept[place] = hashes[i]


@jit
def member_labels(  # type: ignore[no-untyped-def]
    words, tail, n_rows, width, log, stride, shift, mask, offsets, canonical, member, out
):
    """Write the label of every row in one member: the canonical code less one."""
    tile = cuda.shared.array(0, uint32)
    step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
    first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
    own_row = np.int64(cuda.threadIdx.x)
    while first < n_rows:
        cuda.syncthreads()
        stage(words, tail, n_rows, width, log, stride, first, tile, 0)
        cuda.syncthreads()
        if first + own_row < n_rows:
            code = code_at(tile, 0, width, log, stride, shift, mask, own_row, member)
            out[first + own_row] = canonical[offsets[member] + code] - 1
        first += step


@jit
def survey_range(flat, width, lowest, highest):  # type: ignore[no-untyped-def]
    """Write the smallest and the largest label of every member; those of unsigned types as int64."""
    own_low = np.int64(2**62)
    own_high = np.int64(-(2**62))
    # Threads stride by a multiple of the width, so that each sees one member alone.
    stride = np.int64(cuda.gridsize(1)) // width * width
    begin = np.int64(cuda.grid(1))
    if begin < stride:
        for i in range(begin, flat.shape[0], stride):
            own_low = min(own_low, np.int64(flat[i]))
            own_high = max(own_high, np.int64(flat[i]))
        if own_high >= own_low:
            cuda.atomic.min(lowest, begin % width, own_low)
            cuda.atomic.max(highest, begin % width, own_high)


@jit
def survey_first(flat, width, offsets, shift, first, counts):  # type: ignore[no-untyped-def]
    """Write the first row of every label of every member, and count how often each occurs."""
    stride = np.int64(cuda.gridsize(1)) // width * width
    begin = np.int64(cuda.grid(1))
    if begin < stride:
        member = begin % width
        for i in range(begin, flat.shape[0], stride):
            place = offsets[member] + np.int64(flat[i]) + shift
            row = i // width
            if row < first[place]:
                cuda.atomic.min(first, place, row)
            if shift > 0 and np.int64(flat[i]) < 0:
                cuda.atomic.add(counts, member, np.int64(1))


@jit
def take_columns(flat, width, columns, out):  # type: ignore[no-untyped-def]
    """Write some columns of a matrix that is given flat."""
    n_columns = columns.shape[0]
    for i in range(cuda.grid(1), out.shape[0], cuda.gridsize(1)):
        out[i] = flat[i // n_columns * width + columns[i % n_columns]]


@jit
def gather_rows(  # type: ignore[no-untyped-def]
    words, tail, n_rows, width, log, stride, shift, mask, offsets, table, bias, start, stop, out
):
    """Write bias + H T for the rows start .. stop - 1, added in the order of the members.

    start is a multiple of the number of threads in a block; table (places, K), out (rows, K).
    """
    tile = cuda.shared.array(0, uint32)
    step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
    first = start + np.int64(cuda.blockIdx.x) * cuda.blockDim.x
    own_row = np.int64(cuda.threadIdx.x)
    while first < stop:
        cuda.syncthreads()
        stage(words, tail, n_rows, width, log, stride, first, tile, 0)
        cuda.syncthreads()
        if first + own_row < stop:
            for k in range(bias.shape[0]):
                total = bias[k]
                for j in range(width):
                    code = code_at(tile, 0, width, log, stride, shift, mask, own_row, j)
                    total += table[offsets[j] + code, k]
                out[first + own_row - start, k] = total
        first += step
