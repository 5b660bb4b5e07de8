"""Small graphs, written down for partitioners that need all cells."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from consilience._utils._memory import require_memory
from consilience.partition._graphs import ClusterGraph

Array = np.ndarray[Any, Any]


def written_affinity(graph: ClusterGraph) -> Array:
    """Return the affinities as a dense matrix."""
    affinity = graph.affinity
    if not issparse(affinity):
        return np.asarray(affinity)
    require_memory(
        # once here, once without its diagonal, once for what is cut
        24 * affinity.shape[0] ** 2,
        f"The graph of {affinity.shape[0]} base clusters",
        "partitioner='spectral' does not need it written down.",
    )
    return np.asarray(affinity.toarray())
