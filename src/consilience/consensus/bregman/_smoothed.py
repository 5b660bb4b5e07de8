"""Divergences that are not defined at 0, which is replaced by a small value."""

from dataclasses import dataclass

from consilience.consensus.bregman._divergence import Divergence
from consilience.exceptions import InvalidParameterError


@dataclass(frozen=True)
class Smoothed(Divergence):
    """A divergence with a smoothing, between 0 and 0.5, in place of 0."""

    smoothing: float = 0.01

    def __post_init__(self) -> None:
        if not 0 < self.smoothing < 0.5:
            raise InvalidParameterError(
                f"{type(self).__name__}: smoothing must lie between 0 and 0.5, ends excluded; got "
                f"{self.smoothing!r}."
            )

    @property
    def low(self) -> float:  # type: ignore[override]
        """Return the value that replaces 0."""
        return self.smoothing
