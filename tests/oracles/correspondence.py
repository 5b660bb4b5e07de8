"""CCC, CCU and CCSVD (3.17): base clusters as sets of objects, rewards as fractions, loops."""

from fractions import Fraction

import numpy as np

from .agreement import exact_weights
from .best import best_by_rand
from .labels import all_partitions, cluster_counts, one_hot
from .plurality import matchings


def base_clusters(L):
    """Return every base cluster as (member, set of objects), member-major, by canonical label."""
    return [
        (j, {i for i, v in enumerate(column) if v == c})
        for j, column in enumerate(np.asarray(L).T.tolist())
        for c in range(max(column) + 1)
    ]


def dice(c, d):
    """Twice the overlap over both sizes."""
    return Fraction(2 * len(c & d), len(c) + len(d))


def start_member(L, K, weights=None):
    """Return the member that BEST picks among those with K clusters, or nearest to K."""
    gaps = [abs(count - K) for count in cluster_counts(L)]
    among = [j for j, gap in enumerate(gaps) if gap == min(gaps)]
    return best_by_rand(L, weights, among)


def first_rewards(clusters, groups):
    """R[c][k] for metaclusters that hold one set of objects each; an empty set rewards nobody."""
    return [[dice(c, g) if g else Fraction(0) for g in groups] for _, c in clusters]


def rewards(clusters, state, w, former):
    """R[c][k]: mean similarity to the base clusters in k; an empty k keeps its column."""
    R = [list(row) for row in former]
    for k in range(len(former[0])):
        inside = [d for d, v in enumerate(state) if v == k]
        total = sum(w[clusters[d][0]] for d in inside)
        if not inside:
            continue
        for c, (_, objects) in enumerate(clusters):
            near = sum(w[clusters[d][0]] * dice(objects, clusters[d][1]) for d in inside)
            R[c][k] = near / total
    return R


def pick(row, current):
    """Return the best column: the current one if tied, else the first."""
    return current if current is not None and row[current] == max(row) else row.index(max(row))


def ccu_round(clusters, R, state):
    """Every base cluster to its largest reward."""
    return [pick(R[c], state[c]) for c in range(len(clusters))]


def ccc_round(clusters, R, state):
    """One-to-one per member; the surplus to its largest reward. None if optima tie."""
    following = ccu_round(clusters, R, state)
    for j in sorted({j for j, _ in clusters}):
        own = [c for c, (member, _) in enumerate(clusters) if member == j]
        found = {}
        for matching in matchings(len(own), len(R[0])):
            pairs = [(c, k) for c, k in zip(own, matching, strict=True) if k is not None]
            worth = (sum(R[c][k] for c, k in pairs), sum(state[c] == k for c, k in pairs))
            target = tuple(
                following[c] if k is None else k for c, k in zip(own, matching, strict=True)
            )
            found.setdefault(worth, set()).add(target)
        best = found[max(found)]
        if len(best) > 1:
            return None
        for c, k in zip(own, best.pop(), strict=True):
            following[c] = k
    return following


def metaclusters(one_round, L, groups, weights=None, rounds=100):
    """Return (metacluster of every base cluster, its summed reward); None where ties leave it open."""
    clusters, w = base_clusters(L), exact_weights(weights, np.shape(L)[1])
    R = first_rewards(clusters, groups)
    state = [None] * len(clusters)
    for _ in range(rounds):
        following = one_round(clusters, R, state)
        if following is None:
            return None
        total = sum(w[clusters[c][0]] * R[c][k] for c, k in enumerate(following))
        if following == state:
            return state, total
        state = following
        R = rewards(clusters, state, w, R)
    return None


def votes(L, state, K, weights=None):
    """Weight of the base clusters that every metacluster holds, per object."""
    w = exact_weights(weights, np.shape(L)[1])
    table = [[Fraction(0)] * K for _ in range(len(L))]
    for (j, objects), k in zip(base_clusters(L), state, strict=True):
        for i in objects:
            table[i][k] += w[j]
    return table


def vote(L, state, K, weights=None):
    """Return the metacluster with most votes for every object; ties: the first."""
    return [row.index(max(row)) for row in votes(L, state, K, weights)]


def singular_values(L, weights=None):
    """Singular values of H with columns times sqrt(w)."""
    H, owners = one_hot(L)
    scale = np.ones(len(owners)) if weights is None else np.sqrt(np.array(weights)[owners])
    return np.linalg.svd(H * scale, compute_uv=False)


def places(L, K, weights=None):
    """sigma_k v_ck of every base cluster by a dense decomposition, as if members were repeated."""
    H, owners = one_hot(L)
    scale = np.ones(len(owners)) if weights is None else np.sqrt(np.array(weights)[owners])
    _, sigma, right = np.linalg.svd(H * scale, full_matrices=False)
    return (sigma[:K, None] * right[:K]).T / scale[:, None]


def point_weights(L, weights=None):
    """w_j s_c of every base cluster."""
    H, owners = one_hot(L)
    return H.sum(axis=0) * (1.0 if weights is None else np.array(weights)[owners])


def weighted_sse(points, weight, labels):
    """Sum of weighted squared distances to the weighted mean of the own cluster."""
    total = 0.0
    for k in set(labels):
        inside = [c for c, v in enumerate(labels) if v == k]
        mean = sum(weight[c] * points[c] for c in inside) / sum(weight[c] for c in inside)
        total += sum(weight[c] * float(((points[c] - mean) ** 2).sum()) for c in inside)
    return total


def partitions_with_sse(points, weight, K, value):
    """Yield every partition of the points in at most K clusters that has this sum of squares."""
    for labels in all_partitions(len(points), K):
        if abs(weighted_sse(points, weight, labels) - value) <= 1e-8 * max(1.0, value):
            yield labels
