"""Whether there is a valley between two clusters, or they were cut out of one."""

from typing import NamedTuple, Self

import numpy as np
from scipy.stats import binom

from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError

# Half the widths of the windows around a centre and in the middle, and where the middle is looked for,
# in units of the distance of the centres. The windows do not overlap.
_PEAK_WIDTH = 1 / 4
_VALLEY_WIDTH = 1 / 10
_VALLEY = np.linspace(0.35, 0.65, 7)
# Parts into which objects are split; the line for one of them comes from the others. So many times.
_FOLDS, _SPLITS = 5, 3


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

    The objects of two clusters are projected on the line that separates their centres best. If they
    were one population with a single mode, the middle would be no thinner than the thinner of the two
    ends; the p-value is the chance of as few objects there, or fewer, if both were equally dense (a
    binomial test, so nothing is assumed about the shape). The line for an object comes from other
    objects: in many dimensions any partition looks separated along its own centres.

    Parameters
    ----------
    X : array (n, d)
        The data.
    labels : array (n,)
        A partition, 0 .. K - 1.
    random_state : int, generator or None
        Draws the parts.

    Notes
    -----
    O(n d (K + d) + d^3). An end reaches a quarter of the way to either side of its centre; the middle is
    the thinnest of seven windows from 35 % to 65 % of the way, each a fifth of the way wide. A cluster
    of one or two objects is never separated.

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
    test = ValleyTest(X, labels, np.random.default_rng(seed_sequence(random_state)))
    p_values = np.zeros((test.n_clusters, test.n_clusters))
    for first in range(test.n_clusters):
        for second in range(first + 1, test.n_clusters):
            p_values[first, second] = p_values[second, first] = test.between(first, second)
    return ClusterSeparation(p_values, float(p_values.max()))


class ValleyTest:
    """Lines between the centres of clusters, and the p-values of valleys along them.

    The lines are those of the other objects, so the objects are split into parts. A p-value is the
    median over several splits, since that of one split depends much on the split.
    """

    def __init__(self, X: Array, labels: Array, rng: np.random.Generator | None = None) -> None:
        self.n_clusters = int(labels.max()) + 1
        self._X, self._labels = X, labels
        rng = np.random.default_rng(0) if rng is None else rng
        indicator = (labels[:, None] == np.arange(self.n_clusters)).astype(np.float64)
        self._folds = [_folds(labels, self.n_clusters, rng) for _ in range(_SPLITS)]
        self._lines = [_Lines.of_parts(X, labels, indicator, fold) for fold in self._folds]

    def between(self, first: int, second: int) -> float:
        """Return the p-value of a valley between two clusters."""
        pair = np.flatnonzero((self._labels == first) | (self._labels == second))
        rows = self._X[pair]
        found = []
        for fold, lines in zip(self._folds, self._lines, strict=True):
            part_of = fold[pair]
            places = [
                line.places(rows[part_of == part], first, second) for part, line in enumerate(lines)
            ]
            found.append(_valley(np.concatenate(places)))
        return float(np.median(found))

    def weakest_of(self, cluster: int, alpha: float) -> float:
        """Return the largest p-value of a cluster with any other, or the first that is above alpha."""
        centres = self._lines[0][0].centres
        distance = np.square(centres - centres[cluster]).sum(axis=1)
        weakest = 0.0
        for other in np.argsort(distance):
            if other != cluster:
                weakest = max(weakest, self.between(cluster, int(other)))
            if weakest > alpha:
                break
        return weakest


def _folds(labels: Array, n_clusters: int, rng: np.random.Generator) -> Array:
    """Split every cluster at random into parts of nearly equal size.

    They do not depend on the numbers of the clusters, so that p-values do not either.
    """
    order = rng.permutation(len(labels))
    fold = np.empty(len(labels), dtype=np.int64)
    for cluster in range(n_clusters):
        members = order[labels[order] == cluster]
        fold[members] = np.arange(len(members)) % _FOLDS
    return fold


class _Lines(NamedTuple):
    """Fisher's lines between the centres of clusters, as some of the objects show them.

    They weigh directions by the spread inside clusters, so that the scale of the columns does not
    matter. With few objects the spread is drawn towards that of a sphere.
    """

    centres: Array
    weigh: Array

    @classmethod
    def of_parts(cls, X: Array, labels: Array, indicator: Array, fold: Array) -> list[Self]:
        """Return for every part the lines of all objects that are not in it.

        indicator  (n, K) the clusters of the objects
        """
        sizes = indicator.sum(axis=0)
        centres = indicator.T @ X / np.maximum(sizes, 1)[:, None]
        # Sums of deviations from the centres of all, so that nothing is lost by subtracting a part.
        inside = X - centres[labels]
        parts = [fold == part for part in range(_FOLDS)]
        counts = np.array([indicator[part].sum(axis=0) for part in parts])
        sums = np.array([indicator[part].T @ inside[part] for part in parts])
        products = np.array([inside[part].T @ inside[part] for part in parts])
        return [
            cls._of_sums(
                centres,
                counts.sum(axis=0) - counts[part],
                sums.sum(axis=0) - sums[part],
                products.sum(axis=0) - products[part],
            )
            for part in range(_FOLDS)
        ]

    @classmethod
    def _of_sums(cls, centres: Array, sizes: Array, sums: Array, products: Array) -> Self:
        """Return the lines of some objects from sums of their deviations from given centres."""
        moved = sums / np.where(sizes > 0, sizes, np.nan)[:, None]
        known = np.nan_to_num(moved)
        n_columns, n_rows = centres.shape[1], max(1.0, float(sizes.sum()))
        spread = (products - (known * sizes[:, None]).T @ known) / n_rows
        towards = min(1.0, n_columns / n_rows)
        level = max(float(np.trace(spread)) / n_columns, 1e-300)
        spread = (1 - towards) * spread + towards * level * np.eye(n_columns)
        # Columns that are constant inside clusters must not decide alone.
        return cls(centres + moved, np.linalg.inv(spread + 1e-6 * level * np.eye(n_columns)))

    def places(self, rows: Array, first: int, second: int) -> Array:
        """Return the places of rows on the line on which the two centres are 0 and 1."""
        start, step = self.centres[first], self.centres[second] - self.centres[first]
        direction = self.weigh @ step
        length = float(step @ direction)
        if not length > 0:  # the same place, or a cluster without objects
            return np.full(len(rows), 0.5)
        return np.asarray((rows - start) @ direction / length)


def _valley(places: Array) -> float:
    """Return the chance of so few in the middle if it were as dense as the thinner of the two ends."""

    def around(centre: float, width: float) -> int:
        return int(np.count_nonzero(np.abs(places - centre) <= width))

    peak = min(around(0.0, _PEAK_WIDTH), around(1.0, _PEAK_WIDTH))
    valley = min(around(middle, _VALLEY_WIDTH) for middle in _VALLEY)
    share = _VALLEY_WIDTH / (_VALLEY_WIDTH + _PEAK_WIDTH)
    return float(binom.cdf(valley, valley + peak, share))
