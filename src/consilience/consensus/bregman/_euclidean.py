"""Half the squared distance, phi(x) = x^2 / 2: the mean is the plain average, g(a) = a."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience.consensus.bregman._divergence import Divergence


@dataclass(frozen=True)
class Euclidean(Divergence):
    """Half the squared distance, phi(x) = x^2 / 2: the mean is the plain average, g(a) = a.

    Examples
    --------
    >>> from consilience.consensus.bregman import Euclidean
    >>> round(float(Euclidean().mean(0.5)), 6)
    0.5
    """

    @property
    def least_curvature(self) -> float:
        """Return the least phi'', everywhere."""
        return 1.0

    def phi(self, x: Any) -> Any:
        """Return x^2 / 2."""
        return 0.5 * np.square(x)

    def gradient(self, x: Any) -> Any:
        """Return x."""
        return np.asarray(x, dtype=np.float64)[()]

    def inverse_gradient(self, z: Any) -> Any:
        """Return z."""
        return np.asarray(z, dtype=np.float64)[()]
