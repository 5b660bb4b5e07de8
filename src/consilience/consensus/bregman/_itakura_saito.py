"""Itakura-Saito divergence, phi(x) = -log x: g(a) = e / (1 - a + e a), e the smoothing."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience.consensus.bregman._smoothed import Smoothed


@dataclass(frozen=True)
class ItakuraSaito(Smoothed):
    """Itakura-Saito divergence, phi(x) = -log x: g(a) = e / (1 - a + e a), e the smoothing.

    Parameters
    ----------
    smoothing : float, default 0.01
        Replaces 0, which has no logarithm. As it goes to 0, only unanimous pairs count.

    Examples
    --------
    >>> from consilience.consensus.bregman import ItakuraSaito
    >>> round(float(ItakuraSaito().mean(0.5)), 6)
    0.019802
    """

    @property
    def least_curvature(self) -> float:
        """Return the least phi'', at 1."""
        return 1.0

    def phi(self, x: Any) -> Any:
        """Return -log x."""
        return -np.log(x)

    def gradient(self, x: Any) -> Any:
        """Return -1 / x."""
        return -1.0 / x

    def inverse_gradient(self, z: Any) -> Any:
        """Return -1 / z."""
        return -1.0 / z
