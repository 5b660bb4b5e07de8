"""What a careful NumPy user would write for one sweep: gather, argmax, count table."""

import numpy as np


def sweep_whole_array(labels, table, n_labels):
    """Fancy indexing and bincount on whole columns: (n, K) temporaries.

    labels (n, r) unsigned, table (r, k0, K). Returns labels (n,) and counts (r, k0, K).
    """
    n_rows, n_members = labels.shape
    scores = np.zeros((n_rows, n_labels))
    for j in range(n_members):
        scores += table[j][labels[:, j]]
    winners = scores.argmax(axis=1)
    k0 = table.shape[1]
    counts = [
        np.bincount(labels[:, j].astype(np.int64) * n_labels + winners, minlength=k0 * n_labels)
        for j in range(n_members)
    ]
    return winners, np.array(counts).reshape(n_members, k0, n_labels)


def sweep_take_in_blocks(labels, table, n_labels, block=16_384):
    """`take` into reused buffers, block by block."""
    n_rows, n_members = labels.shape
    k0 = table.shape[1]
    flat = np.ascontiguousarray(table.reshape(n_members * k0, n_labels))
    offsets = np.arange(n_members) * k0
    winners = np.empty(n_rows, dtype=np.int64)
    counts = np.zeros(n_members * k0 * n_labels, dtype=np.int64)
    scores, part = np.empty((block, n_labels)), np.empty((block, n_labels))
    for start in range(0, n_rows, block):
        rows = labels[start : start + block].astype(np.intp) + offsets
        size = len(rows)
        np.take(flat, rows[:, 0], axis=0, out=scores[:size], mode="clip")
        for j in range(1, n_members):
            np.take(flat, rows[:, j], axis=0, out=part[:size], mode="clip")
            scores[:size] += part[:size]
        winners[start : start + size] = scores[:size].argmax(axis=1)
        cells = rows * n_labels + winners[start : start + size, None]
        counts += np.bincount(cells.ravel(), minlength=len(counts))
    return winners, counts.reshape(n_members, k0, n_labels)
