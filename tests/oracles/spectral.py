"""Spectral methods with every matrix written down."""

import itertools

import numpy as np


def incidence(labels):
    """H, columns member-major and by first appearance; missing gives zeros."""
    columns, members = [], []
    for j, column in enumerate(np.asarray(labels).T):
        seen = [label for i, label in enumerate(column) if label >= 0 and label not in column[:i]]
        for label in seen:
            columns.append(column == label)
            members.append(j)
    return np.array(columns, dtype=float).T, np.array(members)


def coassociation(labels, weights):
    H, members = incidence(labels)
    return H @ np.diag(weights[members]) @ H.T / weights.sum()


def njw_matrix(affinity, keep_diagonal):
    """D^(-1/2) W D^(-1/2), step 1 and 2; a vertex without edges keeps its diagonal."""
    W = affinity.copy()
    if not keep_diagonal:
        W = W - np.diag(np.diag(W))
    for i in range(len(W)):
        if W[i].sum() <= 1e-12:
            W[i, i] = affinity[i, i] if affinity[i, i] > 0 else 1.0
    D = np.diag(1 / np.sqrt(W.sum(axis=1)))
    return D @ W @ D


def top_vectors(matrix, n_vectors):
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1][:n_vectors], vectors[:, ::-1][:, :n_vectors]


def unit(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1)


def bipartite(labels, weights):
    """D1^(-1/2) H W D2^(-1/2)."""
    H, members = incidence(labels)
    A = H * weights[members]
    return A / np.sqrt(A.sum(axis=1, keepdims=True)) / np.sqrt(A.sum(axis=0, keepdims=True))


def sum_of_squares(rows, labels):
    total = 0.0
    for k in set(labels):
        part = rows[[label == k for label in labels]]
        total += ((part - part.mean(axis=0)) ** 2).sum()
    return total


def best_sum_of_squares(rows, n_clusters):
    """The least over all partitions into at most K groups."""
    every = itertools.product(range(n_clusters), repeat=len(rows) - 1)
    return min(sum_of_squares(rows, (0, *rest)) for rest in every)


def jaccard(labels):
    H, _ = incidence(labels)
    N = H.T @ H
    size = np.diag(N)
    return N / (size[:, None] + size[None, :] - N)


def cluster_weights(labels, weights, theta):
    """ECI of every base cluster, by loops."""
    H, members = incidence(labels)
    entropy = np.zeros(H.shape[1])
    for c in range(H.shape[1]):
        for j in range(labels.shape[1]):
            known = H[:, c] * (labels[:, j] >= 0)
            if known.sum() == 0:
                continue
            for d in np.flatnonzero(members == j):
                p = (H[:, c] * H[:, d]).sum() / known.sum()
                entropy[c] -= weights[j] * p * np.log2(p) if p > 0 else 0
    return np.exp(-entropy / (theta * weights.sum()))
