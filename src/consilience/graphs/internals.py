"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.graphs._members import Resolutions

__all__ = [
    "Resolutions",
]
