"""How many different rows data have."""

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import issparse


def n_distinct(X: Any) -> int:
    """Return the number of distinct rows."""
    if issparse(X):
        rows = X.tocsr(copy=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        spans = list(pairwise(rows.indptr.tolist()))
        return len({(rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in spans})
    # Adding nothing makes -0.0 the same as 0.0.
    return len({row.tobytes() for row in np.asarray(X) + 0.0})
