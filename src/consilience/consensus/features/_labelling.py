"""Labelling: clusters are numbered by the distances of their centres."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities
from consilience.consensus._start_labels import SweptKMeans
from consilience.consensus.features._centres import centres_of
from consilience.ensemble import Ensemble
from consilience.incidence import Assigned, Incidence
from consilience.partition import PLUS_PLUS, DrawnFrom, SweptFeatures


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


# Relative tolerance for equal centres and for ties of distances.
_COINCIDENT = 1e-12
_TIE = 1e-9


class Labelling(SweptKMeans):
    """Labelling algorithm: every member numbers its clusters so that near ones have near numbers.

    In every member a path visits the centres of the clusters: it starts at the centre of the cluster
    of the first object and always continues to the nearest centre not yet visited. Numbers grow along
    the path by the length of each step. The r numbers of an object are its features; k-means on them
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
    init : {"k-means++", "random_rows"} or array (n,) of int, default "k-means++"
        Starting centres: far from each other, or K distinct rows drawn at random. Random rows with
        ``n_init=1`` are the single run of plain k-means of the paper. Labels from 0 to K - 1, -1 =
        unknown, are the only start, as in `KMCF`.
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

    The paper does not specify the start of the path. It starts at the cluster of the first object, so
    that all members start at the same place; another order of the objects may give another result. The
    paper prints arg min instead of min in its formula of f3, and runs k-means once, which
    ``init="random_rows", n_init=1`` does.

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
        **SweptKMeans.kmeans_parameters,
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(needs=("centres",))

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        labelling_function: str = "relative",
        alpha: float = 1.0,
        init: str | Array = PLUS_PLUS,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.labelling_function = labelling_function
        self.alpha = alpha
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _features(self, ensemble: Ensemble) -> tuple[SweptFeatures, dict[str, Any]]:
        numbers = [self._numbered(centres) for centres in centres_of(ensemble, "Labelling")]
        features = MemberNumbers(ensemble.incidence, np.concatenate(numbers), ensemble.weights)
        return features, {"numeric_labels_": numbers}

    def _numbered(self, centres: Array) -> Array:
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
        here = 0
        visited[:1] = True
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
