"""Bregman divergences between the entries of connectivity matrices."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from consilience.exceptions import InvalidParameterError

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


class _Formula(NamedTuple):
    """A divergence by the functions of its phi.

    phi, gradient, inverse_gradient  the convex function, its derivative, and the inverse of that
    least_curvature                  the least phi'' on [0, 1]
    smooths_low, smooths_high        whether phi needs another value in place of 0, and of 1
    """

    phi: Callable[[Any], Any]
    gradient: Callable[[Any], Any]
    inverse_gradient: Callable[[Any], Any]
    least_curvature: float
    smooths_low: bool = False
    smooths_high: bool = False


def _as_floats(x: Any) -> Any:
    return np.asarray(x, dtype=np.float64)[()]


# The divergences of [wang2009]_ by name.
FORMULAS: Mapping[str, _Formula] = {
    "euclidean": _Formula(lambda x: 0.5 * np.square(x), _as_floats, _as_floats, 1.0),
    "exponential": _Formula(np.exp, np.exp, np.log, 1.0),
    "kl": _Formula(lambda x: x * np.log(x) - x, np.log, np.exp, 1.0, smooths_low=True),
    "itakura-saito": _Formula(
        lambda x: -np.log(x), lambda x: -1.0 / x, lambda z: -1.0 / z, 1.0, smooths_low=True
    ),
    "logistic": _Formula(
        lambda x: x * np.log(x) + (1 - x) * np.log1p(-x),
        lambda x: np.log(x) - np.log1p(-x),
        lambda z: 1.0 / (1.0 + np.exp(-z)),
        4.0,
        smooths_low=True,
        smooths_high=True,
    ),
}


@dataclass(frozen=True)
class NamedDivergence(Divergence):
    """One of the five divergences of [wang2009]_.

    Parameters
    ----------
    name : {"euclidean", "exponential", "kl", "itakura-saito", "logistic"}
        phi(x) = x^2 / 2, e^x, x log x - x, -log x, or x log x + (1 - x) log(1 - x).
    smoothing : float, default 0.01
        Between 0 and 0.5: replaces 0, which has no logarithm, for the last three, and 1 by
        1 - smoothing for "logistic". As it goes to 0, only unanimous pairs count; the mean of
        "logistic" becomes a majority vote.

    Examples
    --------
    >>> from consilience.consensus.bregman import NamedDivergence
    >>> names = ["euclidean", "exponential", "kl", "itakura-saito", "logistic"]
    >>> [round(float(NamedDivergence(name).mean(0.5)), 6) for name in names]
    [0.5, 0.620115, 0.1, 0.019802, 0.5]
    """

    name: str
    smoothing: float = 0.01

    def __post_init__(self) -> None:
        if self.name not in FORMULAS:
            raise InvalidParameterError(
                f"NamedDivergence: name must be one of {', '.join(map(repr, FORMULAS))}; got "
                f"{self.name!r}. Write a subclass of Divergence for another one."
            )
        if not 0 < self.smoothing < 0.5:
            raise InvalidParameterError(
                f"NamedDivergence: smoothing must lie between 0 and 0.5, ends excluded; got "
                f"{self.smoothing!r}."
            )

    @property
    def low(self) -> float:  # type: ignore[override]
        """Return the value that represents "apart"."""
        return self.smoothing if FORMULAS[self.name].smooths_low else 0.0

    @property
    def high(self) -> float:  # type: ignore[override]
        """Return the value that represents "together"."""
        return 1 - self.smoothing if FORMULAS[self.name].smooths_high else 1.0

    @property
    def least_curvature(self) -> float:
        """Return the least phi''."""
        return FORMULAS[self.name].least_curvature

    def phi(self, x: Any) -> Any:
        """Return the convex function."""
        return FORMULAS[self.name].phi(x)

    def gradient(self, x: Any) -> Any:
        """Return phi'(x)."""
        return FORMULAS[self.name].gradient(x)

    def inverse_gradient(self, z: Any) -> Any:
        """Return the x at which phi'(x) is z."""
        return FORMULAS[self.name].inverse_gradient(z)


def is_euclidean(divergence: object) -> bool:
    """Whether M is linear in the agreement of the members."""
    return isinstance(divergence, NamedDivergence) and divergence.name == "euclidean"
