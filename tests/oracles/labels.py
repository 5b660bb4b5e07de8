"""Label vectors and matrices: names, indicators, all partitions of a few objects."""

import numpy as np


def canonical(labels):
    """Return labels as a tuple, renamed 0, 1, ... by first appearance; -1 stays."""
    names = {}
    result = []
    for label in labels:
        if label < 0:
            result.append(-1)
            continue
        if label not in names:
            names[label] = len(names)
        result.append(names[label])
    return tuple(result)


def canonical_members(L):
    """Rename the labels of every member by first appearance."""
    L = np.asarray(L)
    return np.column_stack([canonical(L[:, j].tolist()) for j in range(L.shape[1])])


def cluster_counts(L):
    """Return K_j of every member."""
    return [len({v for v in column if v >= 0}) for column in np.asarray(L).T.tolist()]


def profiles(L):
    """Return the distinct rows in order of first appearance."""
    rows = []
    for row in np.asarray(L).tolist():
        if row not in rows:
            rows.append(row)
    return rows


def one_hot(L):
    """H: columns member-major, inside a member by canonical label; a missing label gives no one."""
    L = canonical_members(L)
    columns = []
    owners = []
    for j in range(L.shape[1]):
        for v in range(L[:, j].max() + 1):
            columns.append((L[:, j] == v).astype(float))
            owners.append(j)
    return np.column_stack(columns), np.array(owners)


def all_partitions(n, most):
    """Yield every partition of n objects in at most `most` clusters, in canonical form."""

    def extend(prefix, used):
        if len(prefix) == n:
            yield tuple(prefix)
            return
        for v in range(min(used + 1, most)):
            yield from extend([*prefix, v], max(used, v + 1))

    yield from extend([], 0)
