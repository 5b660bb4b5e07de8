"""Inner products of the connectivity matrices of the members."""

from typing import Any

import numpy as np

from consilience.incidence import Incidence

Array = np.ndarray[Any, Any]


def member_gram(H: Incidence, sample_weight: Array | None = None) -> Array:
    """Return G, (r, r): G_jl = <M_j, M_l>, the summed squares of the overlaps of their clusters.

    M_j marks the pairs of objects that member j puts together; pairs count by the weights of both.
    """
    layout = H.layout
    squares = np.square(H.gram(sample_weight), dtype=np.float64)
    return layout.sum_by_member(layout.sum_by_member(squares, axis=1))
