"""What displays are given: labels of objects, and rows to show if there are too many."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError


class Clusters(NamedTuple):
    """A labelling.

    labels  (n,) numbers 0 .. K - 1, -1 = not known
    names   K names, the given labels
    """

    labels: Array
    names: tuple[str, ...]

    @property
    def sizes(self) -> Array:
        """Return the objects in every cluster."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.names))


def read_clusters(labels: Any, n_samples: int, owner: str) -> Clusters:
    """Read one labelling of n objects; numbers 0 .. K - 1 stay as they are, others by appearance."""
    encoded = as_label_vector(labels, f"{owner}: labels")
    numbers, values = encoded.codes[:, 0].astype(np.int64) - 1, encoded.values[0]
    if len(numbers) != n_samples:
        raise InvalidInputError(
            f"{owner}: labels must name a cluster for every object, n_samples = {n_samples}; got "
            f"{len(numbers)}."
        )
    if not len(values):
        raise InvalidInputError(f"{owner}: labels must name at least one cluster; all are missing.")
    if values.dtype.kind in "iu" and np.array_equal(np.sort(values), np.arange(len(values))):
        numbers = np.where(numbers >= 0, values[numbers], -1)
        values = np.arange(len(values))
    return Clusters(numbers, tuple(str(value) for value in values))


def parts_of(estimator: Any, owner: str) -> tuple[Ensemble, Array]:
    """Return the ensemble and the labels of a fitted model that keeps both."""
    if not (hasattr(estimator, "ensemble_") and hasattr(estimator, "labels_")):
        raise InvalidInputError(
            f"{owner}.from_estimator needs a fitted ConsensusClustering, which keeps its ensemble; got "
            f"{type(estimator).__name__}. Use {owner}.from_ensemble(ensemble, labels)."
        )
    return estimator.ensemble_, estimator.labels_


def overlap_table(first: Array, second: Array) -> Array:
    """Count the objects of every pair of clusters of two labellings; -1 = not known."""
    shape = int(first.max()) + 1, int(second.max()) + 1
    known = (first >= 0) & (second >= 0)
    cells = first[known] * shape[1] + second[known]
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


def mean_base_clusters(ensemble: Ensemble) -> float:
    """Return how many clusters the members that count have on average."""
    counted = ensemble.n_clusters[(ensemble.n_clusters > 0) & (ensemble.weights > 0)]
    return float(counted.mean()) if len(counted) else float("nan")


def remark_on_members(base_clusters: float, n_clusters: int) -> str:
    """Say that members are much finer than the consensus, which makes any consensus of pairs low."""
    if not base_clusters >= 1.5 * n_clusters:
        return ""
    return f"members have {base_clusters:.0f} clusters on average"


def stratified_rows(labels: Array, most: int, rng: np.random.Generator) -> Array:
    """Draw at most `most` labelled rows, from every cluster its share and at least one, in row order."""
    known = np.flatnonzero(labels >= 0)
    if len(known) <= most:
        return known
    sizes = np.bincount(labels[known])
    exact = most * sizes / len(known)
    wanted = np.maximum(np.floor(exact), sizes > 0).astype(np.int64)
    # What rounding left over goes to the largest remainders; what the ones took too much is taken
    # from the largest clusters.
    order = np.argsort(wanted - exact, kind="stable")
    wanted[order[: max(0, most - int(wanted.sum()))]] += 1
    while wanted.sum() > most:
        wanted[wanted.argmax()] -= 1
    by_cluster = np.split(known[np.argsort(labels[known], kind="stable")], np.cumsum(sizes)[:-1])
    drawn = [
        rng.choice(rows, number, replace=False)
        for rows, number in zip(by_cluster, wanted, strict=True)
    ]
    return np.sort(np.concatenate(drawn))
