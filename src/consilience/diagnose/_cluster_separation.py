"""Whether there is a valley between two clusters, or they were cut out of one."""

from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom

from consilience._utils._random import RandomState, seed_sequence
from consilience.exceptions import InvalidInputError

Array = np.ndarray[Any, Any]

# Half the width of a window, and where the valley is looked for, in units of the distance of centres.
_HALF_WIDTH = 1 / 8
_VALLEY = np.linspace(0.35, 0.65, 7)


class ClusterSeparation(NamedTuple):
    """Evidence for a valley between every two clusters.

    p_values  (K, K) small where two clusters are separated; the diagonal is 0
    weakest   the largest of them: every cluster is separated from every other if this is small
    """

    p_values: Array
    weakest: float


def cluster_separation(
    X: Array, labels: Array, *, random_state: RandomState = None
) -> ClusterSeparation:
    """Test for every two clusters whether the data are thinner between them than inside both.

    The objects of two clusters are projected on the line through their centres. If they were one
    population with a single mode, there would be no fewer objects around the middle than around the
    thinner of the two centres; the p-value is the chance of as few or fewer if both were equally
    likely (a binomial test, so nothing is assumed about the shape). Centres and lines come from the
    other half of the objects: in many dimensions any partition looks separated along its own centres.

    Parameters
    ----------
    X : array (n, d)
        The data.
    labels : array (n,)
        A partition, 0 .. K - 1.
    random_state : int, generator or None
        Draws the halves.

    Notes
    -----
    O(n d K). The middle is the thinnest of seven windows between 35 % and 65 % of the way, each a
    quarter of the way wide. A cluster of one or two objects is never separated.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.diagnose import cluster_separation
    >>> rng = np.random.default_rng(0)
    >>> cloud = rng.standard_normal((300, 2))
    >>> right = (cloud[:, 0] > 0).astype(int)
    >>> bool(cluster_separation(cloud, right, random_state=0).weakest > 0.5)
    True
    >>> cloud[:, 0] += 6 * right
    >>> bool(cluster_separation(cloud, right, random_state=0).weakest < 1e-6)
    True
    """
    labels = np.asarray(labels)
    if len(labels) != len(X):
        raise InvalidInputError(
            f"cluster_separation: labels and X must have as many rows; got {len(labels)} and {len(X)}."
        )
    rng = np.random.default_rng(seed_sequence(random_state))
    n_clusters = int(labels.max()) + 1
    half = _halves(labels, n_clusters, rng)
    centres = np.stack([_means(X, labels, half == side, n_clusters) for side in (0, 1)])
    p_values = np.zeros((n_clusters, n_clusters))
    for first in range(n_clusters):
        for second in range(first + 1, n_clusters):
            places = [
                _along(X[(half == side) & ((labels == first) | (labels == second))], ends)
                for side, ends in (
                    (0, centres[1, [first, second]]),
                    (1, centres[0, [first, second]]),
                )
            ]
            p_values[first, second] = p_values[second, first] = _valley(np.concatenate(places))
    return ClusterSeparation(p_values, float(p_values.max()))


def _halves(labels: Array, n_clusters: int, rng: np.random.Generator) -> Array:
    """Split every cluster at random into two halves."""
    half = np.zeros(len(labels), dtype=np.int64)
    for cluster in range(n_clusters):
        half[rng.permutation(np.flatnonzero(labels == cluster))[1::2]] = 1
    return half


def _means(X: Array, labels: Array, chosen: Array, n_clusters: int) -> Array:
    """Centres of the chosen objects; NaN where a cluster has none."""
    indicator = (labels[chosen, None] == np.arange(n_clusters)).astype(np.float64)
    sizes = indicator.sum(axis=0)
    sums = indicator.T @ X[chosen]
    return np.asarray(sums / np.where(sizes > 0, sizes, np.nan)[:, None])


def _along(rows: Array, ends: Array) -> Array:
    """Return the places of rows on a line on which the two ends are 0 and 1."""
    step = ends[1] - ends[0]
    length = float(step @ step)
    if not length > 0:  # the same place, or a cluster without a centre
        return np.full(len(rows), 0.5)
    return np.asarray((rows - ends[0]) @ step / length)


def _valley(places: Array) -> float:
    def around(centre: float) -> int:
        return int(np.count_nonzero(np.abs(places - centre) <= _HALF_WIDTH))

    peak = min(around(0.0), around(1.0))
    valley = min(around(middle) for middle in _VALLEY)
    return float(binom.cdf(valley, valley + peak, 0.5))
