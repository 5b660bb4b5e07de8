"""How far several views agree on k clusters, and how far their members support them.

Views make different errors, so clusters on which they agree are probably in the data. The score
of a number of clusters is

    s^2 I / H^0.6

s the mean support of a view by its own members, I the mean information that the answers of two views
share, in nats, and H the mean entropy of an answer. The power is below one, so that of two numbers on
which the views agree equally well the larger one is preferred. I / H^0.6 is the mean of two figures: of
all views, and of the trees that are made without random numbers, so that it depends less on the seed.

Many numbers may have nearly the same score, and which of them has the best one is then an accident. So
the smallest number is chosen whose score is nearly the best: where scores rise steeply, accidents change
less than where they are flat.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple, Self

import numpy as np
from scipy.special import gammaln

from consilience._utils._types import Array
from consilience.diagnose._k_views import KView
from consilience.metrics.internals import xlogx

_POWER = 0.6
# Scores that are lower than the best one by at most this share are nearly the best.
_NEARLY = 0.08
# Views agree on a number k if they share so much of the information and the next score is lower by this
# share; if they share still more, by this share divided by k, since one of many clusters changes little.
_AGREED, _DROP = 0.85, 0.06
_CLEARLY_AGREED, _DROP_TIMES_NUMBER = 0.9, 0.4
# The score may be lower than that of the number they end with by this share.
_LOWER = 0.04
# Information below this is an error of rounding.
_ROUNDING = 1e-12
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
    smallest    objects in the smallest cluster of an answer, median over the views
    """

    n_clusters: int
    score: float
    support: float
    shared: float
    best: int
    quality: float
    smallest: int


def agreement_of(views: list[KView], n_clusters: int) -> Agreement | None:
    """Compare the answers of all views that have so many clusters.

    None if fewer than two have, or if none of them has members.
    """
    places = [place for place, view in enumerate(views) if n_clusters in view.cuts]
    if len(places) < 2 or all(views[place].ensemble is None for place in places):
        return None
    answers = [views[place].cuts[n_clusters] for place in places]
    shared, share = pairwise(answers)
    entropies = np.array([entropy(labels) for labels in answers])
    is_fixed = np.array([views[place].ensemble is None for place in places])
    agreement = _agreement(shared, entropies)
    if np.count_nonzero(is_fixed) > 1:
        fixed = _agreement(shared[np.ix_(is_fixed, is_fixed)], entropies[is_fixed])
        agreement = (agreement + fixed) / 2
    support = np.array([views[place].support(n_clusters) for place in places])
    others = len(places) - 1
    share = share.sum(axis=1) / others
    # Only views with members can be the best one, since the answer needs members.
    quality = np.nan_to_num(np.maximum(support, 0.0) ** 2 * share, nan=-1.0)
    best = int(np.argmax(quality))
    mean_support = max(float(np.nanmean(support)), 0.0)
    return Agreement(
        n_clusters,
        mean_support**2 * agreement,
        mean_support,
        float(share.mean()),
        places[best],
        float(quality[best]),
        int(np.median([np.bincount(labels).min() for labels in answers])),
    )


def _agreement(shared: Array, entropies: Array) -> float:
    """Return the mean information that two answers share, I / H^0.6."""
    n_answers = len(entropies)
    information = float(shared.sum()) / (n_answers * (n_answers - 1))
    return float(information / max(float(entropies.mean()), 1e-12) ** _POWER)


def smallest_of_nearly_best(
    found: Iterable[Agreement], at_least: int = 2, at_most: int | None = None
) -> Agreement | None:
    """Return the smallest number whose score is nearly the best, of those between two limits.

    If all are too small, the largest one is returned; if all are too large, the smallest one; None if
    there are none at all.
    """
    found = sorted(found, key=lambda one: one.n_clusters)
    found = [one for one in found if one.n_clusters >= at_least] or found[-1:]
    if at_most is not None:
        found = [one for one in found if one.n_clusters <= at_most] or found[:1]
    best = max((one.score for one in found), default=0.0)
    return next((one for one in found if one.score >= (1 - _NEARLY) * best), None)


def first_before_a_drop(found: Mapping[int, Agreement], more_than: int) -> Agreement | None:
    """Return the smallest larger number on which the views agree while they do not on the next one."""
    best = max((one.score for k, one in found.items() if k >= more_than), default=0.0)
    enough = (1 - _NEARLY) * best
    if more_than in found:
        enough = max(enough, (1 - _LOWER) * found[more_than].score)
    for k, one in sorted(found.items()):
        if k <= more_than or k + 1 not in found:
            continue
        drop = _DROP
        if one.shared >= _CLEARLY_AGREED:
            drop = min(drop, _DROP_TIMES_NUMBER / k)
        is_good = one.shared >= _AGREED and one.score >= enough
        if is_good and found[k + 1].score <= (1 - drop) * one.score:
            return one
    return None


def pairwise(answers: list[Array]) -> tuple[Array, Array]:
    """Return the information that every two labellings share, in nats and as a share; 0 with itself."""
    counted = [_Counted.of(labels) for labels in answers]
    shared, share = (np.zeros((len(answers), len(answers))) for _ in range(2))
    for first in range(len(answers)):
        for second in range(first):
            found = counted[first].shared_with(counted[second])
            for table, figure in zip((shared, share), found, strict=True):
                table[first, second] = table[second, first] = figure
    return shared, share


def shared_information(first: Array, second: Array) -> float:
    """Return the mutual information of two labellings, less what they would share by chance."""
    return _Counted.of(first).shared_with(_Counted.of(second))[0]


def similarity(first: Array, second: Array) -> float:
    """Return the adjusted mutual information of two labellings, from 0 to 1."""
    return _Counted.of(first).shared_with(_Counted.of(second))[1]


class _Counted(NamedTuple):
    """A labelling, the sizes of its clusters and their entropy."""

    labels: Array
    sizes: Array
    entropy: float

    @classmethod
    def of(cls, labels: Array) -> Self:
        sizes = np.bincount(labels)
        return cls(labels.astype(np.int64), sizes, _entropy(sizes, len(labels)))

    def shared_with(self, other: Self) -> tuple[float, float]:
        """Return the information that is shared beyond chance, in nats, and as a share of the most."""
        joint = np.bincount(self.labels * len(other.sizes) + other.labels)
        chance = _chance(self.sizes, other.sizes)
        both = self.entropy + other.entropy
        beyond = both - _entropy(joint, len(self.labels)) - chance
        beyond = beyond if beyond > _ROUNDING else 0.0
        most = both / 2 - chance
        return beyond, min(1.0, beyond / most) if most > 0 else float(beyond > 0)


def _chance(sizes_first: Array, sizes_second: Array) -> float:
    """Return the mutual information that labellings of these sizes share by chance."""
    from consilience._kernels._chance import information_by_chance

    n_rows = int(sizes_first.sum())
    if n_rows > _EXACT_ROWS:
        degrees = (np.count_nonzero(sizes_first) - 1) * (np.count_nonzero(sizes_second) - 1)
        return degrees / (2 * n_rows)
    return float(information_by_chance(sizes_first, sizes_second, *_logarithms(n_rows)))


@cache
def _logarithms(n_rows: int) -> tuple[Array, Array]:
    """Return the logarithms of 0 .. n and of their factorials; that of 0 is not used."""
    numbers = np.arange(n_rows + 1)
    return np.log(np.maximum(numbers, 1)), gammaln(numbers + 1.0)


def entropy(labels: Array) -> float:
    """Return the entropy of the sizes of clusters, in nats."""
    return _entropy(np.bincount(labels), len(labels))


def _entropy(counts: Array, total: int) -> float:
    return float(np.log(total) - xlogx(counts).sum() / total)
