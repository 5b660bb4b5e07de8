"""Vectors of labels: sizes, differences, look-ups."""

from consilience._kernels._jit import jit


@jit
def add_sizes(labels, weight, sizes):  # type: ignore[no-untyped-def]
    """Add the weight of every row, or one, to the size of its label."""
    for i in range(labels.shape[0]):
        if weight is None:
            sizes[labels[i]] += 1
        else:
            sizes[labels[i]] += weight[i]


@jit
def count_different(labels, other):  # type: ignore[no-untyped-def]
    """Return how many rows have different labels."""
    n_different = 0
    for i in range(labels.shape[0]):
        n_different += labels[i] != other[i]
    return n_different


@jit
def look_up(table, labels, out):  # type: ignore[no-untyped-def]
    """Write table[label] of every row."""
    for i in range(labels.shape[0]):
        out[i] = table[labels[i]]


@jit
def first_places(labels, first):  # type: ignore[no-untyped-def]
    """Write the first position of every label; entries of other labels are unchanged."""
    n_rows = labels.shape[0]
    for i in range(n_rows):
        if first[labels[i]] == n_rows:
            first[labels[i]] = i
