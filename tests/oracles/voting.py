"""IVC, IPVC and IPC (1c, 3.11, 3.12), object by object, in exact fractions.

`L` is a canonical label matrix (-1 missing), `state` a list with the cluster of every object and
`w` the member weights. Clusters keep their index for a whole run; one that is empty is gone.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np

from .agreement import consensus_rand
from .labels import canonical


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


def ivc_centres(L, state):
    """Return {cluster: its centre}."""
    return {k: centre(L, objects) for k, objects in members_of(state).items()}


def ivc_round(L, state, w):
    """Every object to the centre at the smallest Hamming distance."""
    centres = ivc_centres(L, state)
    return [
        pick({k: hamming(L[i], c, w) for k, c in centres.items()}, state[i])
        for i in range(len(state))
    ]


def ivc_objective(L, state, w):
    """Total Hamming distance of the objects to the centres of their clusters."""
    centres = ivc_centres(L, state)
    return sum(hamming(L[i], centres[k], w) for i, k in enumerate(state))


def similarity(L, i, objects, w, exclude_self=False):
    """Ratio of sums over y: weight of members that join i and y to weight of those that know both.

    Without missing labels this is the mean of S(i, y). Nothing to compare with (a singleton
    without itself) counts as 0: the two-cycle of section 1(c) exists only then.
    """
    agree = known = Fraction(0)
    for y in objects:
        if exclude_self and y == i:
            continue
        for j in range(L.shape[1]):
            if L[i, j] >= 0 and L[y, j] >= 0:
                known += w[j]
                agree += w[j] * int(L[i, j] == L[y, j])
    return agree / known if known else Fraction(0)


def ipvc_distance(L, i, objects, w):
    """sum_j w_j (1/n_k) #{y in P_k: L[y,j] != L[i,j]}, complete labels only."""
    different = [sum(int(L[y, j] != L[i, j]) for y in objects) for j in range(L.shape[1])]
    return sum(w[j] * Fraction(d, len(objects)) for j, d in enumerate(different))


def ipc_round(L, state, w, exclude_self=False):
    """Every object to the cluster it is most similar to, all at once."""
    clusters = members_of(state)
    return [
        pick({k: -similarity(L, i, c, w, exclude_self) for k, c in clusters.items()}, state[i])
        for i in range(len(state))
    ]


def ipvc_round(L, state, w):
    """Every object to the nearest cluster, all at once; complete labels only."""
    clusters = members_of(state)
    return [
        pick({k: ipvc_distance(L, i, c, w) for k, c in clusters.items()}, state[i])
        for i in range(len(state))
    ]


def ipc_objective(L, state, w):
    """Mean similarity of the objects to their own cluster, themselves included."""
    clusters = members_of(state)
    return sum(similarity(L, i, clusters[k], w) for i, k in enumerate(state)) / len(state)


def run(one_round, L, start, w, max_iter=100):
    """Repeat until a state returns; give every visited state, and whether it went in a circle."""
    visited = [list(start)]
    for _ in range(max_iter):
        state = one_round(L, visited[-1], w)
        if state == visited[-1]:
            return visited, False
        if state in visited:
            return visited, True
        visited.append(state)
    return visited, False


def results(one_round, L, start, w, max_iter=100):
    """Return the partitions that a start may end in: one, or on a circle all that tie (3.12)."""
    visited, circle = run(one_round, L, start, w, max_iter)
    if not circle:
        return {canonical(visited[-1])}
    partitions = {canonical(state) for state in visited}
    distance = {p: consensus_rand(p, L, w) for p in partitions}
    return {p for p in partitions if distance[p] == min(distance.values())}


def starts_by_merging(L, member, K, w):
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
        own = centre(L, clusters[small])
        gaps = {k: hamming(own, centre(L, c), w) for k, c in clusters.items() if k != small}
        for near in (k for k, gap in gaps.items() if gap == min(gaps.values())):
            merged = [near if k == small else k for k in member]
            found |= starts_by_merging(L, list(canonical(merged)), K, w)
    return found


def starts_by_splitting(L, member, K, w, *, fresh=True, centres=None):
    """Return every partition 3.11 allows when a member with fewer than K clusters is split.

    The profile furthest from its centre leaves, one at a time; `fresh`: centres follow. All
    choices among ties are followed. Nothing further than 0 from its centre: fewer clusters.
    """
    used = len(set(member))
    if centres is None or fresh:
        centres = ivc_centres(L, member)
    far = [hamming(L[i], centres[k], w) if k in centres else 0 for i, k in enumerate(member)]
    if used >= K or max(far) == 0:
        return {canonical(member)}
    found = set()
    for i in (i for i, distance in enumerate(far) if distance == max(far)):
        leaves = [k == member[i] and bool((L[y] == L[i]).all()) for y, k in enumerate(member)]
        split = [max(member) + 1 if leave else k for leave, k in zip(leaves, member, strict=True)]
        found |= starts_by_splitting(L, split, K, w, fresh=fresh, centres=centres)
    return found


def numberings(partition):
    """Return a partition under every numbering of its clusters, which decides later ties."""
    used = sorted(set(partition))
    return [[order[k] for k in partition] for order in permutations(range(len(used)))]


def results_of_any_member(one_round, L, j, K, w):
    """Return all partitions that the start at member j may end in, whatever its K_j."""
    member = list(canonical(L[:, j].tolist()))
    found = starts_by_merging(L, member, K, w)
    for fresh in (True, False):
        found |= starts_by_splitting(L, member, K, w, fresh=fresh)
    if len(set(member)) != K:
        found.discard(canonical(member) if len(set(member)) > K else None)
    ends = set()
    for start in found:
        orders = [list(start)] if len(set(member)) == K else numberings(start)
        for order in orders:
            ends |= results(one_round, np.asarray(L), order, w)
    return ends
