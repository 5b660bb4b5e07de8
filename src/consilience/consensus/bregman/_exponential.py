"""Exponential divergence, phi(x) = e^x: g(a) = log(1 + (e - 1) a)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience.consensus.bregman._divergence import Divergence


@dataclass(frozen=True)
class Exponential(Divergence):
    """Exponential divergence, phi(x) = e^x: g(a) = log(1 + (e - 1) a).

    Examples
    --------
    >>> from consilience.consensus.bregman import Exponential
    >>> round(float(Exponential().mean(0.5)), 6)
    0.620115
    """

    @property
    def least_curvature(self) -> float:
        """Return the least phi'', at 0."""
        return 1.0

    def phi(self, x: Any) -> Any:
        """Return e^x."""
        return np.exp(x)

    def gradient(self, x: Any) -> Any:
        """Return e^x."""
        return np.exp(x)

    def inverse_gradient(self, z: Any) -> Any:
        """Return log z."""
        return np.log(z)
