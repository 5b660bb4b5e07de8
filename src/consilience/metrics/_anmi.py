"""Average NMI of a labelling with an ensemble."""

from typing import Any

from consilience.ensemble import Ensemble
from consilience.metrics._member_tables import count_table, mean_nmi


def anmi(labels: Any, ensemble: Any) -> float:
    """Mean NMI of a labelling with the members of an ensemble.

    Members count by their weight and by the number of objects they label [strehl2002]_. O(n r).

    Examples
    --------
    >>> import numpy as np
    >>> anmi([0, 0, 1, 1], np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    0.5
    """
    ensemble = Ensemble.from_labels(ensemble)
    return mean_nmi(count_table(labels, ensemble), ensemble.layout, ensemble.weights)
