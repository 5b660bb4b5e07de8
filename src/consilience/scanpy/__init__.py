"""AnnData: members from the neighbour graph, and a consensus beside the cells."""
