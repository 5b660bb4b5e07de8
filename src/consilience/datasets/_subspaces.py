"""Clusters that show in different dimensions."""

from typing import Any

import numpy as np

from consilience._utils._declare import Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn

# Means per dimension, 4 clusters; None is a dimension of noise.
_MEANS = (
    (0.6, 0.5, None),
    (-0.6, 0.5, None),
    (None, -0.5, 0.6),
    (None, -0.5, -0.6),
)


def make_subspaces(
    n_samples: int = 400, *, random_state: RandomState = None
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Draw four clusters in space, each narrow in two dimensions and noise in the third.

    No pair of dimensions shows all four: two clusters live in the first and second, two in the second
    and third. k-means, which weights all dimensions equally, follows the noise.

    Parameters
    ----------
    n_samples : int, default 400
        Points; the clusters share them evenly, the first ones take what is left over.
    random_state : int, generator or None
        The seed.

    Returns
    -------
    X : array (n_samples, 3)
        The points, cluster by cluster. Normal with standard deviation 0.1 around the means in the table
        below, with mean 0 and standard deviation 1 where it says noise.
    y : array (n_samples,)
        Which cluster, 0 to 3.

    See Also
    --------
    make_letters : Long and bent clusters in the plane.

    Notes
    -----
    ======= ===== ==== =====
    cluster x     y    z
    ======= ===== ==== =====
    0       0.6   0.5  noise
    1       -0.6  0.5  noise
    2       noise -0.5 0.6
    3       noise -0.5 -0.6
    ======= ===== ==== =====

    After the toy example of [wang2009]_, which describes the first two; the others are our reading of
    "in the same manner".

    References
    ----------
    [wang2009]_

    Examples
    --------
    >>> from consilience.datasets import make_subspaces
    >>> X, y = make_subspaces(random_state=0)
    >>> X.shape
    (400, 3)
    """
    check_parameters(
        "make_subspaces",
        {"n_samples": Integer(len(_MEANS)), "random_state": Seed()},
        {"n_samples": n_samples, "random_state": random_state},
    )
    (stream,) = spawn(random_state, 1)
    y = np.sort(np.arange(n_samples) % len(_MEANS))
    means = np.array([[0.0 if m is None else m for m in row] for row in _MEANS])
    spread = np.array([[1.0 if m is None else 0.1 for m in row] for row in _MEANS])
    return means[y] + spread[y] * stream.normal(size=(n_samples, 3)), y
