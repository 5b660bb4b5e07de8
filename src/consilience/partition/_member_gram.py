"""Inner products of the connectivity matrices of the members."""

from functools import partial

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence, on_cells


def member_gram(H: Incidence, sample_weight: Array | None = None) -> Array:
    """Return G, (r, r): G_jl = <M_j, M_l>, the summed squares of the overlaps of their clusters.

    M_j marks the pairs of objects that member j puts together; pairs count by the weights of both.
    """
    layout = H.layout
    squares = on_cells(H.overlaps(sample_weight), partial(np.square, dtype=np.float64))
    return layout.sum_by_member(layout.sum_by_member(squares, axis=1))
