"""Balanced parts of the graph W = H diag(c) H' where H holds fractions."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.partition._solution import Solution
from consilience.partition._starts import SizeBounds


def swap_search_memberships(
    H: Incidence,
    column_weight: Array,
    labels: Array,
    n_clusters: int,
    bounds: SizeBounds,
    max_iter: int,
) -> Solution:
    """Same search as `swap_search` for hard labels, O(n t K) per pass.

    Swapping two objects needs random access to rows, so all rows are in memory.
    """
    from consilience._kernels._local_search import swap_rows_pass

    rows = np.ascontiguousarray(H.source.read(0, H.n_rows))
    labels = labels.astype(np.int32)
    sizes = np.bincount(labels, minlength=n_clusters)
    scale = column_weight.astype(np.float64)
    # Gains below the tolerance are rounding errors.
    margin = 1e-12 * max(1.0, float(scale.max(initial=0.0)) * len(labels))
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        # Recomputed in every pass, so that rounding errors do not accumulate.
        sums = _sums(H, labels, n_clusters)
        converged = not swap_rows_pass(rows, scale, labels, sums, sizes, *bounds, margin)
        history.append(float(np.square(_sums(H, labels, n_clusters)).sum(axis=0) @ scale))
    return Solution.maximised(
        labels, history[-1], len(history), converged=converged, history=history
    )


def _sums(H: Incidence, labels: Array, n_clusters: int) -> Array:
    """Sum the rows of every part, (K, t)."""
    return np.ascontiguousarray(H.count(labels, n_clusters).T, dtype=np.float64)
