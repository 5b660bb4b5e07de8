"""Labelling: clusters are numbered by the distances of their centres."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus._start_labels import StartLabels, SweptKMeans
from consilience.consensus.features._centres import centres_of
from consilience.ensemble import Ensemble
from consilience.incidence import Assigned, Incidence
from consilience.partition import PLUS_PLUS, RANDOM_ROWS, DrawnFrom, lloyd


class MemberNumbers:
    """Objects as rows of numbers y_ij, the number of the base cluster that member j puts i into.

    The squared distance of object i to a point c is sum_j w_j (y_ij - c_j)^2 over the members that
    label i, times W / W_i: the weight of all members divided by the weight of those. It is a gather
    from a (t, 1) table, because every term depends on a base cluster alone. A soft member contributes
    its expected term, which is the term of the expected number plus a constant.
    """

    def __init__(self, H: Incidence, numbers: Array, member_weights: Array) -> None:
        known = H.observed(member_weights)
        self.factor = member_weights.sum() / known
        weight = H.row_weight
        if np.any(self.factor != 1):
            weight = self.factor if weight is None else self.factor * weight
        self.H = Incidence(H.source, H.blocks, weight)
        self.layout = H.layout
        self.weights = member_weights[self.layout.member_of, None]
        # Shifts and scales do not change k-means, but rounding can change ties.
        sizes = self.H.sizes
        means = self._average(sizes[:, None], numbers)
        centred = numbers - means[self.layout.member_of, 0]
        total = float(np.sum(sizes * self.weights[:, 0] * centred**2))
        self.unit = np.sqrt(total / max(float(sizes.sum()), 1e-300)) if total > 0 else 1.0
        self.numbers = centred / self.unit

    def table(self, centres: Array) -> Array:
        """Return the table whose gather is the squared distance to every centre, (t, K) of (r, K)."""
        gaps = self.numbers[:, None] - centres[self.layout.member_of]
        return np.asarray(self.weights * gaps**2)

    def rows(self, H: Incidence, rows: Array) -> Array:
        """Return some rows as centres, (r, m); missing labels are replaced by the mean."""
        return self._average(H.dense_rows(rows.tolist()).T, self.numbers)

    def distances(self, H: Incidence) -> Callable[[Array], Array]:
        """Return a function: from some rows of H, the squared distances of all its rows to them."""
        return lambda rows: H @ self.table(self.rows(H, rows))

    def first_chances(self, drawn: DrawnFrom) -> Array:
        """Return the weights of the rows for the first draw, not scaled up for missing labels."""
        return np.asarray(drawn.weight / self.factor[drawn.rows])

    def nearest(self, centres: Array, current: Assigned | None, *, want_best: bool) -> Assigned:
        """Assign every row to the nearest centre."""
        return self.H.argmax(-self.table(centres), current, want_best=want_best)

    def distance_to_own(self, assigned: Assigned) -> Array:
        """Return the squared distance of every row to its nearest centre."""
        return np.asarray(-self.factor * assigned.best)

    def centres(self, assigned: Assigned) -> Array:
        """Return the centres of clusters from their count table, (r, K) of (t, K)."""
        return self._average(assigned.counts, self.numbers)

    def spread(self, assigned: Assigned, centres: Array) -> float:
        """Return the sum of squares about the centres, in the unit of the numbers as given."""
        return float(np.sum(assigned.counts * self.table(centres))) * float(self.unit) ** 2

    def _average(self, counts: Array, numbers: Array) -> Array:
        known = self.layout.sum_by_member(counts)
        sums = self.layout.sum_by_member(counts * numbers[:, None])
        return np.divide(sums, known, out=np.zeros_like(sums), where=known > 0)


# Starting centres: objects drawn at random, which may have the same numbers.
RANDOM_OBJECTS = "random_objects"
# Relative tolerance for equal centres and for ties of distances.
_COINCIDENT = 1e-12
_TIE = 1e-9


class Labelling(SweptKMeans):
    """Labelling algorithm: every member numbers its clusters so that near ones have near numbers.

    In every member a path visits the centres of the clusters: it starts at one of them (`path_start`)
    and always continues to the nearest centre not yet visited. Numbers grow along the path by the length
    of each step. The r numbers of an object are its features; k-means on them
    finds the consensus.

    Minimises the sum of squares sum_i sum_j w_j (y_ij - c_k(i),j)^2, with y_ij the number of the
    cluster that member j puts object i into, w_j the weight of the member and c_k the mean of cluster k.

    Parameters
    ----------
    labelling_function : {"inverse", "distance", "relative"}, default "relative"
        What a step of length w adds. "inverse": 1 / w (f1 of the paper). "distance": w (f2).
        "relative": w by the smallest distance of two centres of the member (f3), so that members on
        different scales count alike.
    alpha : float, default 1.0
        The number of the first cluster. It only shifts `numeric_labels_`.
    path_start : {"first_object", "first_cluster"}, default "first_object"
        Where the path of a member starts: at the cluster of the first object, the same place for all
        members; or at the cluster whose label is the member's smallest, which is v_0 of the paper:
        generators number clusters by their starting rows.
    init : {"k-means++", "random_rows", "random_objects"} or array (n,) of int, default "k-means++"
        Starting centres: far from each other; K distinct rows of numbers drawn at random; or K objects
        drawn at random, which may have the same numbers: a cluster left empty restarts at the object
        furthest from its centre. Random starts with ``n_init=1`` are the single run of plain k-means of
        the paper. Labels from 0 to K - 1, -1 = unknown, are the only start, as in `KMCF`.
    n_init : int, default 10
        Starts of k-means; the best result is kept.
    max_iter : int, default 300
        Maximum number of iterations of one start.

    Attributes
    ----------
    numeric_labels_ : list of array (K_j,)
        The numbers of the clusters of every member whose weight is not 0.
    objective_, history_ : float, list of float
        Sum of squares, at the end and after every round of the start that was kept. Never increases.
    solutions_

    See Also
    --------
    KMCF : k-means on membership in every base cluster; needs no centres.

    Notes
    -----
    Needs the centres of the clusters, which generators attach to their ``ensemble_``; attach others by
    ``Ensemble.with_cluster_tables(centres=...)``. Members may use different features.

    O(K_j^2 d) for every path and O(n r K) a round of k-means; the n x r features are never stored. A
    missing label leaves its member out of the object's distances, which are scaled up by the weight of
    all members divided by the weight of those that label it. Soft members contribute expected squares.
    Clusters with the same centre share their number. An empty cluster is restarted at the object
    furthest from its centre.

    The paper starts the path at v_0 and does not say which cluster that is. From the cluster of the
    first object, all members start at the same place, and another order of the objects may give
    another result. The clusters of `IntelligentKMeans` keep their numbers from member to member, so
    that "first_cluster" is the same place for most of them; those of `KMeansRestarts` do not. The
    paper prints arg min instead of min in its formula of f3, and runs k-means once (section 3.2),
    which ``path_start="first_cluster", init="random_objects", n_init=1`` does.

    References
    ----------
    [azimi2007]_, section 3.2

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.consensus import Labelling
    >>> votes = Ensemble([[0, 0, 1, 1, 2], [0, 0, 0, 1, 1]])
    >>> votes = votes.with_cluster_tables(centres=[[[0.0], [4.0], [5.0]], [[1.0], [4.5]]])
    >>> model = Labelling(n_clusters=2, random_state=0).fit(votes)
    >>> model.labels_.tolist()
    [0, 0, 1, 1, 1]
    >>> [numbers.tolist() for numbers in model.numeric_labels_]
    [[1.0, 5.0, 6.0], [1.0, 2.0]]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "labelling_function": Choice("inverse", "distance", "relative"),
        "alpha": Real(0),
        "path_start": Choice("first_object", "first_cluster"),
        **SweptKMeans.kmeans_parameters,
        "init": StartLabels(PLUS_PLUS, RANDOM_ROWS, RANDOM_OBJECTS),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(needs=("centres",))

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        labelling_function: str = "relative",
        alpha: float = 1.0,
        path_start: str = "first_object",
        init: str | Array = PLUS_PLUS,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.labelling_function = labelling_function
        self.alpha = alpha
        self.path_start = path_start
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _features(self, ensemble: Ensemble) -> tuple[MemberNumbers, dict[str, Any]]:
        by_object = self.path_start == "first_object"
        starts = [0 if by_object or not len(v) else int(np.argsort(v)[0]) for v in ensemble.values]
        numbers = [
            self._numbered(centres, start)
            for centres, start in zip(centres_of(ensemble, "Labelling"), starts, strict=True)
        ]
        features = MemberNumbers(ensemble.incidence, np.concatenate(numbers), ensemble.weights)
        return features, {"numeric_labels_": numbers}

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        if str(self.init) != RANDOM_OBJECTS:
            return super()._consensus(ensemble, n_clusters, rng)
        features, attributes = self._features(ensemble)
        counted = features.H.row_weight
        weight = np.ones(len(features.factor)) if counted is None else counted / features.factor
        starts = [_random_objects(weight, n_clusters, rng) for _ in range(self.n_init)]
        runs = [lloyd(features, features.rows(features.H, rows), self.max_iter) for rows in starts]
        return Outcome.of_all(runs, **attributes)

    def _numbered(self, centres: Array, start: int) -> Array:
        """Number the clusters of one member along the path through their centres."""
        if not len(centres):
            return np.empty(0)
        distance = np.sqrt(np.square(centres[:, None] - centres).sum(axis=2))
        same_place = distance <= _COINCIDENT * distance.max(initial=0.0)
        place = same_place.argmax(axis=1)
        apart = distance[~same_place]
        unit = apart.min() if self.labelling_function == "relative" and len(apart) else 1.0
        numbers = np.full(len(centres), float(self.alpha))
        visited = place != np.arange(len(centres))
        here = int(place[start])
        visited[here] = True
        while not visited.all():
            away = np.where(visited, np.inf, distance[here])
            step = away.min()
            following = int(np.argmax(away <= step * (1 + _TIE)))
            numbers[following] = numbers[here] + (
                1 / step if self.labelling_function == "inverse" else step / unit
            )
            visited[following] = True
            here = following
        return np.asarray(numbers[place])


def _random_objects(weight: Array, n_clusters: int, rng: np.random.Generator) -> Array:
    """Draw K objects without replacement; a row stands for as many objects as its weight."""
    left, chosen = weight.copy(), []
    for _ in range(n_clusters):
        # Weights below 1 may leave nothing to draw from.
        left = left if left.sum() > 0 else weight.copy()
        chosen.append(int(rng.choice(len(left), p=left / left.sum())))
        left[chosen[-1]] = max(0.0, left[chosen[-1]] - 1.0)
    return np.array(chosen)
