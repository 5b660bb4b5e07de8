"""Fingerprints of rows, to find identical ones."""

import numpy as np

from consilience._kernels._jit import jit

# The odd constants of the SplitMix64 finaliser.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@jit
def hash_rows(codes, out):  # type: ignore[no-untyped-def]
    """Write a 64-bit hash of every row; equal rows have equal hashes."""
    for i in range(codes.shape[0]):
        state = _STEP
        for j in range(codes.shape[1]):
            state = (state ^ np.uint64(codes[i, j])) * _MIX_1
            state ^= state >> _27
        state = (state ^ (state >> _30)) * _MIX_2
        out[i] = state ^ (state >> _31)


@jit
def rows_match(codes, representative):  # type: ignore[no-untyped-def]
    """Say whether every row equals the row that represents it."""
    for i in range(codes.shape[0]):
        other = representative[i]
        for j in range(codes.shape[1]):
            if codes[i, j] != codes[other, j]:
                return False
    return True
