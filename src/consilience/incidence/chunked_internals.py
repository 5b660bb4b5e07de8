"""What other parts of the library use of this one. Users should not import it: it may change.

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
