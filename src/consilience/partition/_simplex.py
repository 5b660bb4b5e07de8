"""Weights that are not negative and sum to one: projection, and quadratic programs."""

import numpy as np

from consilience._utils._types import Array

# Share of the mean diagonal that is added to it, so that the minimiser is unique.
_RIDGE = 1e-9
# Gradient steps to find the positive weights; a linear system then gives their values.
_GRADIENT_STEPS = 200
_TOLERANCE = 1e-12


def project_to_simplex(vector: Array, masses: Array | None = None) -> Array:
    """Return the nearest point with entries that are not negative and sum to one.

    Adding a constant to the vector changes nothing. An entry of mass 2 is treated as two equal
    entries; the result is their sum. O(r log r).

    Examples
    --------
    >>> import numpy as np
    >>> project_to_simplex(np.array([0.8, 0.6, -1.0]))
    array([0.6, 0.4, 0. ])
    """
    masses = np.ones(len(vector)) if masses is None else masses
    order = np.argsort(-vector, kind="stable")
    order = order[masses[order] > 0]
    descending, mass = vector[order], masses[order]
    # The value to subtract if the largest 1, 2, ... entries stay positive.
    shifts = (np.cumsum(mass * descending) - 1) / np.cumsum(mass)
    n_positive = int(np.flatnonzero(descending > shifts)[-1])
    projected: Array = masses * np.maximum(vector - shifts[n_positive], 0.0)
    return projected


def minimise_on_simplex(quadratic: Array, linear: Array, start: Array | None = None) -> Array:
    """Minimise w' G w - 2 b' w over weights w that are not negative and sum to one.

    Parameters
    ----------
    quadratic : array (r, r)
        G, symmetric and positive semidefinite; 1e-9 of its mean diagonal is added to the diagonal.
    linear : array (r,)
        b.
    start : array (r,), optional
        Weights on the simplex to start from; default equal.

    Notes
    -----
    Projected gradient steps of length 1 / largest eigenvalue find most of the positive weights. Alone
    they would need as many iterations as the condition number of G, so linear systems (active set
    method) give the exact values and the remaining positive weights.

    Examples
    --------
    >>> import numpy as np
    >>> minimise_on_simplex(np.eye(3), np.array([0.8, 0.6, -1.0])).round(6)
    array([0.6, 0.4, 0. ])
    """
    n_weights = len(linear)
    weights = np.full(n_weights, 1 / n_weights) if start is None else project_to_simplex(start)
    scale = float(np.trace(quadratic)) / n_weights
    if scale <= 0:
        scale = 1.0
    G = quadratic / scale + _RIDGE * np.eye(n_weights)
    b = linear / scale
    largest = float(np.linalg.eigvalsh(G)[-1])
    for _ in range(_GRADIENT_STEPS):
        following = project_to_simplex(weights - (G @ weights - b) / largest)
        settled = np.abs(following - weights).max() <= _TOLERANCE
        weights = following
        if settled:
            break
    return _finish(G, b, weights)


def _finish(G: Array, b: Array, weights: Array) -> Array:
    """Active set method: positive weights solve a linear system; zero weights satisfy optimality."""
    positive = weights > 0
    for _ in range(10 * len(b)):  # limited, because rounding may cause cycles
        target = _stationary(G, b, positive)
        blocked = positive & (target < 0)
        if blocked.any():
            shares = weights[blocked] / (weights[blocked] - target[blocked])
            first = int(np.flatnonzero(blocked)[np.argmin(shares)])
            weights = weights + shares.min() * (target - weights)
            positive[first] = False
            weights[first] = 0.0
            continue
        weights = target
        slope = G @ weights - b
        level = float(slope[positive].mean())
        candidate = int(np.argmin(np.where(positive, np.inf, slope)))
        if positive[candidate] or slope[candidate] >= level - _TOLERANCE * max(1.0, abs(level)):
            break
        positive[candidate] = True
    return project_to_simplex(np.maximum(weights, 0.0))


def _stationary(G: Array, b: Array, positive: Array) -> Array:
    """Return the minimiser with weights zero outside `positive`, their sum one, their signs free."""
    inside = np.flatnonzero(positive)
    system = np.ones((len(inside) + 1, len(inside) + 1))
    system[:-1, :-1] = G[np.ix_(inside, inside)]
    system[-1, -1] = 0.0
    weights = np.zeros(len(b))
    weights[inside] = np.linalg.solve(system, np.append(b[inside], 1.0))[:-1]
    return weights
