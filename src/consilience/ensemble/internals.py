"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.ensemble._open import open_ensemble
from consilience.ensemble._read_ensemble import read_ensemble

__all__ = [
    "open_ensemble",
    "read_ensemble",
]
