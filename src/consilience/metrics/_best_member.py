"""The member that agrees best with all members."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.metrics._pairwise_nmi import pairwise_nmi
from consilience.metrics._pairwise_rand import pairwise_rand


def best_member(ensemble: Any, *, criterion: str = "rand", among: Any = None) -> int:
    """Return the position of the member that agrees best with all members; ties: the first.

    Parameters
    ----------
    ensemble : Ensemble or any input that Ensemble accepts
    criterion : {"rand", "anmi"}, default "rand"
        Smallest mean Rand distance ([nguyen2007]_ 3.6, a 2 (1 - 1/r) approximation of the best
        partition), or largest mean NMI.
    among : positions of members, optional
        The candidates; each is compared with all members.

    Examples
    --------
    >>> import numpy as np
    >>> best_member(np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0]]))
    0
    """
    ensemble = Ensemble.from_labels(ensemble)
    known = ensemble.n_clusters > 0
    if criterion == "rand":
        cost = pairwise_rand(ensemble) @ (ensemble.weights * known)
    elif criterion == "anmi":
        cost = -pairwise_nmi(ensemble) @ (ensemble.weights * ensemble.n_observed)
    else:
        raise InvalidParameterError(f"criterion must be 'rand' or 'anmi'; got {criterion!r}.")
    allowed = np.zeros(ensemble.n_members, dtype=bool)
    allowed[slice(None) if among is None else among] = True
    cost = np.where(allowed & known & (ensemble.weights > 0), cost, np.inf)
    tied = cost <= cost.min() + 1e-12 * max(1.0, abs(float(cost.min())))
    return int(np.flatnonzero(tied)[0])
