"""Communities of graphs: many runs of Louvain, Leiden or label propagation, and one stable answer.

Graphs may be those of networkx or igraph, sparse adjacency matrices, or lists of edges. The extra
`graphs` brings networkx (BSD), igraph (GPL 2 or later) and leidenalg (GPL 3 or later); none of them is
imported before it is needed.
"""

from consilience.graphs._agreement import EdgeAgreement, edge_agreement
from consilience.graphs._communities import (
    communities_of_labels,
    ensemble_of_communities,
    labels_of_communities,
)
from consilience.graphs._consensus import GraphConsensus, ecg, fast_consensus
from consilience.graphs._graph import Graph, read_graph
from consilience.graphs._members import community_ensemble

__all__ = [
    "EdgeAgreement",
    "Graph",
    "GraphConsensus",
    "communities_of_labels",
    "community_ensemble",
    "ecg",
    "edge_agreement",
    "ensemble_of_communities",
    "fast_consensus",
    "labels_of_communities",
    "read_graph",
]
