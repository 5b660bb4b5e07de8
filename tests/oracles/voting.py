"""IVC, IPVC and IPC (1c, 3.11, 3.12), object by object, in exact fractions.

A `state` is a list with the cluster of every object. Clusters keep their index for a whole run;
one that is empty is gone.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import numpy as np

from .agreement import consensus_rand, exact_weights
from .labels import canonical


class Problem(NamedTuple):
    """L canonical labels (-1 missing), w member weights, and for every pair of objects:
    agree, the weight of the members that join them; known, of those that know both.
    """

    L: np.ndarray
    w: list
    agree: list
    known: list


def problem(L, weights=None):
    """Build the dense tables; with complete labels agree / known is the co-association S."""
    n, r = L.shape
    w = exact_weights(weights, r)
    agree = [[Fraction(0)] * n for _ in range(n)]
    known = [[Fraction(0)] * n for _ in range(n)]
    for x in range(n):
        for y in range(n):
            for j in range(r):
                if L[x, j] >= 0 and L[y, j] >= 0:
                    known[x][y] += w[j]
                    agree[x][y] += w[j] * int(L[x, j] == L[y, j])
    return Problem(L, w, agree, known)


def pick(scores, current):
    """Return the cluster with the least score: the current one if tied, else the smallest index."""
    least = min(scores.values())
    if scores.get(current) == least:
        return current
    return min(k for k, score in scores.items() if score == least)


def centre(L, objects):
    """Most frequent known label of every member; ties the smallest; None if nothing is known."""
    result = []
    for j in range(L.shape[1]):
        counts = Counter(int(L[i, j]) for i in objects if L[i, j] >= 0)
        most = max(counts.values(), default=0)
        result.append(min((v for v, c in counts.items() if c == most), default=None))
    return result


def hamming(row, centre_, w):
    """Weight of the members known for the row that disagree with the centre."""
    return sum(
        (w[j] for j, v in enumerate(row) if v >= 0 and v != centre_[j]),
        start=Fraction(0),
    )


def members_of(state):
    """Return {cluster: its objects}."""
    return {k: [i for i, s in enumerate(state) if s == k] for k in sorted(set(state))}


def ivc_centres(p, state):
    """Return {cluster: its centre}."""
    return {k: centre(p.L, objects) for k, objects in members_of(state).items()}


def ivc_round(p, state):
    """Every object to the centre at the smallest Hamming distance."""
    centres = ivc_centres(p, state)
    return [
        pick({k: hamming(p.L[i], c, p.w) for k, c in centres.items()}, state[i])
        for i in range(len(state))
    ]


def ivc_objective(p, state):
    """Total Hamming distance of the objects to the centres of their clusters."""
    centres = ivc_centres(p, state)
    return sum(hamming(p.L[i], centres[k], p.w) for i, k in enumerate(state))


def similarity(p, i, objects, exclude_self=False):
    """Ratio of sums over y in the cluster: agreements of i and y to what could be compared.

    Without missing labels this is the mean of S(i, y). Nothing to compare with (a singleton
    without itself) counts as 0: the two-cycle of section 1(c) exists only then.
    """
    others = [y for y in objects if not (exclude_self and y == i)]
    known = sum((p.known[i][y] for y in others), start=Fraction(0))
    agree = sum((p.agree[i][y] for y in others), start=Fraction(0))
    return agree / known if known else Fraction(0)


def ipvc_distance(p, i, objects):
    """sum_j w_j (1/n_k) #{y in P_k: L[y,j] != L[i,j]}, complete labels only."""
    different = [sum(int(p.L[y, j] != p.L[i, j]) for y in objects) for j in range(len(p.w))]
    return sum(p.w[j] * Fraction(d, len(objects)) for j, d in enumerate(different))


def ipc_round(p, state, exclude_self=False):
    """Every object to the cluster it is most similar to, all at once."""
    clusters = members_of(state)
    return [
        pick({k: -similarity(p, i, c, exclude_self) for k, c in clusters.items()}, state[i])
        for i in range(len(state))
    ]


def ipvc_round(p, state):
    """Every object to the nearest cluster, all at once; complete labels only."""
    clusters = members_of(state)
    return [
        pick({k: ipvc_distance(p, i, c) for k, c in clusters.items()}, state[i])
        for i in range(len(state))
    ]


def ipc_objective(p, state):
    """Mean similarity of the objects to their own cluster, themselves included."""
    clusters = members_of(state)
    return sum(similarity(p, i, clusters[k]) for i, k in enumerate(state)) / len(state)


def run(one_round, p, start, max_iter=100):
    """Repeat until a state returns; give every visited state, and whether it went in a circle."""
    visited = [list(start)]
    for _ in range(max_iter):
        state = one_round(p, visited[-1])
        if state == visited[-1]:
            return visited, False
        if state in visited:
            return visited, True
        visited.append(state)
    return visited, False


def results(one_round, p, start, max_iter=100):
    """Return the partitions that a start may end in: one, or on a circle all that tie (3.12)."""
    visited, circle = run(one_round, p, start, max_iter)
    if not circle:
        return {canonical(visited[-1])}
    partitions = {canonical(state) for state in visited}
    distance = {labels: consensus_rand(labels, p.L, p.w) for labels in partitions}
    return {labels for labels in partitions if distance[labels] == min(distance.values())}


def starts_by_merging(p, member, K):
    """Return every partition 3.11 allows when a member with more than K clusters is merged.

    The smallest cluster joins the one with the nearest centre; all choices among ties are
    followed, since the specification leaves them open.
    """
    clusters = members_of(canonical(member))
    if len(clusters) <= K:
        return {canonical(member)}
    found = set()
    least = min(len(objects) for objects in clusters.values())
    for small in (k for k, objects in clusters.items() if len(objects) == least):
        own = centre(p.L, clusters[small])
        gaps = {k: hamming(own, centre(p.L, c), p.w) for k, c in clusters.items() if k != small}
        for near in (k for k, gap in gaps.items() if gap == min(gaps.values())):
            merged = [near if k == small else k for k in member]
            found |= starts_by_merging(p, list(canonical(merged)), K)
    return found


def starts_by_splitting(p, member, K, *, fresh=True, centres=None):
    """Return every partition 3.11 allows when a member with fewer than K clusters is split.

    The profile furthest from its centre leaves, one at a time; `fresh`: centres follow. All
    choices among ties are followed. Nothing further than 0 from its centre: fewer clusters.
    """
    used = len(set(member))
    if centres is None or fresh:
        centres = ivc_centres(p, member)
    far = [hamming(p.L[i], centres[k], p.w) if k in centres else 0 for i, k in enumerate(member)]
    if used >= K or max(far) == 0:
        return {canonical(member)}
    found = set()
    for i in (i for i, distance in enumerate(far) if distance == max(far)):
        leaves = [k == member[i] and bool((p.L[y] == p.L[i]).all()) for y, k in enumerate(member)]
        split = [max(member) + 1 if leave else k for leave, k in zip(leaves, member, strict=True)]
        found |= starts_by_splitting(p, split, K, fresh=fresh, centres=centres)
    return found


def numberings(partition):
    """Return a partition under every numbering of its clusters, which decides later ties."""
    used = sorted(set(partition))
    return [[order[k] for k in partition] for order in permutations(range(len(used)))]


def starts(p, member, K):
    """Return the partitions that 3.11 allows as starts from a member, whatever its K_j."""
    used = len(set(member))
    if used > K:
        return starts_by_merging(p, member, K)
    if used < K:
        both = [starts_by_splitting(p, member, K, fresh=fresh) for fresh in (True, False)]
        return both[0] | both[1]
    return {canonical(member)}


def results_of_any_member(one_round, p, j, K):
    """Return all partitions that the start at member j may end in."""
    member = list(canonical(p.L[:, j].tolist()))
    ends = set()
    for start in starts(p, member, K):
        orders = [list(start)] if len(set(member)) == K else numberings(start)
        for order in orders:
            ends |= results(one_round, p, order)
    return ends
