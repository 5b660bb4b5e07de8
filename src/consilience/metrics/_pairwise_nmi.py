"""NMI of all pairs of members."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.metrics._formulas import nmi_from_sums
from consilience.metrics._overlap_sums import OverlapSums, sums_of_xlogx


def pairwise_nmi(ensemble: Any, *, average_method: str = "geometric") -> np.ndarray[Any, Any]:
    """NMI of every member with every other, (r, r), from one overlap matrix.

    Pairs of members are compared on the objects that both label; a pair that shares none gets 1 with
    itself and 0 otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_nmi(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    array([[1., 0.],
           [0., 1.]])
    """
    return nmi_of_members(sums_of_xlogx(Ensemble.from_labels(ensemble)), average_method)


def nmi_of_members(sums: OverlapSums, average_method: str) -> np.ndarray[Any, Any]:
    """NMI of all pairs from the sums of n log n."""
    values = nmi_from_sums(*sums, average_method)
    values = np.where(sums.total > 0, values, 0.0)
    np.fill_diagonal(values, 1.0)
    return values
