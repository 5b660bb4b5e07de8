"""Names for use by other parts of the library. Not for users: they may change without notice.

This module imports dask, which is optional.
"""

from consilience.incidence._dask import column_names, on_pieces, row_chunks, stripes_of, wrap

__all__ = [
    "column_names",
    "on_pieces",
    "row_chunks",
    "stripes_of",
    "wrap",
]
