"""Scatter: what the rows of every base cluster add up to."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def count_labels(codes, offsets, labels, weight, table):  # type: ignore[no-untyped-def]
    """Add every row's weight to table[base cluster, label]; `weight` None means one, exactly."""
    for i in range(codes.shape[0]):
        label = np.uint32(labels[i])
        if weight is None:
            for j in range(codes.shape[1]):
                table[np.uint32(offsets[j] + codes[i, j]), label] += 1
        else:
            for j in range(codes.shape[1]):
                table[np.uint32(offsets[j] + codes[i, j]), label] += weight[i]


@jit
def scatter_rows(codes, offsets, values, weight, table):  # type: ignore[no-untyped-def]
    """Add weight times values[i] to the table rows of row i's base clusters."""
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            row = np.uint32(offsets[j] + codes[i, j])
            for k in range(values.shape[1]):
                if weight is None:
                    table[row, k] += values[i, k]
                else:
                    table[row, k] += weight[i] * values[i, k]


@jit
def count_observed(codes, weights, out):  # type: ignore[no-untyped-def]
    """Write for every row the summed weights of the members that label it."""
    for i in range(codes.shape[0]):
        total = 0.0
        for j in range(codes.shape[1]):
            if codes[i, j] != 0:
                total += weights[j]
        out[i] = total
