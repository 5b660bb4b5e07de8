"""Trees of clusters that are made without random numbers.

Trees of members differ from seed to seed, most of all where clusters are not clear. These trees do not,
so that a number on which they agree with the others is found again with another seed.
"""

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import identity
from scipy.spatial.distance import pdist

from consilience._utils._types import Array
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.partition import leading_eigenvectors

# More objects than this would need too much memory for all distances.
MOST_ROWS = 4_000
# Eigenvectors of the graph, and steps of the walk along its links whose places are compared.
_VECTORS, _STEPS = 30, 8
# Every object is linked to itself a little, so that the graph has no object without links.
_OWN_LINK = 1e-8

WARD, AVERAGE, DIFFUSION = "Ward", "average linkage", "diffusion"


def fixed_trees(graph: NeighbourGraph) -> dict[str, Array]:
    """Return trees as SciPy writes them, by the name of their kind."""
    distances = pdist(graph.rows)
    return {
        WARD: linkage(distances, "ward"),
        AVERAGE: linkage(distances, "average"),
        DIFFUSION: linkage(diffusion_map(graph), "ward"),
    }


def diffusion_map(graph: NeighbourGraph) -> Array:
    """Return places of objects at which a random walk along the links would end, (n, axes).

    Objects are close if walks from both of them reach the same objects after a few steps, so that
    clusters of any shape become compact.
    """
    n_rows = len(graph.rows)
    links = graph.weights() + _OWN_LINK * identity(n_rows, format="csr")
    degree = np.asarray(links.sum(axis=1)).ravel()
    scaled = links.multiply(1 / np.sqrt(degree)[:, None]).multiply(1 / np.sqrt(degree)).tocsr()
    values, vectors = leading_eigenvectors(scaled, min(_VECTORS, n_rows))
    places: Array = vectors / np.sqrt(degree)[:, None] * values**_STEPS
    return places
