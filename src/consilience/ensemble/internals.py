"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.ensemble._open import open_ensemble

__all__ = [
    "open_ensemble",
]
