"""Five letters side by side."""

from typing import Any

import numpy as np

from consilience._utils._declare import Real, Seed, check_parameters
from consilience._utils._random import RandomState, spawn

_STROKE = 0.12
# Centre lines of strokes as corners (x, y): 1.5 high, the leftmost point at x = 0.
_Lines = list[list[tuple[float, float]]]


def make_letters(
    *, gap: float = 0.4, random_state: RandomState = None
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
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
    letters = zip((_i, _j, _c, _a, _i), sizes, spawn(random_state, len(sizes)), strict=True)
    clouds, left = [], 0.0
    for shape, size, stream in letters:
        points = _ink(shape(), size, stream)
        width = max(x for line in shape() for x, _ in line) + _STROKE
        clouds.append(points + np.array([left, 0.0]))
        left += width + gap
    return np.concatenate(clouds), np.repeat(np.arange(len(sizes)), sizes)


def _i() -> _Lines:
    return [[(0.0, 0.0), (0.0, 1.5)]]


def _j() -> _Lines:
    hook = _arc(0.25, 0.35, 0.25, 0.35, 180, 360)
    return [[*hook, (0.5, 1.5)], [(0.25, 1.5), (0.75, 1.5)]]


def _c() -> _Lines:
    return [_arc(0.38, 0.75, 0.38, 0.75, 50, 310)]


def _a() -> _Lines:
    return [[(0.0, 0.0), (0.3, 1.5), (0.6, 0.0)], [(0.12, 0.6), (0.48, 0.6)]]


def _arc(
    x: float, y: float, wide: float, high: float, first: float, last: float
) -> list[tuple[float, float]]:
    """Corners on an ellipse around (x, y), between two angles in degrees."""
    angles = np.radians(np.linspace(first, last, 25))
    return [(x + wide * float(np.cos(a)), y + high * float(np.sin(a))) for a in angles]


def _ink(lines: _Lines, size: int, stream: np.random.Generator) -> np.ndarray[Any, Any]:
    """Points at random in the letter's box, those kept that lie on a stroke."""
    corners = np.array([corner for line in lines for corner in line])
    low, high = corners.min(axis=0) - _STROKE / 2, corners.max(axis=0) + _STROKE / 2
    kept = np.empty((0, 2))
    while len(kept) < size:
        points = stream.uniform(low, high, size=(size, 2))
        near = np.min([_distance(points, np.array(line)) for line in lines], axis=0)
        kept = np.concatenate([kept, points[near <= _STROKE / 2]])
    return kept[:size]


def _distance(points: np.ndarray[Any, Any], line: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How far every point is from a line of segments."""
    start, step = line[:-1], np.diff(line, axis=0)
    away = points[:, None, :] - start
    share = np.clip((away * step).sum(axis=2) / (step**2).sum(axis=1), 0.0, 1.0)
    distance = np.linalg.norm(away - share[..., None] * step, axis=2)
    return np.asarray(distance.min(axis=1))
