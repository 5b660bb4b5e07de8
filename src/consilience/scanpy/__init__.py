"""AnnData: members from the neighbour graph, and a consensus beside the cells.

The functions write into the object that scanpy works on, under names that scanpy's plots understand.
They need anndata (extra `anndata`), and Leiden needs igraph (extra `graphs`); scanpy itself is not
needed.
"""

from consilience.scanpy._consensus import consensus
from consilience.scanpy._leiden_ensemble import leiden_ensemble, resolution_tree

__all__ = ["consensus", "leiden_ensemble", "resolution_tree"]
