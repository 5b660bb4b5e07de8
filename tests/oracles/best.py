"""BEST (3.15): the member that agrees best with all members; ties the first."""

import numpy as np

from .agreement import anmi, exact_weights, rand_distance


def rand_sums(L, weights=None):
    """sum_l w_l rand(j, l) of every member j, on the objects that both know."""
    columns = np.asarray(L).T.tolist()
    w = exact_weights(weights, len(columns))
    return [sum(v * rand_distance(a, b) for v, b in zip(w, columns, strict=True)) for a in columns]


def best_by_rand(L, weights=None, among=None):
    """Return the position of the member with the least sum."""
    sums = rand_sums(L, weights)
    return min(range(len(sums)) if among is None else among, key=lambda j: (sums[j], j))


def best_by_anmi(L, weights=None):
    """Return the positions of all members whose mean NMI is largest, within 1e-9."""
    values = [anmi(column, L, weights) for column in np.asarray(L).T.tolist()]
    return [j for j, value in enumerate(values) if value >= max(values) - 1e-9]
