"""The labelling algorithm (3.18): paths by hand, k-means on the written n x r matrix of numbers.

A missing label is nan in Y. An object's squared distances run over the members that know it and are
scaled by W / W_i (0.2), so a row counts m_i W / W_i times in the means.
"""

import numpy as np

from .labels import all_partitions


def path(centres, function="relative", alpha=1.0):
    """Numbers of the clusters of one member, from cluster 0 on; equal centres have equal numbers."""
    centres = [tuple(map(float, np.atleast_1d(c))) for c in centres]
    places = list(dict.fromkeys(centres))

    def length(a, b):
        return sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5

    shortest = min((length(a, b) for a in places for b in places if a != b), default=1.0)
    grow = {
        "inverse": lambda w: 1 / w,
        "distance": lambda w: w,
        "relative": lambda w: w / shortest,
    }[function]
    numbers = {places[0]: alpha}
    here = places[0]
    while len(numbers) < len(places):
        left = [p for p in places if p not in numbers]
        following = min(left, key=lambda p: length(here, p))
        numbers[following] = numbers[here] + grow(length(here, following))
        here = following
    return [numbers[c] for c in centres]


def features(L, centres, function="relative", alpha=1.0):
    """Y: the number of every object's cluster in every member; labels are canonical."""
    Y = np.full(np.shape(L), np.nan)
    for j, of_member in enumerate(centres):
        numbers = path(of_member, function, alpha)
        for i, v in enumerate(np.asarray(L)[:, j].tolist()):
            if v >= 0:
                Y[i, j] = numbers[v]
    return Y


def scales(Y, w):
    """W / W_i of every object."""
    return [sum(w) / sum(v for v, y in zip(w, row, strict=True) if not np.isnan(y)) for row in Y]


def distance(row, centre, w):
    """Squared distance over the members that know the object, scaled up."""
    known = ~np.isnan(row)
    gaps = (row[known] - centre[known]) ** 2
    return float(np.asarray(w)[known] @ gaps) * scales([row], w)[0]


def means(Y, labels, w, m):
    """Mean numbers of every cluster; nan where no object of it is known."""
    weight = np.asarray(scales(Y, w)) * m
    centres = np.full((max(labels) + 1, Y.shape[1]), np.nan)
    for k in range(len(centres)):
        for j in range(Y.shape[1]):
            rows = [i for i, v in enumerate(labels) if v == k and not np.isnan(Y[i, j])]
            if rows:
                centres[k, j] = weight[rows] @ Y[rows, j] / weight[rows].sum()
    return centres


def sse(Y, labels, w, m):
    """Sum of the squared distances to the own centre."""
    C = means(Y, labels, w, m)
    return sum(m[i] * distance(Y[i], C[k], w) for i, k in enumerate(labels))


def is_fixed_point(Y, labels, w, m):
    """Whether no object is nearer to another centre, where all that it needs of that is known."""
    C = means(Y, labels, w, m)
    for i, k in enumerate(labels):
        own = distance(Y[i], C[k], w)
        others = [distance(Y[i], c, w) for c in C]
        if np.nanmin(others) < own - 1e-7 * max(1.0, own):
            return False
    return True


def optimum(Y, K, w, m):
    """Least sum of squares over all partitions in at most K clusters."""
    return min(sse(Y, p, w, m) for p in all_partitions(len(Y), K))
