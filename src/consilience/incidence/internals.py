"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.incidence._executor import ThreadExecutor
from consilience.incidence._grid import BLOCK_ROWS
from consilience.incidence._row_hashes import distinct, row_hashes
from consilience.incidence._sweep import TIE_TOLERANCE

__all__ = [
    "BLOCK_ROWS",
    "TIE_TOLERANCE",
    "ThreadExecutor",
    "distinct",
    "row_hashes",
]
