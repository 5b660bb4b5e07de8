"""Six kinds of simulated control charts."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_LENGTH, _KINDS, _SIZE = 60, 6, 100


def control_charts(seed: int = 0) -> tuple[Array, Array]:
    """Simulate 600 control charts: normal, cyclic, two trends, two shifts; return them and their kinds.

    A chart is 30 + 2 e(t) at the times t = 1, ..., 60, with e(t) uniform on (-3, 3), plus this term:

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
    """
    stream = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
    noise = 2.0 * stream.uniform(-3.0, 3.0, size=(_KINDS * _SIZE, _LENGTH))
    time = np.arange(1.0, _LENGTH + 1)
    terms = np.concatenate([_term(kind, time, stream) for kind in range(_KINDS)])
    return 30.0 + noise + terms, np.repeat(np.arange(_KINDS), _SIZE)


def _term(kind: int, time: Array, stream: np.random.Generator) -> Array:
    """What a kind adds to the noise, one row for every chart."""
    if kind == 0:
        return np.zeros((_SIZE, len(time)))
    sign = 1.0 if kind in (2, 4) else -1.0
    if kind == 1:
        height, period = stream.uniform(10.0, 15.0, size=(2, _SIZE, 1))
        return np.asarray(height * np.sin(2.0 * np.pi * time / period))
    if kind in (2, 3):
        return np.asarray(sign * stream.uniform(0.2, 0.5, size=(_SIZE, 1)) * time)
    height = stream.uniform(7.5, 20.0, size=(_SIZE, 1))
    moment = stream.uniform(20.0, 40.0, size=(_SIZE, 1))
    return sign * height * (time >= moment)
