"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.plot._consensus import AMBIGUOUS, ClusterCounts, consensus_of_rows
from consilience.plot._palette import DARK_COLOURS, LIGHT_COLOURS, shortened

__all__ = [
    "AMBIGUOUS",
    "DARK_COLOURS",
    "LIGHT_COLOURS",
    "ClusterCounts",
    "consensus_of_rows",
    "shortened",
]
