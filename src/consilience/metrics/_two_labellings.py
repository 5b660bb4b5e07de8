"""Measures of two labellings of the same objects, and the formulas they share with other measures."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError

AVERAGES: Mapping[str, Callable[[Array, Array], Array]] = {
    "geometric": lambda a, b: np.sqrt(a * b),
    "arithmetic": lambda a, b: (a + b) / 2,
    "min": np.minimum,
    "max": np.maximum,
}


# NMI, Rand and ARI as functions of sums over contingency tables. Every argument may be a number or an
# array: one pair of labellings, a labelling and every member, or every member and every other are the
# same formulas on different shapes.


def xlogx(counts: Any) -> Array:
    """Return x log x, 0 for 0."""
    values = np.asarray(counts, dtype=np.float64)
    return values * np.log(np.where(values > 0, values, 1.0))


def squares(counts: Any) -> Array:
    """Return the squares as floating-point numbers."""
    squared: Array = np.square(counts, dtype=np.float64)
    return squared


def nmi_from_sums(
    joint: Any, left: Any, right: Any, total: Any, average: str = "geometric"
) -> Array:
    """Normalised mutual information from sums of n log n: cells, margins, and the total itself.

    One side with a single cluster gives 0, both sides 1.
    """
    if average not in AVERAGES:
        raise InvalidParameterError(
            f"average_method must be one of {', '.join(map(repr, AVERAGES))}; got {average!r}."
        )
    joint, left, right = (np.asarray(value, dtype=np.float64) for value in (joint, left, right))
    whole = xlogx(total)
    scale = np.maximum(np.asarray(total, dtype=np.float64), 1e-300)
    information = (whole + joint - left - right) / scale
    entropy_left, entropy_right = (whole - left) / scale, (whole - right) / scale
    # Differences below this are rounding errors: the entropy of a single cluster is 0.
    tiny = 1e-14 * np.maximum(whole / scale, 1.0)
    single_left, single_right = entropy_left <= tiny, entropy_right <= tiny
    norm = AVERAGES[average](np.maximum(entropy_left, 0), np.maximum(entropy_right, 0))
    value = np.where(information > tiny, information, 0.0) / np.where(norm > 0, norm, 1.0)
    value = np.where(single_left | single_right, 0.0, np.clip(value, 0.0, 1.0))
    # Identical labellings, including single clusters, have exactly 1.
    same: Array = (entropy_left - information <= tiny) & (entropy_right - information <= tiny)
    agreement: Array = np.where(same, 1.0, value)
    return agreement


def rand_from_squares(joint: Any, left: Any, right: Any, total: Any) -> Array:
    """Share of pairs that two labellings treat differently, from sums of squared counts."""
    joint, left, right, n = (np.asarray(v, dtype=np.float64) for v in (joint, left, right, total))
    distance: Array = (left + right - 2 * joint) / np.where(n > 1, n * (n - 1), 1.0)
    return distance


def ari_from_squares(joint: Any, left: Any, right: Any, total: Any) -> Array:
    """Adjusted Rand index, from sums of squared counts; 1 if nothing could differ."""
    joint, left, right, n = (np.asarray(v, dtype=np.float64) for v in (joint, left, right, total))
    pairs = np.maximum(n * (n - 1) / 2, 1.0)
    together, in_left, in_right = (joint - n) / 2, (left - n) / 2, (right - n) / 2
    expected = in_left * in_right / pairs
    spread = (in_left + in_right) / 2 - expected
    return np.where(spread > 0, (together - expected) / np.where(spread > 0, spread, 1.0), 1.0)


class Contingency(NamedTuple):
    """Objects in cluster u of one labelling and v of the other.

    Only cells that are not zero are kept, so that two labellings of n singletons need O(n) memory
    instead of O(n^2).
    """

    row: Array
    column: Array
    counts: Array
    row_sums: Array
    column_sums: Array

    @property
    def n_objects(self) -> int:
        """Return the number of objects that both labellings contain."""
        return int(self.counts.sum())

    def sums(self, function: Callable[[Array], Array]) -> tuple[float, float, float]:
        """Add up a function of the counts over the cells and over both margins."""
        joint, left, right = (float(function(part).sum()) for part in self[2:])
        return joint, left, right


def contingency(labels_a: Any, labels_b: Any) -> Contingency:
    """Tabulate the objects that have a label on both sides."""
    a = as_label_vector(labels_a, "the first labelling").codes[:, 0].astype(np.int64)
    b = as_label_vector(labels_b, "the second labelling").codes[:, 0].astype(np.int64)
    if len(a) != len(b):
        raise InvalidInputError(
            f"Two labellings of the same objects are needed; got {len(a)} and {len(b)} labels."
        )
    known = (a > 0) & (b > 0)
    if not known.any():
        raise InvalidInputError("No object has a label on both sides, so nothing can be compared.")
    rows = np.unique(a[known], return_inverse=True)[1]
    columns = np.unique(b[known], return_inverse=True)[1]
    n_columns = int(columns.max()) + 1
    cells, count = np.unique(rows * n_columns + columns, return_counts=True)
    row, column = np.divmod(cells, n_columns)
    return Contingency(row, column, count, np.bincount(rows), np.bincount(columns))


def nmi(labels_a: Any, labels_b: Any, *, average_method: str = "geometric") -> float:
    """Normalised mutual information of two labellings, from 0 to 1.

    Parameters
    ----------
    labels_a, labels_b : vectors of n labels
        Objects missing on either side are left out.
    average_method : {"geometric", "arithmetic", "min", "max"}, default "geometric"
        Normaliser of the mutual information; geometric, the square root of the product of the two
        entropies, is usual in the cluster ensemble literature [strehl2002]_.

    Notes
    -----
    Not corrected for chance: two random labellings score above 0. One side with a single cluster gives
    0, both sides 1.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    table = contingency(labels_a, labels_b)
    return float(nmi_from_sums(*table.sums(xlogx), table.n_objects, average_method))


def ari(labels_a: Any, labels_b: Any) -> float:
    """Adjusted Rand index of two labellings: 1 = the same, 0 = as expected by chance.

    Examples
    --------
    >>> ari([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    table = contingency(labels_a, labels_b)
    return float(ari_from_squares(*table.sums(squares), table.n_objects))


def rand_distance(labels_a: Any, labels_b: Any) -> float:
    """Share of pairs of objects that are together in one labelling and apart in the other.

    One minus the Rand index; the criterion of [nguyen2007]_, equation (3).

    Examples
    --------
    >>> rand_distance([0, 0, 1], [0, 1, 1])
    0.6666666666666666
    """
    table = contingency(labels_a, labels_b)
    return float(rand_from_squares(*table.sums(squares), table.n_objects))


def accuracy(labels: Any, truth: Any) -> float:
    """Share of objects that are right under the best one-to-one matching of clusters and classes.

    Clusters left without a class count as errors. See `purity` for the many-to-one form.

    Examples
    --------
    >>> accuracy([0, 0, 1, 2], ["x", "x", "y", "y"])
    0.75
    """
    table = contingency(labels, truth)
    n_clusters, n_classes = len(table.row_sums), len(table.column_sums)
    require_memory(
        3 * 8 * n_clusters * n_classes,
        f"Matching {n_clusters} clusters with {n_classes} classes",
        "Use nmi or ari, which need no matching.",
    )
    dense = np.zeros((n_clusters, n_classes), dtype=np.int64)
    dense[table.row, table.column] = table.counts
    rows, columns = linear_sum_assignment(dense, maximize=True)
    return float(dense[rows, columns].sum() / table.n_objects)


def error_rate(labels: Any, truth: Any) -> float:
    """Share of objects that are wrong under the best one-to-one matching of clusters and classes.

    Examples
    --------
    >>> error_rate([0, 0, 1, 2], ["x", "x", "y", "y"])
    0.25
    """
    return 1.0 - accuracy(labels, truth)


def purity(labels: Any, truth: Any) -> float:
    """Share of objects that belong to the most frequent class of their cluster.

    The accuracy of [nguyen2007]_, equation (5). It increases with the number of clusters: n singletons
    have purity 1.

    Examples
    --------
    >>> purity([0, 0, 1, 2], ["x", "x", "y", "y"])
    1.0
    """
    table = contingency(labels, truth)
    largest = np.zeros(len(table.row_sums), dtype=np.int64)
    np.maximum.at(largest, table.row, table.counts)
    return float(largest.sum() / table.n_objects)


Score = Callable[[Any, Any], float]

_SCORES: Mapping[str, Score] = {
    "nmi": nmi,
    "ari": ari,
    "accuracy": accuracy,
    "purity": purity,
    "rand": lambda labels, truth: 1 - rand_distance(labels, truth),
}


class KnownClasses:
    """A criterion that compares labels with known classes; larger is better.

    For studies of methods, such as that of [nguyen2007]_, where results are chosen "with respect to the
    evaluation criteria": ``BEST(criterion=KnownClasses(y))`` is the member that is best in truth. A
    function that used classes says so: `uses_classes_` is True, `doubts_` has an entry, and
    `provenance_` shows this object. Its agreement with the same classes is not a result without them.

    Parameters
    ----------
    truth : vector of n labels
        The class of every object; objects without a class are left out.
    score : {"nmi", "ari", "accuracy", "purity", "rand"} or callable, default "nmi"
        How labels are compared with the classes: a metric of this module ("rand" is one minus
        `rand_distance`), or a function of labels and classes for which larger is better.

    See Also
    --------
    anmi, confidence, consensus_rand : Criteria that need no classes.

    Examples
    --------
    >>> from consilience.consensus import BEST
    >>> from consilience.metrics import KnownClasses
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> best = BEST(criterion=KnownClasses([0, 0, 1, 1, 1])).fit(members)
    >>> best.member_, best.objective_, best.uses_classes_
    ('member_2', 1.0, True)
    """

    # Marks a criterion that uses known classes.
    uses_classes: ClassVar[bool] = True

    def __init__(self, truth: Any, score: str | Score = "nmi") -> None:
        if not callable(score) and score not in _SCORES:
            names = ", ".join(repr(name) for name in _SCORES)
            raise InvalidParameterError(
                f"KnownClasses: score must be one of {names}, or a function of labels and classes; got "
                f"{score!r}."
            )
        self.truth = truth
        self.score = score
        self._classes = as_label_vector(truth)

    def __call__(self, labels: Any, ensemble: Any = None) -> float:  # noqa: ARG002
        """Return the agreement of labels with the classes.

        Parameters
        ----------
        labels : vector of n labels
            One for each object that `truth` has.
        ensemble : ignored
            For the interface of criteria.
        """
        n_classified, n_labels = len(self._classes.codes), len(np.asarray(labels))
        if n_classified != n_labels:
            raise InvalidInputError(
                f"KnownClasses: truth must have a class for each of the {n_labels} objects, in their "
                f"order; got {n_classified} classes."
            )
        score = self.score if callable(self.score) else _SCORES[self.score]
        return float(score(labels, self.truth))

    def __repr__(self) -> str:
        known = self._classes.codes[:, 0]
        score = self.score if isinstance(self.score, str) else getattr(self.score, "__name__", "")
        return (
            f"KnownClasses({len(known)} objects, {len(np.unique(known[known > 0]))} classes, "
            f"score={score!r})"
        )
