"""How good the answer of ConsensusClustering is, the number of clusters given or chosen."""
