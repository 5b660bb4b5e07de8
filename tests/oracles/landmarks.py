"""Spectral clustering of rows and landmarks (U-SPEC), one row at a time, dense, in double precision."""

import numpy as np


def links(X, pool, mine, q):
    """Return the landmarks and distances of every row: of the 4 q nearest in the pool, q of the member.

    mine : the member's landmarks, as places in the pool. Landmarks are named by their place in `mine`.
    If none of the 4 q is the member's, the one next to the nearest stands in for the nearest.
    """
    pool = np.asarray(pool, dtype=np.float64)
    place = {int(landmark): own for own, landmark in enumerate(mine)}
    found = []
    for row in np.asarray(X, dtype=np.float64):
        far = _distances(pool, row)
        near = [int(landmark) for landmark in np.argsort(far, kind="stable")[: 4 * q]]
        own = [landmark for landmark in near if landmark in place][:q]
        linked = [(place[landmark], far[landmark]) for landmark in own]
        if not linked:
            next_to = int(_distances(pool[mine], pool[near[0]]).argmin())
            linked = [(next_to, far[near[0]])]
        found.append(linked)
    return found


def _distances(points, point):
    return np.sqrt(((points - point) ** 2).sum(axis=1))


def common_width(linked):
    """Return the mean of all rows' distances to their landmarks."""
    return float(np.mean([d for row in linked for _, d in row]))


def affinities(linked, p, width=None):
    """B (n, p): exp(-d^2 / (2 s^2)) of linked ones, s the row's mean distance, or the common width.

    1e-12 is added, so that a row far from all landmarks is still linked.
    """
    B = np.zeros((len(linked), p))
    for i, row in enumerate(linked):
        s = np.mean([d for _, d in row]) if width is None else width
        for landmark, d in row:
            B[i, landmark] = np.exp(-(d**2) / (2 * s**2)) + 1e-12
    return B


def graph(B):
    """Return B_x = D_x^-1 B, D^-1/2 W D^-1/2 of W = B' B_x, and the diagonal of D."""
    B_x = B / B.sum(axis=1, keepdims=True)
    W = B.T @ B_x
    D = W.sum(axis=1)
    root = np.where(D > 0, 1 / np.sqrt(np.where(D > 0, D, 1)), 0)
    return B_x, root[:, None] * W * root, D


def leading(M, k):
    """Return the k + 1 largest eigenvalues, falling, and the vectors of the first k."""
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    return values[::-1][: k + 1], vectors[:, ::-1][:, :k]


def embed(B_x, table):
    """Return rows of B_x table, scaled to length one."""
    U = B_x @ np.asarray(table, dtype=np.float64)
    lengths = np.sqrt((U**2).sum(axis=1, keepdims=True))
    return U / np.where(lengths > 0, lengths, 1)


def distances(U, centres):
    """Return the squared distance of every row to every centre."""
    centres = np.asarray(centres, dtype=np.float64)
    return ((U[:, None, :] - centres[None]) ** 2).sum(axis=2)
