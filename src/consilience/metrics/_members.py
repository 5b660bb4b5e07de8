"""A labelling and the members of an ensemble, and the members and each other."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import Layout, PairSums, pair_sums
from consilience.metrics._two_labellings import (
    ari_from_squares,
    nmi_from_sums,
    rand_from_squares,
    squares,
    xlogx,
)


def label_codes(labels: Any, ensemble: Ensemble) -> Array:
    """Return one code per object of the ensemble, 0 = no label."""
    codes = as_label_vector(labels).codes[:, 0].astype(np.int32)
    if len(codes) != ensemble.n_samples:
        raise InvalidInputError(
            f"The ensemble has {ensemble.n_samples} objects; got {len(codes)} labels."
        )
    return codes


def count_table(labels: Any, ensemble: Ensemble) -> Array:
    """Return the (t, K) count table of a labelling; objects without a label are left out."""
    codes = label_codes(labels, ensemble)
    return ensemble.incidence.count(codes, int(codes.max()) + 1)[:, 1:]


def _sums_with_members(
    counts: Array, layout: Layout, function: Callable[[Any], Array]
) -> tuple[Array, Array, Array, Array]:
    """Add up a function of the counts over the cells and both margins, for every member, (r,)."""
    within = layout.sum_by_member(counts)
    return (
        layout.sum_by_member(function(counts).sum(axis=1)),
        layout.sum_by_member(function(counts.sum(axis=1))),
        function(within).sum(axis=1),
        within.sum(axis=1),
    )


def nmi_with_members(counts: Array, layout: Layout) -> Array:
    """NMI of the labelling with every member, (r,)."""
    return nmi_from_sums(*_sums_with_members(counts, layout, xlogx))


def mean_nmi(counts: Array, layout: Layout, weights: Array) -> float:
    """Average NMI, weighted by member weights and by the objects they label (ClusterPack)."""
    known = weights * layout.sum_by_member(counts.sum(axis=1))
    return float(np.average(nmi_with_members(counts, layout), weights=known))


def mean_rand(counts: Array, layout: Layout, weights: Array) -> float:
    """Consensus Rand distance: the mean over the members that label some object."""
    counted = weights * (layout.n_clusters > 0)
    distances = rand_from_squares(*_sums_with_members(counts, layout, squares))
    return float(np.average(distances, weights=counted))


def anmi(labels: Any, ensemble: Any) -> float:
    """Mean NMI of a labelling with the members of an ensemble.

    Members count by their weight and by the number of objects they label [strehl2002]_. O(n r).

    Examples
    --------
    >>> import numpy as np
    >>> anmi([0, 0, 1, 1], np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    0.5
    """
    ensemble = Ensemble.from_labels(ensemble)
    return mean_nmi(count_table(labels, ensemble), ensemble.layout, ensemble.weights)


def snmi(labels: Any, ensemble: Any) -> float:
    """Sum over the members of weight times NMI with the labelling [fern2004]_, section 6.2.

    Weights are those of the ensemble, of mean one.

    Examples
    --------
    >>> import numpy as np
    >>> snmi([0, 0, 1, 1], np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    1.0
    """
    ensemble = Ensemble.from_labels(ensemble)
    agreement = nmi_with_members(count_table(labels, ensemble), ensemble.layout)
    return float((ensemble.weights * agreement)[ensemble.n_clusters > 0].sum())


def consensus_rand(labels: Any, ensemble: Any) -> float:
    """Mean Rand distance of a labelling to the members; lower is better [nguyen2007]_, equation (2).

    Each member is compared on the objects it labels. O(n r), from one count table.

    Examples
    --------
    >>> import numpy as np
    >>> consensus_rand([0, 0, 1, 1], np.array([[0, 0], [0, 0], [1, 1], [1, 0]]))
    0.25
    """
    ensemble = Ensemble.from_labels(ensemble)
    return mean_rand(count_table(labels, ensemble), ensemble.layout, ensemble.weights)


def sums_between_members(ensemble: Ensemble, function: Callable[[Any], Array]) -> PairSums:
    """Add up a function of the overlaps for every pair of members, from the matrix N = H' H."""
    return pair_sums(ensemble.incidence.gram(), ensemble.layout, function)


def nmi_of_members(sums: PairSums, average_method: str = "geometric") -> Array:
    """NMI of all pairs from the sums of n log n."""
    values = np.where(sums.total > 0, nmi_from_sums(*sums, average_method), 0.0)
    np.fill_diagonal(values, 1.0)
    return values


def pairwise_nmi(ensemble: Any, *, average_method: str = "geometric") -> Array:
    """NMI of every member with every other, (r, r), from one overlap matrix.

    Pairs of members are compared on the objects that both label; a pair that shares none gets 1 with
    itself and 0 otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_nmi(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    array([[1., 0.],
           [0., 1.]])
    """
    sums = sums_between_members(Ensemble.from_labels(ensemble), xlogx)
    return nmi_of_members(sums, average_method)


def pairwise_rand(ensemble: Any) -> Array:
    """Rand distance of every member to every other, (r, r), from one overlap matrix.

    Pairs of members are compared on the objects that both label.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_rand(np.array([[0, 0], [0, 1], [1, 1]]))
    array([[0.        , 0.66666667],
           [0.66666667, 0.        ]])
    """
    return rand_from_squares(*sums_between_members(Ensemble.from_labels(ensemble), squares))


def pairwise_ari(ensemble: Any) -> Array:
    """Adjusted Rand index of every member with every other, (r, r), from one overlap matrix.

    Pairs of members are compared on the objects that both label.

    Examples
    --------
    >>> import numpy as np
    >>> pairwise_ari(np.array([[0, 0], [0, 0], [1, 1], [1, 1]]))
    array([[1., 1.],
           [1., 1.]])
    """
    return ari_from_squares(*sums_between_members(Ensemble.from_labels(ensemble), squares))


def best_member(ensemble: Any, *, criterion: str = "rand", among: Any = None) -> int:
    """Return the position of the member that agrees best with all members; ties: the first.

    Parameters
    ----------
    ensemble : Ensemble or any input that Ensemble accepts
    criterion : {"rand", "anmi"}, default "rand"
        Smallest mean Rand distance ([nguyen2007]_ 3.6, a 2 (1 - 1/r) approximation of the best
        partition), or largest mean NMI.
    among : positions of members, optional
        The candidates; each is compared with all members.

    Examples
    --------
    >>> import numpy as np
    >>> best_member(np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0]]))
    0
    """
    ensemble = Ensemble.from_labels(ensemble)
    known = ensemble.n_clusters > 0
    if criterion == "rand":
        cost = pairwise_rand(ensemble) @ (ensemble.weights * known)
    elif criterion == "anmi":
        cost = -pairwise_nmi(ensemble) @ (ensemble.weights * ensemble.n_observed)
    else:
        raise InvalidParameterError(f"criterion must be 'rand' or 'anmi'; got {criterion!r}.")
    allowed = np.zeros(ensemble.n_members, dtype=bool)
    allowed[slice(None) if among is None else among] = True
    cost = np.where(allowed & known & (ensemble.weights > 0), cost, np.inf)
    tied = cost <= cost.min() + 1e-12 * max(1.0, abs(float(cost.min())))
    return int(np.flatnonzero(tied)[0])


class PairSignal(NamedTuple):
    """Agreement of members beyond chance, for any numbers of clusters.

    shared  pairs of objects that two members both keep together, beyond chance, as a share of the most
            that clusters of these sizes can share, summed over all pairs of members. 1 if clusterings
            refine each other, 0 for random labels
    sigmas  the sum of the same over all pairs of members, in standard deviations of random labels
    """

    shared: float
    sigmas: float


def pair_signal(overlaps: Any, layout: Layout, sums: PairSums) -> PairSignal:
    """Compare the members of an ensemble two by two, given the sums of squared overlaps.

    The adjusted Rand index of a clustering and a much finer one is near 0 even if one refines the other,
    so it cannot be used to decide whether members are related.
    """
    cubes = pair_sums(
        overlaps, layout, lambda counts: np.asarray(counts, dtype=np.float64) ** 3
    ).left
    n = sums.total.astype(np.float64)
    # Pairs of objects, and pairs of pairs that share an object: in all, and inside clusters of a member.
    pairs, paths = n * np.maximum(n - 1, 0) / 2, n * np.maximum(n - 1, 0) * np.maximum(n - 2, 0)
    left = (sums.left - n) / 2
    left_paths = cubes - 3.0 * sums.left + 2 * n
    together, right, right_paths = (sums.joint - n) / 2, left.T, left_paths.T
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


def _ratio(above: Array, below: Array) -> Array:
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0)
