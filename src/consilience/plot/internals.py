"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.plot._palette import DARK_COLOURS, LIGHT_COLOURS

__all__ = [
    "DARK_COLOURS",
    "LIGHT_COLOURS",
]
