"""How often the chosen number of clusters is right: no clusters, planted clusters, real data."""
