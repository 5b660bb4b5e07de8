"""Fingerprints of rows, to find identical ones."""

import numpy as np

from consilience._kernels._jit import jit

# The odd constants of the SplitMix64 finaliser.
STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
# Factor of a position in a hash.
PLACE = np.uint64(0xD6E8FEB86659FD93)
SHIFT_30, SHIFT_27, SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)


@jit
def hash_rows(codes, out):  # type: ignore[no-untyped-def]
    """Write a 64-bit hash of every row; equal rows have equal hashes."""
    for i in range(codes.shape[0]):
        state = STEP
        for j in range(codes.shape[1]):
            state = (state ^ np.uint64(codes[i, j])) * MIX_1
            state ^= state >> SHIFT_27
        state = (state ^ (state >> SHIFT_30)) * MIX_2
        out[i] = state ^ (state >> SHIFT_31)


@jit
def rows_match(codes, representative):  # type: ignore[no-untyped-def]
    """Whether every row equals the row that represents it."""
    for i in range(codes.shape[0]):
        other = representative[i]
        for j in range(codes.shape[1]):
            if codes[i, j] != codes[other, j]:
                return False
    return True


@jit
def digest_rows(codes, out):  # type: ignore[no-untyped-def]
    """Write two sums, modulo 2^64, of the hashes of all rows, each mixed with its position."""
    first = second = np.uint64(0)
    for i in range(codes.shape[0]):
        state = STEP
        for j in range(codes.shape[1]):
            state = (state ^ np.uint64(codes[i, j])) * MIX_1
            state ^= state >> SHIFT_27
        state = (state ^ (state >> SHIFT_30)) * MIX_2
        state ^= state >> SHIFT_31
        mixed = (state + np.uint64(i) * PLACE) * MIX_1
        mixed ^= mixed >> SHIFT_27
        mixed *= MIX_2
        mixed ^= mixed >> SHIFT_31
        first += mixed
        second += mixed * (mixed >> SHIFT_31)
    out[0], out[1] = first, second


@jit
def digest_labels(labels, start, out):  # type: ignore[no-untyped-def]
    """Add the same for labels whose first one has the position `start`."""
    first = second = np.uint64(0)
    for i in range(labels.shape[0]):
        mixed = (np.uint64(labels[i]) + np.uint64(start + i) * PLACE + STEP) * MIX_1
        mixed ^= mixed >> SHIFT_27
        mixed *= MIX_2
        mixed ^= mixed >> SHIFT_31
        first += mixed
        second += mixed * (mixed >> SHIFT_31)
    out[0] += first
    out[1] += second
