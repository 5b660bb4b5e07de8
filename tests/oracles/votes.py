"""Certainty-weighted votes of base clusters, their confidence and their information, object by object.

An ensemble is a list of members; a member is the list of every object's memberships, {cluster: share},
empty if the member does not know the object. Every sum is a loop over objects.
"""

from math import exp, log, log2

import numpy as np


def hard_members(L):
    """Return the members of a label matrix: one cluster with all of an object, or none."""
    return [[{v: 1.0} if v >= 0 else {} for v in column] for column in np.asarray(L).T.tolist()]


def soft_members(matrices):
    """Return the members of membership matrices; a row of zeros is an unknown object."""
    return [
        [{c: share for c, share in enumerate(row) if share > 0} for row in np.asarray(m).tolist()]
        for m in matrices
    ]


def uncertainties(members, multiplicity):
    """Bits of the labels that every member gives to c's objects, {(owner, c): [by member]}."""
    clusters = {(j, c) for j, member in enumerate(members) for row in member for c in row}
    found = {}
    for j, c in clusters:
        found[j, c] = []
        for other in members:
            inside = {}
            for i, row in enumerate(members[j]):
                for d, share in other[i].items():
                    inside[d] = inside.get(d, 0.0) + multiplicity[i] * row.get(c, 0.0) * share
            known = sum(inside.values())
            parts = [part / known for part in inside.values() if part > 0]
            found[j, c].append(-sum(p * log2(p) for p in parts))
    return found


def certainties(members, weights, multiplicity, theta):
    """w_c = weight of the member * exp(-E_c / (theta * weight of the members that label anything))."""
    total = sum(w for w, member in zip(weights, members, strict=True) if any(member))
    return {
        (j, c): weights[j]
        * exp(-sum(w * e for w, e in zip(weights, bits, strict=True)) / (theta * total))
        for (j, c), bits in uncertainties(members, multiplicity).items()
    }


def shares_of_sizes(labels, multiplicity):
    """q_k: the share of label k among the labelled objects."""
    sizes = {}
    for k, m in zip(labels, multiplicity, strict=True):
        if k >= 0:
            sizes[k] = sizes.get(k, 0.0) + m
    total = sum(sizes.values())
    return {k: size / total for k, size in sizes.items() if size > 0}


def votes(labels, members, weights=None, multiplicity=None, theta=0.4):
    """V: for every labelled object {label: share of votes}, None for the others; and q."""
    weights = [1.0] * len(members) if weights is None else list(weights)
    multiplicity = [1.0] * len(labels) if multiplicity is None else list(multiplicity)
    w = certainties(members, weights, multiplicity, theta)
    q = shares_of_sizes(labels, multiplicity)
    P = {name: _cluster_votes(labels, members, multiplicity, *name) for name in w}
    V = []
    for i, k in enumerate(labels):
        if k < 0:
            V.append(None)
            continue
        cast, total = dict.fromkeys(q, 0.0), 0.0
        for j, member in enumerate(members):
            for c, share in member[i].items():
                total += w[j, c] * share
                for label, part in P[j, c].items():
                    cast[label] = cast.get(label, 0.0) + w[j, c] * share * part
        V.append({label: v / total for label, v in cast.items()} if total > 0 else dict(q))
    return V, q


def _cluster_votes(labels, members, multiplicity, j, c):
    """P_ck: the share of base cluster c that has label k, among its labelled objects."""
    parts = {}
    for i, k in enumerate(labels):
        if k >= 0 and c in members[j][i]:
            parts[k] = parts.get(k, 0.0) + multiplicity[i] * members[j][i][c]
    size = sum(parts.values())
    return {k: part / size for k, part in parts.items()} if size > 0 else {}


def _mean(values, labels, multiplicity):
    counted = [(m, v) for m, v, k in zip(multiplicity, values, labels, strict=True) if k >= 0]
    return sum(m * v for m, v in counted) / sum(m for m, _ in counted)


def confidence(labels, members, weights=None, multiplicity=None, theta=0.4):
    """Mean over the objects of V_i, y_i."""
    V, _ = votes(labels, members, weights, multiplicity, theta)
    own = [None if v is None else v.get(k, 0.0) for v, k in zip(V, labels, strict=True)]
    return _mean(own, labels, [1.0] * len(labels) if multiplicity is None else multiplicity)


def adjusted_confidence(labels, members, weights=None, multiplicity=None, theta=0.4):
    """kappa = (confidence - sum of q^2) / (1 - sum of q^2); 1 for a single cluster."""
    m = [1.0] * len(labels) if multiplicity is None else multiplicity
    q = shares_of_sizes(labels, m)
    chance = sum(share**2 for share in q.values())
    if len(q) == 1:
        return 1.0
    return (confidence(labels, members, weights, multiplicity, theta) - chance) / (1 - chance)


def entropy(shares):
    """Return the entropy of shares in nats."""
    return -sum(p * log(p) for p in shares.values() if p > 0)


def vote_information(labels, members, weights=None, multiplicity=None, theta=0.4):
    """H(q) - mean over the objects of H(V_i)."""
    V, q = votes(labels, members, weights, multiplicity, theta)
    doubts = [None if v is None else entropy(v) for v in V]
    m = [1.0] * len(labels) if multiplicity is None else multiplicity
    return entropy(q) - _mean(doubts, labels, m)
