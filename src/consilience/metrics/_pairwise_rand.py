"""Rand distance of all pairs of members."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.metrics._formulas import rand_from_squares
from consilience.metrics._overlap_sums import sums_of_squares


def pairwise_rand(ensemble: Any) -> np.ndarray[Any, Any]:
    """Rand distance of every member to every other, (r, r), from one overlap matrix.

    Pairs of members are compared on the objects that both label.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_rand(np.array([[0, 0], [0, 1], [1, 1]]))
    array([[0.        , 0.66666667],
           [0.66666667, 0.        ]])
    """
    return rand_from_squares(*sums_of_squares(Ensemble.from_labels(ensemble)))
