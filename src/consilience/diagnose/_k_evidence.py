"""How far several views agree on k clusters, and how far their members support them.

Views make different errors, so clusters on which they agree are probably in the data. The score
of a number of clusters is

    s^2 I / H^0.7

s the mean support of a view by its own members, I the mean information that the answers of two views
share, in nats, and H the mean entropy of an answer. The power is below one, so that of two numbers on
which the views agree equally well the larger one is preferred.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.metrics.cluster import expected_mutual_information

from consilience.diagnose._k_views import KView
from consilience.metrics.internals import xlogx

Array = np.ndarray[Any, Any]

_POWER = 0.7
# Up to so many objects the information shared by chance is exact; beyond, the leading term is enough.
_EXACT_ROWS = 600


class Agreement(NamedTuple):
    """What the views say about one number of clusters.

    n_clusters  k
    score       the score above
    support     mean support of a view by its own members
    shared      mean share of the information of an answer that another view has too, from 0 to 1
    best        place of the view whose answer does best in support and agreement
    quality     squared support of that answer times its agreement with the others
    """

    n_clusters: int
    score: float
    support: float
    shared: float
    best: int
    quality: float


def agreement_of(views: list[KView], n_clusters: int) -> Agreement | None:
    """Compare the answers of all views that have so many clusters; None if fewer than two have."""
    places = [place for place, view in enumerate(views) if n_clusters in view.cuts]
    if len(places) < 2:
        return None
    answers = [views[place].cuts[n_clusters] for place in places]
    shared, share = pairwise(answers)
    entropies = np.array([entropy(labels) for labels in answers])
    support = np.array([views[place].support(n_clusters) for place in places])
    others = len(places) - 1
    information = shared.sum(axis=1) / others
    share = share.sum(axis=1) / others
    quality = np.maximum(support, 0.0) ** 2 * share
    best = int(np.argmax(quality))
    mean_support = max(float(support.mean()), 0.0)
    return Agreement(
        n_clusters,
        float(mean_support**2 * information.mean() / max(float(entropies.mean()), 1e-12) ** _POWER),
        mean_support,
        float(share.mean()),
        places[best],
        float(quality[best]),
    )


def pairwise(answers: list[Array]) -> tuple[Array, Array]:
    """Return the information that every two labellings share, in nats and as a share; 0 with itself."""
    shared, share = (np.zeros((len(answers), len(answers))) for _ in range(2))
    for first in range(len(answers)):
        for second in range(first):
            found = _shared(answers[first], answers[second])
            for table, figure in zip((shared, share), found, strict=True):
                table[first, second] = table[second, first] = figure
    return shared, share


def shared_information(first: Array, second: Array) -> float:
    """Return the mutual information of two labellings, less what they would share by chance."""
    return _shared(first, second)[0]


def similarity(first: Array, second: Array) -> float:
    """Return the adjusted mutual information of two labellings, from 0 to 1."""
    return _shared(first, second)[1]


def _shared(first: Array, second: Array) -> tuple[float, float]:
    """Return the information two labellings share beyond chance, in nats, and as a share of the most."""
    n_second = int(second.max()) + 1
    joint = np.bincount(first.astype(np.int64) * n_second + second)
    sizes_first, sizes_second = np.bincount(first), np.bincount(second)
    n_rows = len(first)
    ends = _entropy(sizes_first, n_rows), _entropy(sizes_second, n_rows)
    chance = _chance(joint, sizes_first, sizes_second, n_second)
    beyond = max(0.0, ends[0] + ends[1] - _entropy(joint, n_rows) - chance)
    most = (ends[0] + ends[1]) / 2 - chance
    return beyond, min(1.0, beyond / most) if most > 0 else float(beyond > 0)


def _chance(joint: Array, sizes_first: Array, sizes_second: Array, n_second: int) -> float:
    """Return the mutual information that labellings of these sizes share by chance."""
    n_rows = int(sizes_first.sum())
    if n_rows > _EXACT_ROWS:
        degrees = (np.count_nonzero(sizes_first) - 1) * (np.count_nonzero(sizes_second) - 1)
        return degrees / (2 * n_rows)
    table = np.zeros(len(sizes_first) * n_second, dtype=np.int64)
    table[: len(joint)] = joint
    table = table.reshape(len(sizes_first), n_second)[sizes_first > 0][:, sizes_second > 0]
    return float(expected_mutual_information(csr_matrix(table), n_rows))


def entropy(labels: Array) -> float:
    """Return the entropy of the sizes of clusters, in nats."""
    return _entropy(np.bincount(labels), len(labels))


def _entropy(counts: Array, total: int) -> float:
    return float(np.log(total) - xlogx(counts).sum() / total)
