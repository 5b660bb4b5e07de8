"""Bregman divergences between the entries of connectivity matrices."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

# Grid for the minimal curvature of custom divergences without a closed form.
_GRID = 20_001


class Divergence(ABC):
    """D(x, y) = phi(x) - phi(y) - phi'(y) (x - y), for a convex phi on [low, high].

    `low` represents "apart" and `high` represents "together": 0 and 1 if phi allows it, otherwise
    values moved inwards by the smoothing. A subclass sets both and implements `phi`, `gradient` and
    `inverse_gradient`.

    Examples
    --------
    >>> from consilience.consensus.bregman import Divergence
    >>> class Quartic(Divergence):
    ...     def phi(self, x): return x**2 + x**4
    ...     def gradient(self, x): return 2 * x + 4 * x**3
    ...     def inverse_gradient(self, z):
    ...         root = (z / 8 + ((z / 8) ** 2 + 1 / 216) ** 0.5) ** (1 / 3)
    ...         return root - 1 / (6 * root)
    >>> quartic = Quartic()
    >>> round(quartic.mean(0.5), 6), round(quartic.kappa, 3)
    (0.728082, 18.0)
    """

    low: float = 0.0
    high: float = 1.0

    @abstractmethod
    def phi(self, x: Any) -> Any:
        """Return the convex function."""

    @abstractmethod
    def gradient(self, x: Any) -> Any:
        """Return phi'(x), increasing."""

    @abstractmethod
    def inverse_gradient(self, z: Any) -> Any:
        """Return the x at which phi'(x) is z."""

    def __call__(self, x: Any, y: Any) -> Any:
        """Return D(x, y)."""
        return self.phi(x) - self.phi(y) - self.gradient(y) * (x - y)

    def mean(self, a: Any) -> Any:
        """Return g(a), the x nearest to `high` with weight a and `low` with weight 1 - a."""
        return self.inverse_gradient(
            a * self.gradient(self.high) + (1 - a) * self.gradient(self.low)
        )

    def similarity(self, a: Any) -> Any:
        """Return g(a) on the scale from 0 to 1."""
        return (self.mean(a) - self.low) / (self.high - self.low)

    def cost(self, a: Any, x: Any) -> Any:
        """Return a D(x, high) + (1 - a) D(x, low): the cost of an entry x at agreement a."""
        linear = a * self.gradient(self.high) + (1 - a) * self.gradient(self.low)
        constant = a * self._conjugate(self.high) + (1 - a) * self._conjugate(self.low)
        return self.phi(x) - linear * x + constant

    @cached_property
    def c0(self) -> float:
        """Return c0 of D(x, high) - D(x, low) = c0 - c1 x."""
        return float(self._conjugate(self.high) - self._conjugate(self.low))

    @cached_property
    def c1(self) -> float:
        """Return c1 of D(x, high) - D(x, low) = c0 - c1 x."""
        return float(self.gradient(self.high) - self.gradient(self.low))

    @cached_property
    def least_curvature(self) -> float:
        """Return the least phi'' on [low, high]; here the least slope of the gradient on a grid."""
        grid = np.linspace(self.low, self.high, _GRID)
        return float(np.min(np.diff(self.gradient(grid)) / np.diff(grid)))

    @property
    def kappa(self) -> float:
        """Return c1^2 / min phi'', the scale of the curvature of the joint problem."""
        return self.c1**2 / self.least_curvature

    def _conjugate(self, y: Any) -> Any:
        return self.gradient(y) * y - self.phi(y)
