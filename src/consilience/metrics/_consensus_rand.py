"""Consensus Rand distance of a labelling to an ensemble."""

from typing import Any

from consilience.ensemble import Ensemble
from consilience.metrics._member_tables import count_table, mean_rand


def consensus_rand(labels: Any, ensemble: Any) -> float:
    """Mean Rand distance of a labelling to the members; lower is better [nguyen2007]_, equation (2).

    Each member is compared on the objects it labels. O(n r), from one count table.

    Examples
    --------
    >>> import numpy as np
    >>> consensus_rand([0, 0, 1, 1], np.array([[0, 0], [0, 0], [1, 1], [1, 0]]))
    0.25
    """
    ensemble = Ensemble.from_labels(ensemble)
    return mean_rand(count_table(labels, ensemble), ensemble.layout, ensemble.weights)
