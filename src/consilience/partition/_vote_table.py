"""From groups of base clusters to votes of the objects."""

import numpy as np

from consilience._utils._types import Array


def vote_table(metacluster: Array, weights: Array, n_clusters: int) -> Array:
    """Return the (t, K) table of votes, in which every base cluster votes for its metacluster."""
    votes = np.zeros((len(metacluster), n_clusters))
    votes[np.arange(len(metacluster)), metacluster] = weights
    return votes
