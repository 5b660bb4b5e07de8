"""Small graphs as dense matrices, for partitioners that need them."""

import numpy as np
from scipy.sparse import issparse

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.partition._graphs import ClusterGraph


def written_affinity(graph: ClusterGraph) -> Array:
    """Return the affinities as a dense matrix."""
    affinity = graph.affinity
    if not issparse(affinity):
        return np.asarray(affinity)
    require_memory(
        # the matrix, a copy without diagonal, and one copy in the partitioner
        24 * affinity.shape[0] ** 2,
        f"The graph of {affinity.shape[0]} base clusters",
        "partitioner='spectral' does not need the dense matrix.",
    )
    return np.asarray(affinity.toarray())
