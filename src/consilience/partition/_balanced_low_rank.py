"""Balanced parts of the graph W = H diag(c) H', whose edges are never stored."""

from functools import partial

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence, SoftBlocks
from consilience.partition._balanced_assignment import balanced_assignment
from consilience.partition._balanced_memberships import swap_search_memberships
from consilience.partition._graphs import ObjectGraph
from consilience.partition._rows import Rows
from consilience.partition._solution import Solution
from consilience.partition._starts import SizeBounds, random_labels, run_starts


def balanced_low_rank(
    graph: ObjectGraph,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[Solution]:
    """Cut W into K parts of equal size with little weight between them.

    With T_k the sums of the rows of H diag(sqrt c) in part k, the weight between the parts is
    (1' W 1 - sum_k |T_k|^2) / 2; the objective, to be maximised, is sum_k |T_k|^2. Moves and swaps
    are made by their exact gains, so it never decreases; O(n r K) per pass.

    Parameters
    ----------
    graph : ObjectGraph
        Its `start`, adapted to the sizes, is the first start. The other n_init - 1 starts
        are random.
    imbalance : float
        0: sizes floor or ceil of n / K. More: at most (1 + imbalance) ceil(n / K) objects.
    max_iter : int
        Maximum number of passes over the pairs of parts.

    Returns
    -------
    list of Solution
        The result of every start.
    """
    assert graph.start is not None  # noqa: S101 - ensured by the caller
    H, column_weight = graph.H, graph.column_weight
    once = Incidence(H.source, H.blocks)  # without row weights
    bounds = SizeBounds.of(H.n_rows, n_clusters, imbalance)
    starts = [fit_to_sizes(once, column_weight, graph.start, n_clusters, bounds)]
    starts += [random_labels(H.n_rows, n_clusters, stream) for stream in rng.spawn(n_init - 1)]
    soft = isinstance(H.blocks, SoftBlocks)
    walk = partial(swap_search_memberships, once) if soft else partial(swap_search, Rows.of(H))

    def search(labels: Array) -> Solution:
        return walk(column_weight, labels, n_clusters, bounds, max_iter)

    return run_starts(search, starts)


def fit_to_sizes(
    H: Incidence, column_weight: Array, labels: Array, n_clusters: int, bounds: SizeBounds
) -> Array:
    """Balance a clustering; assign objects to parts with a large mean similarity."""
    counts = H.count(labels, n_clusters)
    sizes = np.bincount(labels, minlength=n_clusters)
    scores = H @ (column_weight[:, None] * counts / np.maximum(sizes, 1))
    return balanced_assignment(scores, bounds)


def swap_search(
    rows: Rows,
    column_weight: Array,
    labels: Array,
    n_clusters: int,
    bounds: SizeBounds,
    max_iter: int,
) -> Solution:
    """Pass over the pairs of parts until nothing changes."""
    from consilience._kernels._local_search import swap_pass

    labels = labels.astype(np.int32)
    sizes = np.bincount(labels, minlength=n_clusters)
    counts = rows.padded(rows.H.count(labels, n_clusters))
    scale = rows.padded(column_weight.astype(np.float64))
    # Counts are exact; only non-integer weights are rounded. Gains below the tolerance are rounding
    # errors.
    margin = 1e-12 * max(1.0, float(scale.max(initial=0.0)) * len(labels))
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        done = swap_pass(rows.codes, rows.offsets, scale, labels, counts, sizes, *bounds, margin)
        converged = done == 0
        history.append(sum_of_squares(scale, counts))
    return Solution.maximised(
        labels, history[-1], len(history), converged=converged, history=history
    )


def sum_of_squares(column_weight: Array, counts: Array) -> float:
    """sum_k |T_k|^2 from the count table."""
    return float(column_weight @ np.square(counts.astype(np.float64)).sum(axis=1))
