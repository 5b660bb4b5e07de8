"""GCA and GWCA (3.22-3.24) on dense n x n matrices: algorithms 1 and 2 of the paper, line by line.

Members are columns of `labels`, -1 is missing. `must` and `cannot` are closed sets of pairs
(`closure`). `sample_weight` m stands for m copies of an object: the entry (p, q) counts m_p m_q
times. All sums run over all n^2 entries, both orders and the diagonal.
"""

from itertools import combinations
from types import SimpleNamespace

import numpy as np

SMOOTHING = 0.01


def _divergence(phi, gradient, inverse, curvature, y0, y1):
    """`curvature` is the least second derivative of phi on [y0, y1]."""
    kappa = (gradient(y1) - gradient(y0)) ** 2 / curvature
    return SimpleNamespace(phi=phi, gradient=gradient, inverse=inverse, y0=y0, y1=y1, kappa=kappa)


DIVERGENCES = {
    "euclidean": _divergence(lambda x: x**2 / 2, lambda x: x, lambda s: s, 1.0, 0.0, 1.0),
    "exponential": _divergence(np.exp, np.exp, np.log, 1.0, 0.0, 1.0),
    "kl": _divergence(lambda x: x * np.log(x) - x, np.log, np.exp, 1.0, SMOOTHING, 1.0),
    "itakura-saito": _divergence(
        lambda x: -np.log(x), lambda x: -1 / x, lambda s: -1 / s, 1.0, SMOOTHING, 1.0
    ),
    "logistic": _divergence(
        lambda x: x * np.log(x) + (1 - x) * np.log(1 - x),
        lambda x: np.log(x / (1 - x)),
        lambda s: 1 / (1 + np.exp(-s)),
        4.0,
        SMOOTHING,
        1 - SMOOTHING,
    ),
}


def connectivity(labels_column):
    """M^i: 1 where both labels are known and equal, an object with itself included."""
    column = np.asarray(labels_column).tolist()
    n = len(column)
    M = np.zeros((n, n))
    for p in range(n):
        for q in range(n):
            M[p, q] = column[p] >= 0 and column[p] == column[q]
    return M


def smoothed(labels, divergence):
    """The list of y0 + (y1 - y0) M^i."""
    d = DIVERGENCES[divergence]
    columns = np.asarray(labels).T
    return [d.y0 + (d.y1 - d.y0) * connectivity(column) for column in columns]


def bregman(x, y, divergence):
    """D_phi(x, y) by its definition, entry by entry."""
    d = DIVERGENCES[divergence]
    return d.phi(x) - d.phi(y) - d.gradient(y) * (x - y)


def conflicts(n, must_link, cannot_link):
    """Cannot-links between objects that must-links join."""
    joined = _reach(n, must_link)
    return {(min(p, q), max(p, q)) for p, q in cannot_link if joined[p, q]}


def closure(n, must_link, cannot_link):
    """All pairs p < q that follow: must-links are an equivalence, cannot-links pass along it."""
    bad = conflicts(n, must_link, cannot_link)
    if bad:
        raise ValueError(f"cannot-links inside must-linked groups: {sorted(bad)}")
    joined = _reach(n, must_link)
    pairs = list(combinations(range(n), 2))
    must = {(p, q) for p, q in pairs if joined[p, q]}
    cannot = {
        (p, q)
        for p, q in pairs
        for a, b in cannot_link
        if (joined[p, a] and joined[q, b]) or (joined[p, b] and joined[q, a])
    }
    return must, cannot


def _reach(n, must_link):
    """Who is joined to whom, by Warshall's closure."""
    joined = np.eye(n, dtype=bool)
    for p, q in must_link:
        joined[p, q] = joined[q, p] = True
    for k in range(n):
        joined |= np.outer(joined[:, k], joined[k])
    return joined


def best_matrix(members, w, divergence, must=(), cannot=()):
    """argmin over M of sum_i w_i D_phi(M, M^i): the mean in gradient space, but for fixed pairs."""
    d = DIVERGENCES[divergence]
    M = d.inverse(sum(v * d.gradient(Mi) for v, Mi in zip(w, members, strict=True)))
    for pairs, value in ((must, d.y1), (cannot, d.y0)):
        for p, q in pairs:
            M[p, q] = M[q, p] = value
    return M


def multiplicities(n, sample_weight=None):
    """m_p m_q for every entry."""
    m = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    return np.outer(m, m)


def distances(M, members, divergence, sample_weight=None):
    """D_i: D_phi(M, M^i) summed over all entries."""
    times = multiplicities(len(M), sample_weight)
    return np.array([(times * bregman(M, Mi, divergence)).sum() for Mi in members])


def gram(labels, sample_weight=None):
    """G[i, j] = <M^i, M^j> of the binary matrices."""
    binary = [connectivity(column) for column in np.asarray(labels).T]
    times = multiplicities(len(labels), sample_weight)
    return np.array([[(times * Mi * Mj).sum() for Mj in binary] for Mi in binary])


def largest_curvature(G):
    """Lmax, the largest eigenvalue of Pc G Pc."""
    r = len(G)
    centre = np.eye(r) - np.ones((r, r)) / r
    return np.linalg.eigvalsh(centre @ G @ centre)[-1]


def weight_step(D, lam):
    """argmin of sum_i w_i D_i + lam |w|^2 over the simplex, by trying every support."""
    r = len(D)
    if lam == 0:
        return np.full(r, 1 / r)
    best, best_value = None, np.inf
    for size in range(1, r + 1):
        for support in map(list, combinations(range(r), size)):
            w = np.zeros(r)
            w[support] = 1 / size + (D[support].mean() - D[support]) / (2 * lam)
            value = w @ D + lam * (w @ w)
            if w.min() >= 0 and value < best_value:
                best, best_value = w, value
    return best


def gca(labels, divergence, must=(), cannot=(), weights=None, sample_weight=None):
    """M for fixed member weights (equal ones by default), and sum_i w_i D_i."""
    members = smoothed(labels, divergence)
    w = np.ones(len(members)) if weights is None else np.asarray(weights, dtype=float)
    w = w / w.sum()
    M = best_matrix(members, w, divergence, must, cannot)
    return M, w @ distances(M, members, divergence, sample_weight)


def gwca(
    labels,
    divergence,
    lam_rel=1.0,
    must=(),
    cannot=(),
    tol=1e-6,
    max_iter=1000,
    *,
    lam=None,
    sample_weight=None,
):
    """Alternate the two steps; `lam` replaces lam_rel kappa Lmax.

    `history[t]` is the joint objective after t rounds, each at the best M for its weights; w, M and
    the objective returned are those of its last entry.
    """
    members = smoothed(labels, divergence)
    r, n = len(members), len(labels)
    times = multiplicities(n, sample_weight)
    if lam is None:
        spread = largest_curvature(gram(labels, sample_weight))
        agree = spread <= 1e-12 * times.sum()
        lam = 0.0 if agree else lam_rel * DIVERGENCES[divergence].kappa * spread
    w = np.full(r, 1 / r)
    M = best_matrix(members, w, divergence, must, cannot)
    D = distances(M, members, divergence, sample_weight)
    history = [w @ D + lam * (w @ w)]
    for _ in range(max_iter):
        w, before = weight_step(D, lam), M
        M = best_matrix(members, w, divergence, must, cannot)
        D = distances(M, members, divergence, sample_weight)
        history.append(w @ D + lam * (w @ w))
        change = np.sqrt((times * (M - before) ** 2).sum())
        if change <= tol * np.sqrt(times.sum()):
            break
    return w, M, history[-1], history
