"""Overlaps of base clusters, as a matrix where most are above 0, and as a sparse one where few are.

Where members have many clusters, most pairs of base clusters share no object: n r^2 bounds the overlaps
above 0, however large t is, while a matrix has t^2 cells to be cleared, read and squared.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._memory import require_memory
from consilience.incidence._layout import Layout

Array = np.ndarray[Any, Any]

# Base clusters up to which a matrix costs nothing worth saving.
_SMALL = 1_500
# A cell of a matrix costs as much as this share of an overlap that is listed.
_CELL = 0.25
# Two places and a number, in the parts of the blocks and in the result.
_BYTES_PER_OVERLAP = 40


class PairSums(NamedTuple):
    """For every pair of members, (r, r), a function of the overlaps summed over cells and both margins.

    Members are compared on the objects that both know, so margins depend on the pair.
    """

    joint: Array
    left: Array
    right: Array
    total: Array


def few_overlap(layout: Layout, n_rows: int) -> bool:
    """Say whether listing overlaps is less work than a matrix; by the shape of H alone."""
    if layout.n_columns <= _SMALL or not n_rows:
        return False
    return n_rows * layout.n_members**2 < _CELL * layout.n_columns**2


def require_overlaps(layout: Layout, n_rows: int) -> None:
    """Refuse to list more overlaps than there is memory for."""
    require_memory(
        _BYTES_PER_OVERLAP * n_rows * layout.n_members**2,
        f"The overlaps of {layout.n_columns} base clusters",
        "Use members with fewer clusters, or a method of the voting or mixture family, which does not "
        "need them.",
    )


def added_cells(cells: Array, layout: Layout) -> Any:
    """Make a sparse matrix of what blocks of rows have listed; what they share is added up."""
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
    # margins[c, l]: objects of base cluster c that member l knows
    margins = layout.sum_by_member(overlaps, axis=1)
    joint = layout.sum_by_member(layout.sum_by_member(on_cells(overlaps, function), axis=1))
    left = layout.sum_by_member(function(margins))
    return PairSums(joint, left, left.T, layout.sum_by_member(margins))
