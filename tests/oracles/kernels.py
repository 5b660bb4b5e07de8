"""What the kernels compute, in plain NumPy and loops."""

import numpy as np


def offsets_of(n_clusters):
    """Where every member begins in a padded table: one row for missing labels in front of each."""
    return np.concatenate([[0], np.cumsum(np.asarray(n_clusters) + 1)])[:-1].astype(np.uint32)


def gather(codes, offsets, table, bias):
    return bias + sum(table[offsets[j] + codes[:, j]] for j in range(codes.shape[1]))


def choose(scores, current, tolerance):
    labels = []
    for i, row in enumerate(scores):
        threshold = row.max() - tolerance * max(1.0, abs(row.max()))
        best = np.flatnonzero(row >= threshold)
        labels.append(current[i] if current is not None and current[i] in best else best[0])
    return np.array(labels)


def scatter(codes, offsets, values, weight, n_padded):
    table = np.zeros((n_padded, values.shape[1]), dtype=np.result_type(values, weight))
    for i in range(len(codes)):
        for j in range(codes.shape[1]):
            table[offsets[j] + codes[i, j]] += weight[i] * values[i]
    return table


def overlaps(codes, offsets, weight, n_padded):
    table = np.zeros((n_padded, n_padded), dtype=weight.dtype)
    for i in range(len(codes)):
        for j in range(codes.shape[1]):
            for m in range(j, codes.shape[1]):
                table[offsets[j] + codes[i, j], offsets[m] + codes[i, m]] += weight[i]
    return table


def relabel(labels):
    """Number labels by first appearance; missing = 0, first = 1."""
    codes = np.zeros(labels.shape, dtype=int)
    values = []
    for j in range(labels.shape[1]):
        seen = {}
        for i, label in enumerate(labels[:, j]):
            if label >= 0:
                codes[i, j] = seen.setdefault(label, len(seen) + 1)
        values.append(list(seen))
    return codes, values
