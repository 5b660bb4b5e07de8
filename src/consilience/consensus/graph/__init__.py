"""Graph: partition a graph of objects, of base clusters, or of both."""

from consilience.consensus.graph._bipartite_graphs import HBGF, LWGP, WBPA
from consilience.consensus.graph._cluster_graphs import CBGF, MCLA
from consilience.consensus.graph._hgpa import HGPA
from consilience.consensus.graph._object_graphs import CSPA, IBGF, WSPA

__all__ = ["CBGF", "CSPA", "HBGF", "HGPA", "IBGF", "LWGP", "MCLA", "WBPA", "WSPA"]
