"""BALLS: correlation clustering by balls around objects."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Optional, Share
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus.pairwise._agglomeration import most_similar
from consilience.ensemble import Ensemble
from consilience.incidence.internals import TIE_TOLERANCE
from consilience.partition import PairSimilarity, known_to_members

# Objects nearer than this are together in most members.
_RADIUS = 0.5


class BALLS(ConsensusFunction):
    """Correlation clustering by balls: objects near one object become a cluster if they are near enough.

    The distance d_uv of two objects is the share of members that put them apart. Objects are visited in
    the order of their mean distance to all others, smallest first. The ball of an object u has all
    objects left with d_uv of at most 1/2. If their mean distance to u is at most alpha, u and its ball
    become a cluster; otherwise u becomes a cluster of its own. The number of clusters is found.

    Minimises, within a factor of 3 if alpha is 1/4, the sum of d_uv over pairs in one cluster and of
    1 - d_uv over pairs in different clusters; this is the consensus Rand distance but for a constant.

    Parameters
    ----------
    n_clusters : int or None, default None
        Largest number of clusters, K. None: as many as there are balls. If there are more, the K largest
        stay, and the other objects join the cluster to which they are most similar on average.
    alpha : float, default 0.4
        Largest mean distance in a ball. 1/4 has the guarantee; 2/5 makes fewer single objects.

    Attributes
    ----------
    n_balls_ : int
        Number of balls, single objects included, before small ones were dissolved.

    See Also
    --------
    HAC : Average linkage with ``distance_threshold=0.5`` is another way to the same objective.
    IPC : Its `refine` is a local search on the same objective.
    consilience.metrics.consensus_rand : The objective.

    Notes
    -----
    O(q r) for every cluster found, with q distinct rows, so O(q^2 r) in the worst case; memory O(q r).
    Distances are computed one row at a time.

    d_uv is the share among the members that label both. Objects that no member labels both are in no
    ball of each other. Objects with more labels (by the weight of their members) are visited first, and
    only among equals by distance. The paper lets a coin decide for members that do not label both, so
    that objects with few labels are the nearest of all and the first centres; with complete labels both
    are the same. Identical objects are never separated, and copies of u are in its ball with distance
    0. Ties in the order: the first object. Objects of weight 0 join the cluster to which they are most
    similar on average.
    K is ours: the paper takes all balls.

    References
    ----------
    [gionis2007]_, section 4

    Examples
    --------
    >>> from consilience.consensus import BALLS
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> BALLS().fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Optional(Integer(1)),
        "alpha": Share(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(
        soft=False, cost="quadratic", finds_n_clusters=True
    )
    n_clusters_is_maximum: ClassVar[bool] = True

    def __init__(self, n_clusters: int | None = None, *, alpha: float = 0.4) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int | None,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        profiles = ensemble.profiles()
        labels = self._balls(profiles.ensemble, profiles.multiplicity.astype(np.float64))
        n_balls = int(labels.max()) + 1
        labels = _largest(profiles.ensemble, labels, n_clusters)
        return Outcome(labels[profiles.inverse], attributes={"n_balls_": n_balls})

    def _balls(self, distinct: Ensemble, mass: Array) -> Array:
        """Return the ball of every distinct row; -1 for rows of weight 0."""
        distances = Distances(distinct)
        labels = np.full(len(mass), -1, dtype=np.int32)
        free = mass > 0
        n_balls = 0
        for u in distances.order():
            if not free[u]:
                continue
            distance = distances.row(int(u))
            ball = free & (distance <= _RADIUS + TIE_TOLERANCE)
            # The object itself does not count, its copies do.
            others = float(mass[ball].sum()) - min(float(mass[u]), 1.0)
            if mass[ball] @ distance[ball] > (self.alpha + TIE_TOLERANCE) * others:
                ball = np.arange(len(mass)) == u
            labels[ball] = n_balls
            free &= ~ball
            n_balls += 1
        return labels


class Distances:
    """d_uv: the share of the members that label both which put them apart; 0 for u itself."""

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble
        self._together = PairSimilarity(ensemble, ensemble.column_weights)
        self._known: PairSimilarity | None = None
        if ensemble.has_missing:
            seen = known_to_members(ensemble)
            self._known = PairSimilarity(seen, seen.column_weights)

    def order(self) -> Array:
        """Return the rows with most labels first, then by their mean distance to all rows."""
        ensemble = self._ensemble
        labels = ensemble.incidence.observed(ensemble.weights)
        means = 1 - _shared(ensemble) / np.maximum(_shared(known_to_members(ensemble)), 1e-300)
        return np.lexsort((_rounded(means), -_rounded(labels / max(float(labels.max()), 1e-300))))

    def row(self, u: int) -> Array:
        """Return the distances of one row to all; infinite where no member labels both."""
        distance: Array
        if self._known is None:
            distance = 1 - self._together.row(u) / self._together.total
        else:
            known = self._known.row(u)
            distance = np.full(len(known), np.inf)
            np.divide(known - self._together.row(u), known, out=distance, where=known > 0)
        distance[u] = 0.0
        return distance


def _shared(ensemble: Ensemble) -> Array:
    """Return the weight of the labels that every row shares with all rows, itself included."""
    H = ensemble.incidence
    return np.asarray(H @ (ensemble.column_weights * H.sizes))


def _rounded(means: Array) -> Array:
    """Return means in which rounding breaks no ties."""
    # The offset keeps simple fractions away from the borders of the grid.
    return np.floor(means / TIE_TOLERANCE + 0.3)


def _largest(distinct: Ensemble, labels: Array, n_clusters: int | None) -> Array:
    """Keep the largest balls; rows of others and rows of weight 0 join the most similar ball."""
    n_balls = int(labels.max()) + 1
    weight = distinct.sample_weight
    kept = labels >= 0
    if n_clusters is not None and n_balls > n_clusters:
        sizes = np.bincount(labels[kept], weights=None if weight is None else weight[kept])
        largest = np.sort(np.argsort(-sizes, kind="stable")[:n_clusters])
        place = np.full(n_balls, -1, dtype=np.int32)
        place[largest] = np.arange(n_clusters)
        labels = np.where(kept, place[labels], -1)
        kept = labels >= 0
    if kept.all():
        return labels
    # Rows without a ball count as a further one, to which nothing is assigned.
    n_kept = int(labels.max()) + 1
    joined = most_similar(distinct, np.where(kept, labels, n_kept), distinct.column_weights, n_kept)
    return np.where(kept, labels, joined)
