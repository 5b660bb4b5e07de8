"""Overlaps of base clusters, as a dense matrix or, if few are above 0, as a sparse one.

If members have many clusters, most pairs of base clusters share no object. The number of overlaps
above 0 is at most n r^2 for any t, while a dense matrix has t^2 cells.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.incidence._layout import Layout

# Rows of dense overlaps whose cells are transformed at a time, so that no second matrix is made.
_ROWS_AT_A_TIME = 256

# Number of base clusters up to which a dense matrix is always used.
_SMALL = 1_500
# Cost of a cell of a dense matrix relative to a listed overlap.
_CELL = 0.25
# Two positions and a number, in the results of the blocks and in the final result.
_BYTES_PER_OVERLAP = 40


class PairSums(NamedTuple):
    """For every pair of members, (r, r), a function of the overlaps summed over cells and both margins.

    Members are compared on the objects that both label, so margins depend on the pair.
    """

    joint: Array
    left: Array
    right: Array
    total: Array


def few_overlap(layout: Layout, n_rows: int) -> bool:
    """Whether listing overlaps is faster than a dense matrix; depends on the shape of H alone."""
    if layout.n_columns <= _SMALL or not n_rows:
        return False
    return n_rows * layout.n_members**2 < _CELL * layout.n_columns**2


def require_overlaps(layout: Layout, n_rows: int) -> None:
    """Raise an error if the overlaps do not fit the memory limit."""
    require_memory(
        _BYTES_PER_OVERLAP * n_rows * layout.n_members**2,
        f"The overlaps of {layout.n_columns} base clusters",
        "Use members with fewer clusters, or a method of the voting or mixture family, which does not "
        "need them.",
    )


def added_cells(cells: Array, layout: Layout) -> Any:
    """Build a sparse matrix from the overlaps listed by blocks of rows; duplicates are added."""
    places = (cells["first"], cells["second"])
    return csr_array((cells["overlap"], places), shape=(layout.n_columns, layout.n_columns))


def on_cells(overlaps: Any, function: Callable[..., Array], clusters: Array | None = None) -> Any:
    """Apply a function that takes 0 to 0 to all overlaps, whether they are a matrix or sparse.

    If a vector (t,) is given, the function gets, after the overlap of two base clusters, its entries for
    the first and for the second.
    """
    if isinstance(overlaps, np.ndarray):
        return function(overlaps, *(() if clusters is None else (clusters[:, None], clusters)))
    first, second = (
        np.repeat(np.arange(overlaps.shape[0]), np.diff(overlaps.indptr)),
        overlaps.indices,
    )
    sides = () if clusters is None else (clusters[first], clusters[second])
    cells = (function(overlaps.data, *sides), overlaps.indices, overlaps.indptr)
    return csr_array(cells, shape=overlaps.shape)


def pair_sums(overlaps: Any, layout: Layout, function: Callable[[Array], Array]) -> PairSums:
    """Add up a function that takes 0 to 0 for every pair of members."""
    # margins[c, l]: objects of base cluster c that member l labels
    margins = layout.sum_by_member(overlaps, axis=1)
    joint = layout.sum_by_member(_row_sums(overlaps, layout, function))
    left = layout.sum_by_member(function(margins))
    return PairSums(joint, left, left.T, layout.sum_by_member(margins))


def _row_sums(overlaps: Any, layout: Layout, function: Callable[[Array], Array]) -> Array:
    """Return sums of a function of the cells, (t, r); dense overlaps a few rows at a time."""
    if issparse(overlaps):
        return layout.sum_by_member(on_cells(overlaps, function), axis=1)
    pieces = [
        layout.sum_by_member(function(overlaps[start : start + _ROWS_AT_A_TIME]), axis=1)
        for start in range(0, len(overlaps), _ROWS_AT_A_TIME)
    ]
    return np.concatenate(pieces) if pieces else np.zeros((0, layout.n_members))
