"""Simulated points with known clusters: after the toy examples of papers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from consilience._utils._declare import Integer, Real, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array

# Means per dimension, 4 clusters; None is a dimension of noise.
_SUBSPACES = (
    (0.6, 0.5, None),
    (-0.6, 0.5, None),
    (None, -0.5, 0.6),
    (None, -0.5, -0.6),
)
# Width of the lines of letters.
_STROKE = 0.12
# Centre lines of strokes as corners (x, y): 1.5 high, the leftmost point at x = 0.
_Lines = list[list[tuple[float, float]]]
# Points of a Gaussian cluster.
_SIZE = 300


def make_letters(*, gap: float = 0.4, random_state: RandomState = None) -> tuple[Array, Array]:
    """Draw points in the shapes of the letters I, J, C, A, I.

    Clusters that are long and bent: k-means cuts the letters to pieces, while thirty k-means runs with
    20 clusters each, put together, find them.

    Parameters
    ----------
    gap : float, default 0.4
        Empty space between the boxes of neighbouring letters, which are 1.62 high and 0.12 (I) to
        0.87 (J) wide. With less than 0.3 the letters run into each other for k-means of 20 clusters.
    random_state : int, generator or None
        The seed; it draws the same letters whatever `gap` is.

    Returns
    -------
    X : array (806, 2)
        The points, letter by letter from left to right, each uniform in strokes 0.12 wide with
        round ends.
    y : array (806,)
        Which letter, 0 to 4; sizes 100, 200, 183, 223 and 100.

    See Also
    --------
    make_subspaces : Clusters in different pairs of dimensions.

    Notes
    -----
    After the toy example of [wang2009]_, which gives the letters and the sizes; shapes, width and
    distances are ours, such that points are about equally dense in all letters.

    References
    ----------
    [wang2009]_

    Examples
    --------
    >>> from consilience.datasets import make_letters
    >>> X, y = make_letters(random_state=0)
    >>> X.shape
    (806, 2)
    """
    check_parameters(
        "make_letters",
        {"gap": Real(0), "random_state": Seed()},
        {"gap": gap, "random_state": random_state},
    )
    sizes = (100, 200, 183, 223, 100)
    clouds, left = [], 0.0
    for lines, size, stream in zip(_letters(), sizes, spawn(random_state, len(sizes)), strict=True):
        points = _ink(lines, size, stream)
        width = max(x for line in lines for x, _ in line) + _STROKE
        clouds.append(points + np.array([left, 0.0]))
        left += width + gap
    return np.concatenate(clouds), np.repeat(np.arange(len(sizes)), sizes)


def make_subspaces(
    n_samples: int = 400, *, random_state: RandomState = None
) -> tuple[Array, Array]:
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
        {"n_samples": Integer(len(_SUBSPACES)), "random_state": Seed()},
        {"n_samples": n_samples, "random_state": random_state},
    )
    (stream,) = spawn(random_state, 1)
    y = np.sort(np.arange(n_samples) % len(_SUBSPACES))
    means = np.array([[0.0 if m is None else m for m in row] for row in _SUBSPACES])
    spread = np.array([[1.0 if m is None else 0.1 for m in row] for row in _SUBSPACES])
    return means[y] + spread[y] * stream.normal(size=(n_samples, 3)), y


def make_two_gaussians(*, random_state: RandomState = None) -> tuple[Array, Array]:
    """Draw 300 points from each of two Gaussians in the plane, along the axes.

    Means (0.5, 5) and (12, 5); variances (1, 9) and (6, 2). The first cluster is narrow in the first
    feature, the second in the second.

    Parameters
    ----------
    random_state : int, generator or None
        The seed.

    Returns
    -------
    X : array (600, 2)
        The points, one cluster after the other.
    y : array (600,)
        Which cluster, 0 or 1.

    See Also
    --------
    make_three_gaussians : A harder one.
    consilience.clusterers.LAC : Finds which feature matters in which cluster.

    Notes
    -----
    The paper calls (1, 9) and (6, 2) standard deviations, but then no method could reach its error of 0:
    about 6 % of the second cluster would lie inside the first.

    References
    ----------
    [alrazgan2006]_, section 5

    Examples
    --------
    >>> from consilience.datasets import make_two_gaussians
    >>> X, y = make_two_gaussians(random_state=0)
    >>> X.shape
    (600, 2)
    """
    return _gaussians(
        "make_two_gaussians", [(0.5, 5.0), (12.0, 5.0)], [(1.0, 9.0), (6.0, 2.0)], random_state
    )


def make_three_gaussians(*, random_state: RandomState = None) -> tuple[Array, Array]:
    """Draw 300 points from each of three Gaussians in the plane, along the axes.

    Means (2, 18), (10, 4) and (10, 10); variances (2, 6), (30, 1) and (12, 1). The first cluster is
    narrow in the first feature; the other two lie flat, one above the other, narrow in the second.

    Parameters
    ----------
    random_state : int, generator or None
        The seed.

    Returns
    -------
    X : array (900, 2)
        The points, one cluster after the other.
    y : array (900,)
        Which cluster, 0 to 2.

    See Also
    --------
    make_two_gaussians : An easier one.
    consilience.clusterers.LAC : Finds which feature matters in which cluster.

    Notes
    -----
    After the Three-Gaussian data of [alrazgan2006]_, which does not print the parameters; these are
    ours. k-means cuts the lower cluster across and errs on about 30 % of the points, on standardised
    features too; LAC errs on about 1 % for most 1/h from 1 to 12, and like k-means for the others.

    References
    ----------
    [alrazgan2006]_, section 5

    Examples
    --------
    >>> from consilience.datasets import make_three_gaussians
    >>> X, y = make_three_gaussians(random_state=0)
    >>> X.shape
    (900, 2)
    """
    return _gaussians(
        "make_three_gaussians",
        [(2.0, 18.0), (10.0, 4.0), (10.0, 10.0)],
        [(2.0, 6.0), (30.0, 1.0), (12.0, 1.0)],
        random_state,
    )


def _gaussians(
    owner: str, means: Sequence[Any], variances: Sequence[Any], random_state: RandomState
) -> tuple[Array, Array]:
    check_parameters(owner, {"random_state": Seed()}, {"random_state": random_state})
    streams = spawn(random_state, len(means))
    clouds = [
        stream.normal(mean, np.sqrt(variance), (_SIZE, 2))
        for mean, variance, stream in zip(means, variances, streams, strict=True)
    ]
    return np.concatenate(clouds), np.repeat(np.arange(len(means)), _SIZE)


def _letters() -> list[_Lines]:
    hook = _arc(0.25, 0.35, 0.25, 0.35, 180, 360)
    i = [[(0.0, 0.0), (0.0, 1.5)]]
    j = [[*hook, (0.5, 1.5)], [(0.25, 1.5), (0.75, 1.5)]]
    c = [_arc(0.38, 0.75, 0.38, 0.75, 50, 310)]
    a = [[(0.0, 0.0), (0.3, 1.5), (0.6, 0.0)], [(0.12, 0.6), (0.48, 0.6)]]
    return [i, j, c, a, i]


def _arc(
    x: float, y: float, wide: float, high: float, first: float, last: float
) -> list[tuple[float, float]]:
    """Corners on an ellipse around (x, y), between two angles in degrees."""
    angles = np.radians(np.linspace(first, last, 25))
    return [(x + wide * float(np.cos(a)), y + high * float(np.sin(a))) for a in angles]


def _ink(lines: _Lines, size: int, stream: np.random.Generator) -> Array:
    """Points at random in the letter's box, those kept that lie on a stroke."""
    corners = np.array([corner for line in lines for corner in line])
    low, high = corners.min(axis=0) - _STROKE / 2, corners.max(axis=0) + _STROKE / 2
    kept = np.empty((0, 2))
    while len(kept) < size:
        points = stream.uniform(low, high, size=(size, 2))
        near = np.min([_distance(points, np.array(line)) for line in lines], axis=0)
        kept = np.concatenate([kept, points[near <= _STROKE / 2]])
    return kept[:size]


def _distance(points: Array, line: Array) -> Array:
    """How far every point is from a line of segments."""
    start, step = line[:-1], np.diff(line, axis=0)
    away = points[:, None, :] - start
    share = np.clip((away * step).sum(axis=2) / (step**2).sum(axis=1), 0.0, 1.0)
    distance = np.linalg.norm(away - share[..., None] * step, axis=2)
    return np.asarray(distance.min(axis=1))
