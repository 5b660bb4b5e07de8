"""Six kinds of control charts."""

import numpy as np

from consilience._utils._declare import Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array

_LENGTH = 60
_KINDS = 6


def make_control_charts(
    n_samples: int = 600, *, random_state: RandomState = None
) -> tuple[Array, Array]:
    """Simulate control charts: normal, cyclic, two trends, two shifts.

    The features are 60 points in time, t = 1, ..., 60. Charts of one kind have different periods,
    slopes or moments of change, and the two upward kinds, as the two downward ones, are alike.

    Parameters
    ----------
    n_samples : int, default 600
        Charts; the six kinds share them evenly, the first ones take what is left over.
    random_state : int, generator or None
        The seed.

    Returns
    -------
    X : array (n_samples, 60)
        The charts, kind by kind: 30 + 2 e(t), with e(t) uniform on (-3, 3), plus the term in the table
        below.
    y : array (n_samples,)
        Which kind, 0 to 5.

    Notes
    -----
    ==== ========== ===================== =======================================
    kind name       term                  drawn once for every chart, uniform on
    ==== ========== ===================== =======================================
    0    normal     0
    1    cyclic     a sin(2 pi t / T)     a and T: [10, 15]
    2    increasing g t                   g: [0.2, 0.5]
    3    decreasing -g t                  g: [0.2, 0.5]
    4    upward     x from time s on      x: [7.5, 20], s: [20, 40]
    5    downward   -x from time s on     x: [7.5, 20], s: [20, 40]
    ==== ========== ===================== =======================================

    The recipe of Alcock and Manolopoulos, whose 600 charts [fern2004]_ clusters under the name of
    CHART. Measured on the published charts: kurtosis of the normal ones 1.804 (a uniform law has
    1.8), slopes 0.15 to 0.56, periods 10.0 to 14.95, shifts between 20 and 40.

    References
    ----------
    [fern2004]_

    Examples
    --------
    >>> from consilience.datasets import make_control_charts
    >>> X, y = make_control_charts(random_state=0)
    >>> X.shape
    (600, 60)
    """
    check_parameters(
        "make_control_charts",
        {"n_samples": Integer(_KINDS), "random_state": Seed()},
        {"n_samples": n_samples, "random_state": random_state},
    )
    (stream,) = spawn(random_state, 1)
    y = np.sort(np.arange(n_samples) % _KINDS)
    noise = 2.0 * stream.uniform(-3.0, 3.0, size=(n_samples, _LENGTH))
    time = np.arange(1.0, _LENGTH + 1)
    terms = [_term(kind, int(np.count_nonzero(y == kind)), time, stream) for kind in range(_KINDS)]
    return 30.0 + noise + np.concatenate(terms), y


def _term(kind: int, size: int, time: Array, stream: np.random.Generator) -> Array:
    """What a kind adds to the noise, one row for every chart."""
    if kind == 0:
        return np.zeros((size, len(time)))
    sign = 1.0 if kind in (2, 4) else -1.0
    if kind == 1:
        height, period = stream.uniform(10.0, 15.0, size=(2, size, 1))
        return np.asarray(height * np.sin(2.0 * np.pi * time / period))
    if kind in (2, 3):
        return np.asarray(sign * stream.uniform(0.2, 0.5, size=(size, 1)) * time)
    height = stream.uniform(7.5, 20.0, size=(size, 1))
    moment = stream.uniform(20.0, 40.0, size=(size, 1))
    return sign * height * (time >= moment)
