"""Nearest landmarks of rows, and the graph that links rows and landmarks.

near      (rows, m) places of the landmarks nearest to every row, nearest first
distance  (rows, m) their distances
place_of  (landmarks,) position of a landmark among those of a member; -1 = not used by the member
links     (rows, q) places among the landmarks of a member; written
shares    (rows, q) affinities divided by their sum; written
total     (rows,) that sum; written
"""

import numpy as np

from consilience._kernels._jit import jit

# Added to every affinity, so that a row far from all landmarks is still linked with them.
_LEAST = 1e-12


@jit
def keep_nearest(products, half, squares, near, distance):  # type: ignore[no-untyped-def]
    """Write the m nearest landmarks of every row; of equals the first.

    products  (rows, landmarks) inner products
    half      (landmarks,) half of the squared lengths of the landmarks
    squares   (rows,) squared lengths of the rows
    """
    kept = near.shape[1]
    best = np.empty(kept, dtype=products.dtype)
    for i in range(products.shape[0]):
        row = products[i]
        best[:] = np.inf
        worst = best[kept - 1]
        for landmark in range(row.shape[0]):
            gap = half[landmark] - row[landmark]
            if gap < worst:
                place = kept - 1
                while place > 0 and best[place - 1] > gap:
                    best[place] = best[place - 1]
                    near[i, place] = near[i, place - 1]
                    place -= 1
                best[place] = gap
                near[i, place] = landmark
                worst = best[kept - 1]
        for place in range(kept):
            distance[i, place] = np.sqrt(max(squares[i] + 2 * best[place], 0.0))


@jit
def exact_distances(rows, landmarks, near, distance):  # type: ignore[no-untyped-def]
    """Write the distances again from differences: products lose digits far from the origin."""
    for i in range(near.shape[0]):
        for place in range(near.shape[1]):
            landmark = landmarks[near[i, place]]
            total = 0.0
            for f in range(rows.shape[1]):
                gap = rows[i, f] - landmark[f]
                total += gap * gap
            distance[i, place] = np.sqrt(total)


@jit
def mean_distance(near, distance, place_of, n_links):  # type: ignore[no-untyped-def]
    """Return the mean distance of all rows to the nearest landmarks of a member."""
    total, count = 0.0, 0
    for i in range(near.shape[0]):
        found = 0
        for m in range(near.shape[1]):
            if place_of[near[i, m]] >= 0:
                total += distance[i, m]
                found += 1
                if found == n_links:
                    break
        count += found
    return total / max(count, 1)


@jit
def link_rows(near, distance, place_of, instead, scale, links, shares, total):  # type: ignore[no-untyped-def]
    """Link every row with the nearest landmarks of a member, by a Gaussian affinity.

    scale    width of the affinity; 0 = the row's own mean distance
    instead  (landmarks,) the nearest landmark of the member to any landmark, for a row that has none
             of the member's landmarks among its nearest ones; empty = not known yet

    Returns the number of rows that need `instead`; if it is empty they are linked with landmark 0.
    """
    n_links = links.shape[1]
    n_without = 0
    for i in range(near.shape[0]):
        found = 0
        mean = 0.0
        for m in range(near.shape[1]):
            place = place_of[near[i, m]]
            if place >= 0:
                links[i, found] = place
                shares[i, found] = distance[i, m]
                mean += distance[i, m]
                found += 1
                if found == n_links:
                    break
        if found == 0:
            n_without += 1
            links[i, 0] = instead[near[i, 0]] if instead.shape[0] > 0 else 0
            shares[i, 0] = distance[i, 0]
            mean, found = distance[i, 0], 1
        width = scale if scale > 0 else mean / found
        width = max(width, 1e-300)
        summed = 0.0
        for q in range(found):
            apart = shares[i, q] / width
            shares[i, q] = np.exp(-apart * apart / 2) + _LEAST
            summed += shares[i, q]
        for q in range(found):
            shares[i, q] /= summed
        for q in range(found, n_links):
            links[i, q], shares[i, q] = links[i, 0], 0.0
        total[i] = summed
    return n_without


@jit
def add_affinities(links, shares, total, similarity):  # type: ignore[no-untyped-def]
    """Add B' D^-1 B, the similarity of landmarks by the rows they share; B = shares times total."""
    for i in range(links.shape[0]):
        for a in range(links.shape[1]):
            weight = total[i] * shares[i, a]
            for b in range(links.shape[1]):
                similarity[links[i, a], links[i, b]] += weight * shares[i, b]


@jit
def embed_rows(links, shares, table, rows):  # type: ignore[no-untyped-def]
    """Write the mean of the table over the links of every row, scaled to length one."""
    for i in range(links.shape[0]):
        row = rows[i]
        row[:] = 0.0
        for q in range(links.shape[1]):
            share = shares[i, q]
            if share > 0:
                point = table[links[i, q]]
                for k in range(row.shape[0]):
                    row[k] += share * point[k]
        length = 0.0
        for k in range(row.shape[0]):
            length += row[k] * row[k]
        if length > 0:
            factor = 1.0 / np.sqrt(length)
            for k in range(row.shape[0]):
                row[k] *= factor
