"""Relabelling and plurality vote (3.27), trying every one-to-one matching."""

from fractions import Fraction
from itertools import permutations, product
from math import prod

from .labels import canonical


def matchings(n_clusters, n_targets):
    """Yield every full matching as a tuple: target of each cluster, None for those left over."""
    if n_clusters <= n_targets:
        yield from permutations(range(n_targets), n_clusters)
        return
    for chosen in permutations(range(n_clusters), n_targets):
        yield tuple(chosen.index(c) if c in chosen else None for c in range(n_clusters))


def overlap(member, matching, M):
    """Sum of the target's membership M[i][target] over the objects the member puts there."""
    return sum(
        (M[i][matching[v]] for i, v in enumerate(member) if v >= 0 and matching[v] is not None),
        start=Fraction(0),
    )


def best_matchings(member, M):
    """Return the largest overlap and every matching that attains it."""
    found = {m: overlap(member, m, M) for m in matchings(max(member) + 1, len(M[0]))}
    most = max(found.values())
    return most, [m for m in found if found[m] == most]


def indicator(labels, K):
    """Return the membership matrix of labels; a missing label is a row of zeros."""
    return [[Fraction(int(v == k)) for k in range(K)] for v in labels]


def votes(L, chosen, w):
    """Weight of the members that vote for every label, per object.

    A cluster that is left over votes for a label of its own, named (member, cluster).
    """
    table = [{} for _ in range(len(L))]
    for j, matching in enumerate(chosen):
        for i, v in enumerate(L[:, j].tolist()):
            if v >= 0:
                label = (j, v) if matching[v] is None else matching[v]
                table[i][label] = table[i].get(label, Fraction(0)) + w[j]
    return table


def winners(table, K):
    """Labels of the reference with most votes, per object; empty where a fresh label has more."""
    return [{k for k in range(K) if row.get(k) == max(row.values())} for row in table]


def agrees(labels, allowed, K):
    """Whether clusters can be named so that the label of every object is an allowed one."""
    labels = canonical(labels)
    return any(
        all(names[v] in a for v, a in zip(labels, allowed, strict=True))
        for names in permutations(range(K), max(labels) + 1)
    )


def vote_outcomes(L, reference, w, K, most=400):
    """Allowed labels per object, for every choice among tied matchings; None if too many."""
    options = [best_matchings(column, indicator(reference, K))[1] for column in L.T.tolist()]
    if prod(len(option) for option in options) > most:
        return None
    return [winners(votes(L, chosen, w), K) for chosen in product(*options)]


def matched_share(L, reference, w, K):
    """Weighted overlap of all members with the reference, as a share of all their labels."""
    M = indicator(reference, K)
    columns = L.T.tolist()
    matched = sum(w[j] * best_matchings(column, M)[0] for j, column in enumerate(columns))
    return matched / sum(w[j] * sum(v >= 0 for v in column) for j, column in enumerate(columns))


def soft_consensus(L, reference, w, K, rounds=100):
    """Match every member to the mean membership, average, repeat; complete labels only.

    Returns the mean memberships, or None as soon as two matchings tie: the rest is then open.
    """
    M = indicator(reference, K)
    for _ in range(rounds):
        chosen = []
        for column in L.T.tolist():
            tied = best_matchings(column, M)[1]
            if len(tied) > 1:
                return None
            chosen.append(tied[0])
        table = votes(L, chosen, w)
        mean = [[row.get(k, Fraction(0)) / sum(w) for k in range(K)] for row in table]
        if mean == M:
            return M
        M = mean
    return None
