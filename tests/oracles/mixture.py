"""EM on a mixture of multinomials (3.10), one object and one component at a time.

`alpha` has K entries; `theta[j][k][v]` is the chance of label v in member j under component k.
"""

from math import exp, log

import numpy as np


def split_theta(table, L):
    """Cut a (t, K) table, member-major, into theta[j][k][v]."""
    theta, first = [], 0
    for j in range(L.shape[1]):
        last = first + int(L[:, j].max()) + 1
        theta.append(np.asarray(table)[first:last].T)
        first = last
    return theta


def log_joint(row, k, alpha, theta, w):
    """log alpha_k + sum over known j of w_j log theta_jk(L_ij)."""
    if alpha[k] <= 0:
        return -np.inf
    return log(alpha[k]) + sum(
        w[j] * (log(theta[j][k][v]) if theta[j][k][v] > 0 else -np.inf)
        for j, v in enumerate(row)
        if v >= 0
    )


def log_sum(values):
    """log of the sum of exp."""
    most = max(values)
    return most + log(sum(exp(v - most) for v in values))


def expect(L, alpha, theta, w):
    """E step: responsibilities (n, K) and the log-likelihood."""
    rho, total = [], 0.0
    for row in L.tolist():
        joint = [log_joint(row, k, alpha, theta, w) for k in range(len(alpha))]
        evidence = log_sum(joint)
        rho.append([exp(v - evidence) for v in joint])
        total += evidence
    return np.array(rho), total


def maximise(L, rho, smoothing=1e-10):
    """M step: mixing weights and label chances; `smoothing` is added to the counts."""
    theta = []
    for j in range(L.shape[1]):
        counts = np.full((rho.shape[1], int(L[:, j].max()) + 1), smoothing)
        for i, v in enumerate(L[:, j].tolist()):
            if v >= 0:
                counts[:, v] += rho[i]
        theta.append(counts / counts.sum(axis=1, keepdims=True))
    return rho.mean(axis=0), theta
