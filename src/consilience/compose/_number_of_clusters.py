"""What a user may say about the number of clusters, and what is said about the number chosen."""

from typing import Any

from consilience._utils._declare import Integer, Integers
from consilience.diagnose import KChoice
from consilience.exceptions import (
    EdgeOfRangeWarning,
    NullModelWarning,
    UncertainNumberWarning,
    warn,
)


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


def warn_about_k(choice: KChoice) -> None:
    """Warn of a number at the edge of the candidates, of a guess, and of clusters that noise has too."""
    if choice.at_the_edge:
        warn(
            f"ConsensusClustering chose k = {choice.n_clusters}, the largest number it tried; there "
            f"may be more clusters. Try n_clusters=(2, {2 * choice.n_clusters}).",
            EdgeOfRangeWarning,
        )
    if choice.answer == "unsure" or choice.samples_disagree:
        warn(f"The number of clusters is uncertain. {choice.sentence}", UncertainNumberWarning)
    if choice.chosen is not None and choice.null_does_as_well:
        warn(
            f"At k = {choice.n_clusters} the views agree as well on data of the same covariance "
            f"without clusters (p = {choice.chosen.p_value:.2g}): the clusters may be accidental.",
            NullModelWarning,
        )


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2
