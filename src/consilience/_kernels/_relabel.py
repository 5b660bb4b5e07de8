"""Encode label matrices: clusters are numbered by first appearance."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def encode_rows(labels, first, lookup, n_clusters, codes, values):  # type: ignore[no-untyped-def]
    """Encode rows that follow those already seen.

    labels      (rows, r) integers; negative = missing
    first       (r,) where member j begins in `lookup` and `values`
    lookup      code of every possible label, 0 = not seen yet; updated
    n_clusters  (r,) clusters seen so far; updated
    codes       (rows, r) written
    values      label behind every code, in the order of appearance; updated
    """
    for i in range(labels.shape[0]):
        for j in range(labels.shape[1]):
            label = labels[i, j]
            if label < 0:
                codes[i, j] = 0
                continue
            place = first[j] + label
            code = lookup[place]
            if code == 0:
                values[first[j] + n_clusters[j]] = label
                n_clusters[j] += 1
                code = n_clusters[j]
                lookup[place] = code
            codes[i, j] = code


@jit
def count_codes(codes, offsets, counts):  # type: ignore[no-untyped-def]
    """Add every code to counts[offsets[j] + code]; missing labels are counted at offsets[j]."""
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            counts[offsets[j] + codes[i, j]] += 1


@jit
def recode_rows(labels, first, size, lookup, codes):  # type: ignore[no-untyped-def]
    """Write lookup[first[j] + label] for every label that member j can have, 0 for any other."""
    for i in range(labels.shape[0]):
        for j in range(labels.shape[1]):
            label = np.int64(labels[i, j])
            if 0 <= label < size[j]:
                codes[i, j] = lookup[first[j] + label]
            else:
                codes[i, j] = 0
