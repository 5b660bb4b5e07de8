"""Summed NMI of a labelling with an ensemble."""

from typing import Any

from consilience.ensemble import Ensemble
from consilience.metrics._member_tables import count_table, nmi_with_members


def snmi(labels: Any, ensemble: Any) -> float:
    """Sum over the members of weight times NMI with the labelling [fern2004]_, section 6.2.

    Weights are those of the ensemble, of mean one.

    Examples
    --------
    >>> import numpy as np
    >>> snmi([0, 0, 1, 1], np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    1.0
    """
    ensemble = Ensemble.from_labels(ensemble)
    counts = count_table(labels, ensemble)
    known = ensemble.n_clusters > 0
    return float((ensemble.weights * nmi_with_members(counts, ensemble.layout))[known].sum())
