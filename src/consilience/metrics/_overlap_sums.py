"""Every member against every other, from the one overlap matrix N = H' H."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.metrics._formulas import xlogx


class OverlapSums(NamedTuple):
    """For every pair of members, a function of the counts summed over cells and over both margins.

    Members are compared on the objects that both label, so margins depend on the pair.
    """

    joint: Array
    left: Array
    right: Array
    total: Array


def sums_of_squares(ensemble: Ensemble, overlaps: Array | None = None) -> OverlapSums:
    """Sum squared counts; `joint` is the Gram matrix G of the connectivity matrices."""
    return _sums(ensemble, overlaps, lambda counts: np.square(counts, dtype=np.float64))


def sums_of_xlogx(ensemble: Ensemble, overlaps: Array | None = None) -> OverlapSums:
    """Sum n log n, from which entropies and mutual information follow."""
    return _sums(ensemble, overlaps, xlogx)


def _sums(ensemble: Ensemble, overlaps: Array | None, function: Any) -> OverlapSums:
    layout = ensemble.layout
    overlaps = ensemble.incidence.gram() if overlaps is None else overlaps
    # margins[c, l]: objects of base cluster c that member l labels
    margins = layout.sum_by_member(overlaps, axis=1)
    joint = layout.sum_by_member(layout.sum_by_member(function(overlaps), axis=1), axis=0)
    left = layout.sum_by_member(function(margins), axis=0)
    return OverlapSums(joint, left, left.T, layout.sum_by_member(margins, axis=0))
