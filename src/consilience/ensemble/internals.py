"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.ensemble._open import open_ensemble

__all__ = [
    "open_ensemble",
]
