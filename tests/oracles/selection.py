"""Judging members, literally: quality, ensemble selection (3.30), member weights, matched clusters."""

from itertools import combinations

import numpy as np

from .agreement import nmi


def shared(a, b):
    """Objects that both members know."""
    return sum(u >= 0 and v >= 0 for u, v in zip(a, b, strict=True))


def pairwise(L):
    """NMI of all pairs as nested lists; None where two members share nothing."""
    columns = np.asarray(L).T.tolist()
    return [[nmi(a, b) if shared(a, b) else None for b in columns] for a in columns]


def qualities(L, weights=None):
    """Mean NMI of every member with the others, by weight and by the objects shared; None for none."""
    columns = np.asarray(L).T.tolist()
    r = len(columns)
    w = [1] * r if weights is None else weights
    found = []
    for j in range(r):
        voices = {m: w[m] * shared(columns[j], columns[m]) for m in range(r) if m != j}
        voices = {m: voice for m, voice in voices.items() if voice}
        total = sum(voices.values())
        agreed = sum(voice * nmi(columns[j], columns[m]) for m, voice in voices.items())
        found.append(agreed / total if total else None)
    return found


def joint_criterion(members, quality, similarity, balance):
    """Balance * mean quality + (1 - balance) * mean diversity of the pairs of a set."""
    pairs = list(combinations(members, 2))
    good = sum(quality[j] for j in members) / len(members)
    apart = sum(1 - similarity[j][m] for j, m in pairs) / len(pairs) if pairs else 0
    return balance * good + (1 - balance) * apart


def joint_selection(quality, similarity, size, balance):
    """Greedy choice: the best member, then the one that makes the criterion largest; first of ties."""
    chosen = [first_largest(quality)]
    while len(chosen) < size:
        scores = [
            -1.0 if j in chosen else joint_criterion([*chosen, j], quality, similarity, balance)
            for j in range(len(quality))
        ]
        chosen.append(first_largest(scores))
    return chosen


def first_largest(values):
    """Position of the largest value, the first of those that are equal but for rounding."""
    return next(j for j, value in enumerate(values) if value >= max(values) - 1e-9)


def member_weights(L, threshold):
    """q_j / c_j with mean 1, copies sharing a voice; complete labels."""
    similarity = pairwise(L)
    r = len(similarity)
    copied = [
        [
            1.0 if j == m else max(0.0, (similarity[j][m] - threshold) / (1 - threshold))
            for m in range(r)
        ]
        for j in range(r)
    ]
    n_copies = [sum(row) for row in copied]
    quality = []
    for j in range(r):
        voices = [(1 - copied[j][m]) / n_copies[m] for m in range(r)]
        total = sum(voices)
        agreed = sum(voices[m] * similarity[j][m] for m in range(r))
        quality.append(agreed / total if total > 1e-9 else 1.0)
    if max(quality) < 1e-12:
        quality = [1.0] * r
    least = max(quality) / 100
    raw = [max(q, least) / c for q, c in zip(quality, n_copies, strict=True)]
    return [value * r / sum(raw) for value in raw]


def best_jaccard(labels, others):
    """Largest Jaccard coefficient of every cluster with a cluster of the other partition."""
    known = [i for i in range(len(labels)) if labels[i] >= 0 and others[i] >= 0]
    found = []
    for cluster in range(max(labels) + 1):
        mine = {i for i in known if labels[i] == cluster}
        theirs = [{i for i in known if others[i] == other} for other in set(others) - {-1}]
        ratios = [len(mine & own) / len(mine | own) for own in theirs if mine | own]
        found.append(max(ratios) if mine else None)
    return found
