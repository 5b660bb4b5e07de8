"""Kullback-Leibler divergence, phi(x) = x log x - x: g(a) = smoothing^(1 - a)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience.consensus.bregman._smoothed import Smoothed


@dataclass(frozen=True)
class KullbackLeibler(Smoothed):
    """Kullback-Leibler divergence, phi(x) = x log x - x: g(a) = smoothing^(1 - a).

    Parameters
    ----------
    smoothing : float, default 0.01
        Replaces 0, which has no logarithm. As it goes to 0, only unanimous pairs count.

    Examples
    --------
    >>> from consilience.consensus.bregman import KullbackLeibler
    >>> round(float(KullbackLeibler().mean(0.5)), 6)
    0.1
    """

    @property
    def least_curvature(self) -> float:
        """Return the least phi'', at 1."""
        return 1.0

    def phi(self, x: Any) -> Any:
        """Return x log x - x."""
        return x * np.log(x) - x

    def gradient(self, x: Any) -> Any:
        """Return log x."""
        return np.log(x)

    def inverse_gradient(self, z: Any) -> Any:
        """Return e^z."""
        return np.exp(z)
