"""Whether members share more pairs of objects than by chance, for any numbers of clusters."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Layout, PairSums, pair_sums


class PairSignal(NamedTuple):
    """Agreement of members beyond chance.

    shared  pairs of objects that two members both keep together, beyond chance, as a share of the most
            that clusters of these sizes can share, summed over all pairs of members. 1 if clusterings
            refine each other, 0 for random labels
    sigmas  the sum of the same over all pairs of members, in standard deviations of random labels
    """

    shared: float
    sigmas: float


def pair_signal(overlaps: Any, layout: Layout, squares: PairSums) -> PairSignal:
    """Compare the members of an ensemble two by two.

    The adjusted Rand index of a clustering and a much finer one is near 0 even if one refines the other,
    so it cannot be used to decide whether members are related.
    """
    cubes = pair_sums(overlaps, layout, _cube).left
    n = squares.total.astype(np.float64)
    # Pairs of objects, and pairs of pairs that share an object: in all, and inside clusters of a member.
    pairs, paths = _ordered(n, 2) / 2, _ordered(n, 3)
    left = (squares.left - n) / 2
    left_paths = cubes - 3.0 * squares.left + 2 * n
    together, right, right_paths = (squares.joint - n) / 2, left.T, left_paths.T
    expected = _ratio(left * right, pairs)
    above = together - expected
    # The variance of the number of shared pairs if the objects of one member are permuted (Mantel).
    apart = _ratio(
        (left * (left - 1) - left_paths) * (right * (right - 1) - right_paths),
        pairs * (pairs - 1) - paths,
    )
    variance = expected + _ratio(left_paths * right_paths, paths) + apart - expected**2
    most = np.minimum(left, right) - expected
    first, second = np.triu_indices(layout.n_members, 1)
    above, variance, most = (values[first, second] for values in (above, variance, most))
    informative = (most > 0) & (variance > 1e-9)
    if not informative.any():
        return PairSignal(1.0, np.inf)  # nothing could differ
    above, variance, most = (values[informative] for values in (above, variance, most))
    sigmas = float((above / np.sqrt(variance)).sum() / np.sqrt(len(above)))
    # A ratio of sums: members with few common objects have few pairs, and must not decide alone.
    return PairSignal(float(above.sum() / most.sum()), sigmas)


def _cube(counts: Array) -> Array:
    values = np.asarray(counts, dtype=np.float64)
    return np.asarray(values**3)


def _ordered(n: Array, length: int) -> Array:
    """Return the number of ordered choices of different objects."""
    product = n.copy()
    for step in range(1, length):
        product = product * np.maximum(n - step, 0)
    return product


def _ratio(above: Array, below: Array) -> Array:
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0)
