"""Sweeps on the GPU: the winner of every row, and count tables.

A row is the work of one thread; a block of threads reads the codes of its rows together. Counts are
integers, so the order in which threads add them up does not matter.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, int32, int64, uint32

from consilience._kernels._device import THREADS, device_function, jit
from consilience._kernels._device_codes import Form, code_at, stage

# Columns of a table that are packed into a word, and the bits of each: sums stay below 2^21.
LANES = 3
LANE_BITS = 21
# Threads per listed row, at least, for which threads share the rows.
SHARED_ROWS = 4
# Shared memory of the lists of rows, which kernels have beside what is given at their launch.
LIST_BYTES = 4 * (3 * THREADS + 1)
_LANE_MASK = (1 << LANE_BITS) - 1


@device_function
def _exact_score(k, tile, base, width, log, stride, shift, mask, row, offsets, table, bias):  # type: ignore[no-untyped-def]
    """Return bias + H T of one row and column, added in the order of the members."""
    total = bias[k]
    for j in range(width):
        place = offsets[j] + code_at(tile, base, width, log, stride, shift, mask, row, j)
        total += table[place, k]
    return total


def pitch_of(n_words: int) -> int:
    """Return the words from one row of a packed table to the next.

    It is odd, so that threads that read different rows rarely use the same bank of the shared memory.
    """
    return n_words | 1


@device_function
def _rounded_down(number):  # type: ignore[no-untyped-def]
    """Return a float32 that is not above a number; the same as in `_kernels._leads`."""
    small = np.float32(number)
    if -1e-37 < number < 0 or number > 3e38:
        small = np.float32(-1e-37 if number < 0 else 3e38)
    elif np.float64(small) > number:
        small = np.float32(number - 2.0**-23 * abs(number))
    return small


@cache
def choose_kernel(form: Form, n_words: int, *, in_shared: bool, bounded: bool) -> Any:
    """Return the kernel that labels every row; n_words packed words hold the columns of a table.

    Parameters of the kernel, beside the codes:

    offsets    (r,) int32, where the table rows of every member begin
    packed     (padded rows x pitch,) int64, columns in lanes of 21 bits; read only if n_words > 0
    start      (n_words,) int64, initial values of the sums of lanes
    margin     a column that is larger by more is the argmax; 0: sums are exact, and equal ones are tied
    worth      difference in the table that one unit of a lane represents
    table      (padded rows, K) float64, and bias (K,): rows that the lanes do not decide
    current    (n,) labels, or empty
    leads      (n,) float32 if bounded, see `_kernels._leads`: a row of label k keeps its label if its
               lead is at least keep[k]; leads of other rows are written
    keep, spent  (K,) float64 if bounded
    labels     (n,) written; best (n,) the winning sums, written unless empty
    """
    log, stride, shift, mask = form
    n_sums, pitch = max(1, n_words), pitch_of(n_words)

    @jit
    def choose_rows(  # type: ignore[no-untyped-def]
        words, tail, n_rows, width,
        offsets, packed, start, margin, worth, table, bias, tolerance,
        current, leads, keep, spent, labels, best,
    ):  # fmt: skip
        lanes = cuda.shared.array(0, int64)
        tile = cuda.shared.array(0, uint32)
        listed = cuda.shared.array(THREADS, int32)
        n_listed = cuda.shared.array(1, int32)
        n_columns = bias.shape[0]
        base = 0
        if in_shared:
            base = 2 * packed.shape[0]
            for i in range(cuda.threadIdx.x, packed.shape[0], cuda.blockDim.x):
                lanes[i] = packed[i]
        sums = cuda.local.array(n_sums, int64)
        step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
        while first < n_rows:
            own_row = np.int64(cuda.threadIdx.x)
            is_open = first + own_row < n_rows
            if bounded:
                # Rows that may change are listed, so that few threads do all of the work.
                if cuda.threadIdx.x == 0:
                    n_listed[0] = 0
                cuda.syncthreads()
                if is_open:
                    own = np.int64(current[first + own_row])
                    if leads[first + own_row] >= keep[own]:
                        labels[first + own_row] = own
                    else:
                        listed[cuda.atomic.add(n_listed, 0, 1)] = own_row
            cuda.syncthreads()
            if bounded:
                is_open = own_row < n_listed[0]
                if is_open:
                    own_row = np.int64(listed[own_row])
            if not bounded or n_listed[0] > 0:
                stage(words, tail, n_rows, width, log, stride, first, tile, base)
            cuda.syncthreads()
            i = first + own_row
            if is_open:
                own = np.int64(-1)
                if current.shape[0] > 0:
                    own = np.int64(current[i])
                label = np.int64(-1)
                top = np.int64(-1)
                second = np.int64(-1)
                near = np.int64(0)  # a bit per column that may win
                if n_words > 0:
                    for w in range(n_words):
                        sums[w] = start[w]
                    for j in range(width):
                        code = code_at(tile, base, width, log, stride, shift, mask, own_row, j)
                        # Unsigned, so that Numba emits no test for a negative index.
                        place = np.uint32((offsets[j] + code) * pitch)
                        for w in range(n_words):
                            if in_shared:
                                sums[w] += lanes[np.uint32(place + np.uint32(w))]
                            else:
                                sums[w] += packed[np.uint32(place + np.uint32(w))]
                    for w in range(n_words):
                        for lane in range(LANES):
                            if w * LANES + lane < n_columns:
                                value = (sums[w] >> (lane * LANE_BITS)) & _LANE_MASK
                                second = max(second, min(top, value))
                                top = max(top, value)
                    n_near = 0
                    for w in range(n_words):
                        for lane in range(LANES):
                            k = w * LANES + lane
                            if k < n_columns:
                                value = (sums[w] >> (lane * LANE_BITS)) & _LANE_MASK
                                if value >= top - margin:
                                    n_near += 1
                                    near |= np.int64(1) << k
                                    if label < 0:
                                        label = k
                    if n_near > 1:
                        if margin > 0:
                            label = -1
                        elif own >= 0 and (near >> own) & 1:
                            label = own
                if bounded:
                    lead = np.float32(-np.inf)
                    if label >= 0:
                        lead = _rounded_down((top - second - margin) * worth + spent[label])
                    leads[i] = lead
                if label < 0:
                    # Columns that the lanes exclude are not scored again.
                    largest = -np.inf
                    for k in range(n_columns):
                        if n_words == 0 or (near >> k) & 1:
                            largest = max(largest, _exact_score(
                                k, tile, base, width, log, stride, shift, mask, own_row,
                                offsets, table, bias,
                            ))  # fmt: skip
                    label = max(own, np.int64(0))
                    if largest > -np.inf:
                        threshold = largest - tolerance * max(1.0, abs(largest))
                        found = False
                        if own >= 0 and (n_words == 0 or (near >> own) & 1):
                            found = _exact_score(
                                own, tile, base, width, log, stride, shift, mask, own_row,
                                offsets, table, bias,
                            ) >= threshold  # fmt: skip
                        k = np.int64(0)
                        while not found:
                            if (n_words == 0 or (near >> k) & 1) and _exact_score(
                                k, tile, base, width, log, stride, shift, mask, own_row,
                                offsets, table, bias,
                            ) >= threshold:  # fmt: skip
                                label = k
                                found = True
                            k += 1
                labels[i] = label
                if best.shape[0] > 0:
                    best[i] = _exact_score(
                        label, tile, base, width, log, stride, shift, mask, own_row,
                        offsets, table, bias,
                    )  # fmt: skip
            first += step

    return choose_rows


@cache
def count_kernel(form: Form, *, weighted: bool, in_shared: bool) -> Any:
    """Return the kernel that counts labels.

    Parameters of the kernel, beside the codes:

    offsets    (r + 1,) int32, where the rows of every member begin in a padded table, and its rows
    groups     (g + 1,) int32, members groups[y] .. groups[y + 1] - 1 are counted by blocks (x, y)
    labels     (n,), or empty: every row has label 0
    before     (n,), or empty; else only rows whose label changed are counted, with -1 where they were
    weight     (n,) int64 if weighted
    n_labels   K
    counts     ((padded rows + 1) x K,) int64, added to; the last row holds the sizes of the labels
    """
    log, stride, shift, mask = form

    @jit
    def count_rows(  # type: ignore[no-untyped-def]
        words, tail, n_rows, width,
        offsets, groups, labels, before, weight, n_labels, counts,
    ):  # fmt: skip
        small = cuda.shared.array(0, int32)
        large = cuda.shared.array(0, int64)
        tile = cuda.shared.array(0, uint32)
        listed = cuda.shared.array(THREADS, int32)
        new_label = cuda.shared.array(THREADS, int32)
        old_label = cuda.shared.array(THREADS, int32)
        n_listed = cuda.shared.array(1, int32)
        begin, end = groups[cuda.blockIdx.y], groups[cuda.blockIdx.y + 1]
        # The first group also counts the sizes of the labels, as if they were one more member.
        n_here = end - begin + (1 if begin == 0 else 0)
        low = np.int64(offsets[begin])
        n_cells = (np.int64(offsets[end]) - low) * n_labels
        # Behind the cells of the group: the sizes of the labels.
        n_own = n_cells + n_labels
        base = np.int64(0)
        if in_shared:
            base = 2 * n_own if weighted else n_own
            for i in range(cuda.threadIdx.x, n_own, cuda.blockDim.x):
                if weighted:
                    large[i] = 0
                else:
                    small[i] = 0
        step = np.int64(cuda.gridDim.x) * cuda.blockDim.x
        first = np.int64(cuda.blockIdx.x) * cuda.blockDim.x
        own_row = np.int64(cuda.threadIdx.x)
        while first < n_rows:
            i = first + own_row
            label = np.int64(-1)
            was = np.int64(-1)
            amount = np.int64(1)
            if i < n_rows:
                label = np.int64(0)
                if labels.shape[0] > 0:
                    label = np.int64(labels[i])
                if before.shape[0] > 0:
                    was = np.int64(before[i])
            if cuda.threadIdx.x == 0:
                n_listed[0] = 0
            # Also a barrier. Codes are not read if no row of the tile changes its label.
            if cuda.syncthreads_or(np.int32(1) if was != label else np.int32(0)):
                if was != label:
                    place = cuda.atomic.add(n_listed, 0, 1)
                    listed[place] = own_row
                    new_label[place] = label
                    old_label[place] = was
                stage(words, tail, n_rows, width, log, stride, first, tile, base)
                cuda.syncthreads()
                # If few rows are listed, all threads share their labels; otherwise every thread counts
                # the labels of one row, which needs no division.
                shared_rows = n_listed[0] * SHARED_ROWS < cuda.blockDim.x
                n_pairs = n_listed[0] * n_here
                pair = np.int32(cuda.threadIdx.x)
                if not shared_rows:
                    pair *= n_here
                while pair < n_pairs:
                    place = np.uint32(pair) // np.uint32(n_here)
                    label = np.int64(new_label[place])
                    was = np.int64(old_label[place])
                    row = np.int64(listed[place])
                    if weighted:
                        amount = weight[first + row]
                    stop = pair + 1 if shared_rows else pair + n_here
                    j = begin + np.int64(pair - place * n_here)
                    while pair < stop:
                        cell = n_cells
                        if j < end:
                            code = code_at(tile, base, width, log, stride, shift, mask, row, j)
                            cell = (offsets[j] + code - low) * n_labels
                        if not in_shared:
                            if j < end:
                                cell += low * n_labels
                            else:
                                cell = np.int64(offsets[width]) * n_labels
                            cuda.atomic.add(counts, cell + label, amount)
                            if was >= 0:
                                cuda.atomic.add(counts, cell + was, -amount)
                        elif weighted:
                            cuda.atomic.add(large, np.uint32(cell + label), amount)
                            if was >= 0:
                                cuda.atomic.add(large, np.uint32(cell + was), -amount)
                        else:
                            cuda.atomic.add(small, np.uint32(cell + label), 1)
                            if was >= 0:
                                cuda.atomic.add(small, np.uint32(cell + was), -1)
                        j += 1
                        pair += 1
                    pair = pair - 1 + cuda.blockDim.x if shared_rows else n_pairs
            # The list is written again only when all threads have read it.
            cuda.syncthreads()
            first += step
        cuda.syncthreads()
        if in_shared:
            for i in range(cuda.threadIdx.x, n_own, cuda.blockDim.x):
                amount = np.int64(0)
                if weighted:
                    amount = large[i]
                else:
                    amount = np.int64(small[i])
                place = low * n_labels + i
                if i >= n_cells:
                    place = np.int64(offsets[width]) * n_labels + i - n_cells
                if amount != 0:
                    cuda.atomic.add(counts, place, amount)

    return count_rows
