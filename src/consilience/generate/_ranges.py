"""Numbers that are fixed, or drawn for every member from a range."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._declare import Integer
from consilience.exceptions import InvalidParameterError

# A number, a pair (low, high), or None for the rule of the generator.
Range = int | tuple[int, int] | None

_MOST_CLUSTERS = 50
# Steps by this share of a range come back to no earlier place, and cover it evenly after any number.
_STEP = (5**0.5 - 1) / 2


class EvenRange(NamedTuple):
    """A range whose numbers are spread evenly over the members instead of being drawn.

    Few members with numbers drawn at random may all have few clusters, or all many.
    """

    low: int
    high: int


class WholeOrRange:
    """None, a whole number of at least `low`, or a pair of such numbers, the smaller first."""

    def __init__(self, low: int) -> None:
        self.low = low

    def accepts(self, value: object) -> bool:
        """Pairs may be tuples or lists."""
        whole = Integer(self.low)
        if isinstance(value, tuple | list):
            return (
                len(value) == 2
                and all(whole.accepts(end) for end in value)
                and value[0] <= value[1]
            )
        return value is None or whole.accepts(value)

    def __str__(self) -> str:
        return (
            f"None, an integer of at least {self.low}, or a pair (low, high) of such integers with "
            "low <= high"
        )


def cluster_range(given: Range, n_samples: int) -> tuple[int, int]:
    """Return the smallest and largest number of clusters; None: 2 .. min(50, ceil(sqrt(n)))."""
    if given is None:
        high = min(_MOST_CLUSTERS, int(np.ceil(np.sqrt(n_samples))))
        return min(2, high), high
    return given if isinstance(given, EvenRange) else ends(given)


def at_most(bounds: tuple[int, int], most: int) -> tuple[int, int]:
    """Return the range with both ends at most `most`; an even range stays one."""
    kind = EvenRange if isinstance(bounds, EvenRange) else lambda *pair: pair
    return kind(min(bounds[0], most), min(bounds[1], most))


def ends(given: Any) -> tuple[int, int]:
    """Return both ends of a number or pair."""
    if isinstance(given, tuple | list):
        return int(given[0]), int(given[1])
    return int(given), int(given)


def draw(bounds: tuple[int, int], rng: np.random.Generator, member: int = 0) -> int:
    """Draw uniformly, both ends included; a fixed number takes nothing from the stream.

    Nor does an even range, whose number depends on the place of the member alone.
    """
    low, high = bounds
    if isinstance(bounds, EvenRange):
        return low + int((0.5 + member * _STEP) % 1 * (high - low + 1))
    return low if low == high else int(rng.integers(low, high + 1))


def check_at_most(owner: str, parameter: str, given: Range, most: int, what: str) -> None:
    """Refuse a number, or an upper end, that the data cannot give."""
    if given is not None and ends(given)[1] > most:
        raise InvalidParameterError(
            f"{owner}: {parameter}={given!r} is more than the data can give; it may be at most {what}.",
            parameter=parameter,
        )
