"""Logistic divergence, phi(x) = x log x + (1 - x) log(1 - x)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience.consensus.bregman._smoothed import Smoothed


@dataclass(frozen=True)
class Logistic(Smoothed):
    """Logistic divergence, phi(x) = x log x + (1 - x) log(1 - x).

    Parameters
    ----------
    smoothing : float, default 0.01
        0 and 1 are replaced by smoothing and 1 - smoothing. As it goes to 0, the mean becomes a
        majority vote.

    Examples
    --------
    >>> from consilience.consensus.bregman import Logistic
    >>> round(float(Logistic().mean(0.5)), 6)
    0.5
    """

    @property
    def high(self) -> float:  # type: ignore[override]
        """Return the value that replaces 1."""
        return 1 - self.smoothing

    @property
    def least_curvature(self) -> float:
        """Return the least phi'', at 1/2."""
        return 4.0

    def phi(self, x: Any) -> Any:
        """Return x log x + (1 - x) log(1 - x)."""
        return x * np.log(x) + (1 - x) * np.log1p(-x)

    def gradient(self, x: Any) -> Any:
        """Return log(x / (1 - x))."""
        return np.log(x) - np.log1p(-x)

    def inverse_gradient(self, z: Any) -> Any:
        """Return 1 / (1 + e^-z)."""
        return 1.0 / (1.0 + np.exp(-z))
