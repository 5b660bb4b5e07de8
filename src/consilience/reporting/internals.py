"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.reporting._words import listed

__all__ = [
    "listed",
]
