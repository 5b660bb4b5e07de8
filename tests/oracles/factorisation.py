"""NMFC and WC (3.25, 3.26) on dense n x n matrices, and quadratic programs by trying every support."""

from itertools import combinations

import numpy as np


def connectivity(column):
    """M: 1 where two objects are together; a missing label is together with nobody."""
    n = len(column)
    M = np.zeros((n, n))
    for i in range(n):
        for k in range(n):
            M[i, k] = column[i] >= 0 and column[i] == column[k]
    return M


def weighted_sum(L, w):
    """S = sum_j w_j M_j."""
    columns = np.asarray(L).T.tolist()
    return sum(v * connectivity(column) for v, column in zip(w, columns, strict=True))


def start(labels, K):
    """Z + 0.2 with columns of length one, and B = Z' Z."""
    Z = np.zeros((len(labels), K))
    for i, k in enumerate(labels):
        Z[i, k] = 1.0
    Q = Z + 0.2
    for k in range(K):
        Q[:, k] /= np.sqrt((Q[:, k] ** 2).sum())
    return Q, Z.T @ Z


def one_round(S, Q, B):
    """Multiply by the square roots of the ratios, Q first."""
    Q = Q * np.sqrt((S @ Q @ B) / (Q @ Q.T @ S @ Q @ B + 1e-12))
    B = B * np.sqrt((Q.T @ S @ Q) / (Q.T @ Q @ B @ Q.T @ Q + 1e-12))
    return Q, B


def objective(S, Q, B):
    """|S - Q B Q'|^2, entry by entry."""
    return float(((S - Q @ B @ Q.T) ** 2).sum())


def settle(S, Q, B, rounds, tol):
    """Rounds until the objective changes by at most a share of itself."""
    history = []
    while len(history) < rounds:
        Q, B = one_round(S, Q, B)
        history.append(objective(S, Q, B))
        if len(history) > 1:
            scale = max(history[-2], 1e-12 * (S**2).sum())
            if abs(history[-1] - history[-2]) <= tol * scale:
                break
    return Q, B, history


def scores(Q, B):
    """Q B^(1/2), B's diagonal."""
    return Q * np.sqrt(np.diagonal(B))


def projection(v):
    """Nearest point of the simplex: the best of all supports on which the rest is feasible."""
    v = np.asarray(v, dtype=float)
    return quadratic_program(np.eye(len(v)), v)


def quadratic_program(G, b):
    """Minimise w' G w - 2 b' w on the simplex: the best feasible stationary point of any support."""
    best, least = None, np.inf
    r = len(b)
    for size in range(1, r + 1):
        for support in combinations(range(r), size):
            inside = list(support)
            system = np.block(
                [
                    [G[np.ix_(inside, inside)], np.ones((size, 1))],
                    [np.ones((1, size)), np.zeros((1, 1))],
                ]
            )
            w = np.zeros(r)
            w[inside] = np.linalg.lstsq(system, np.append(b[inside], 1.0), rcond=None)[0][:size]
            if (w < -1e-9).any() or abs(w.sum() - 1) > 1e-6:
                continue
            value = w @ G @ w - 2 * b @ w
            if value < least - 1e-13:
                best, least = w, value
    return best


def gram(L):
    """G: inner products of the connectivity matrices."""
    Ms = [connectivity(column) for column in np.asarray(L).T.tolist()]
    return np.array([[(a * b).sum() for b in Ms] for a in Ms])


def weighted_consensus(L, labels, K, w, rounds, inner_rounds, inner_tol=1e-5, tol=1e-6):
    """Factorise and weigh in turn; returns the weights, the objective per round, Q and B."""
    Ms = [connectivity(column) for column in np.asarray(L).T.tolist()]
    G = gram(L)
    ridged = G + 1e-9 * np.trace(G) / len(G) * np.eye(len(G))
    w = np.array(w, dtype=float) / np.sum(w)
    Q, B = start(labels, K)
    history = []
    while len(history) < rounds:
        Q, B, _ = settle(weighted_sum(L, w), Q, B, inner_rounds, inner_tol)
        U = Q @ B @ Q.T
        b = np.array([(M * U).sum() for M in Ms])
        following = quadratic_program(ridged, b)
        history.append(float(((weighted_sum(L, following) - U) ** 2).sum()))
        change = np.linalg.norm(following - w)
        w = following
        if change < tol:
            break
    return w, history, Q, B
