"""What a user may say about the number of clusters."""

from typing import Any

from consilience._utils._declare import Integer, Integers


class NumberOfClusters:
    """A number, a collection of candidates, or "auto"."""

    def accepts(self, value: object) -> bool:
        """Candidates are whole numbers from 2 on; a pair is its two ends, the smaller first."""
        if isinstance(value, str):
            return value == "auto"
        if Integer(1).accepts(value):
            return True
        return Integers(2).accepts(value) and (not _is_pair(value) or value[0] <= value[1])  # type: ignore[index]

    def __str__(self) -> str:
        return (
            "an integer of at least 1, a pair (low, high) of integers of at least 2 with low <= high, "
            'a list or range of integers of at least 2, or "auto"'
        )


def candidates_of(given: Any) -> Any:
    """Return the numbers to choose from; None for "auto"."""
    if isinstance(given, str):
        return None
    return range(given[0], given[1] + 1) if _is_pair(given) else given


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2
