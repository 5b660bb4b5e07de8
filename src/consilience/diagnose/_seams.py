"""Whether the border of a cluster is thin: fewer, farther apart, or narrower than cuts inside clusters.

Where one group was cut in two, the objects along the cut are as many and as close together as farther
inside. Where two groups meet at a valley, they are fewer and farther apart, on both sides. Three
figures are compared with what cuts inside clusters look like in the same data: how many objects lie
at the border and just behind it, how far their neighbours are, and how many they are beside a cut
through the cluster. Nothing is assumed about shapes.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import bdtr, ndtri
from scipy.stats import norm
from sklearn.metrics import pairwise_distances_argmin_min

from consilience.diagnose._cluster_separation import ValleyTest
from consilience.diagnose._neighbour_graph import NeighbourGraph

Array = np.ndarray[Any, Any]

# A cluster of fewer objects is never separated.
FEWEST = 5
# A border is thin if its share of the first two layers is below this part of that of cuts inside.
_LEVEL = 0.75
# Objects at the border have farther neighbours than those behind in more than 50 % + this of all pairs.
_MARGIN = 0.1
# A border is narrow if it has less than half of the objects along a cut; there are two sides of a cut.
_NARROW = 0.25
# Evidence of one kind counts up to so many standard deviations.
_CAP = 3.0
# Both sides must point in the same direction, by so much.
_BOTH = 0.3
# If the evidence against a valley at the border is below this, no straight valley is searched.
_AGAINST = -1.0
# Above this p-value there is no valley, and the exact value is not needed.
_NO_VALLEY = 0.3
# Larger than any evidence: a wide gap; smaller than any: there are too few objects.
_SURE, _NEVER = 9.0, -9.0
_TINY = 1e-12
# A gap of so many radii is evidence enough.
_WIDE = 2.0
# Of all variance in one axis, the share in another that rounding leaves.
_NO_VARIANCE = 1e-12


class Merge(NamedTuple):
    """One step of the merging.

    n_clusters   clusters before it
    first        the cluster that was not separated
    second       the cluster it was merged with
    sizes        their objects
    p_value      how easily a border like that of the first one comes about by cutting one group
    weakest      the largest of these p-values over all clusters before the step
    """

    n_clusters: int
    first: int
    second: int
    sizes: tuple[int, int]
    p_value: float
    weakest: float


class _Border(NamedTuple):
    """The border of a cluster, inside and outside: counts of three layers, and their sparseness.

    counts   (2, 3) objects in the layers
    sparser  (2,) share of pairs in which the object of layer 1 has farther neighbours than the other
    facing   the cluster that has most of the objects on the other side, or the nearest object
    gap      without any link across, the evidence of the gap between the nearest objects; else None
    """

    counts: Array
    sparser: Array
    facing: int
    gap: float | None


class Seams:
    """Clusters, their borders, and merging of those that are not separated.

    Parameters
    ----------
    graph : NeighbourGraph
        The data.
    labels : array (n,)
        A partition, 0 .. K - 1.
    """

    def __init__(self, graph: NeighbourGraph, labels: Array) -> None:
        self.graph = graph
        self.labels: Array = np.unique(labels, return_inverse=True)[1].astype(np.int32)
        self._upper = np.zeros(len(labels), dtype=np.bool_)
        self._layer = np.zeros(len(labels), dtype=np.uint8)
        self.sizes: Array = np.bincount(self.labels)
        clusters = range(len(self.sizes))
        self._halves = [self._cut(cluster) for cluster in clusters]
        self._borders = [self._border(cluster) for cluster in clusters]
        self._valleys: ValleyTest | None = None
        # On a line a border is one object, and random gaps have no links across, so only valleys count.
        self._on_a_line = _are_on_a_line(graph.rows)

    @property
    def n_clusters(self) -> int:
        """Return the clusters that are left."""
        return len(self.sizes)

    def evidence(self) -> Array:
        """Return how thin the border of every cluster is, in standard deviations, (K,)."""
        if self._on_a_line:
            found = [self._valley(cluster, _NO_VALLEY) for cluster in range(self.n_clusters)]
            return np.asarray(np.clip(-ndtri(found), _NEVER, _SURE))
        first, second = np.sum(self._halves, axis=0)
        level = _LEVEL * first / max(1, first + second)
        return np.array([self._thin(cluster, level) for cluster in range(self.n_clusters)])

    def p_values(self, alpha: float) -> Array:
        """Return a p-value for every cluster: of its border, or of valleys to all others if smaller.

        Valleys are looked for only where the border does not reach `alpha`.
        """
        evidence = self.evidence()
        return np.array([self._p_value(c, evidence, alpha) for c in range(self.n_clusters)])

    def merge(self, alpha: float) -> list[Merge]:
        """Merge the worst cluster into the one it is most linked with until all are separated.

        A merge may change the borders of other clusters a little, so at the end all are tested again.
        """
        steps: list[Merge] = []
        wanted = -float(ndtri(alpha))
        passed: set[int] = set()
        tested_at = self.n_clusters
        while self.n_clusters > 1:
            evidence = self.evidence()
            evidence[list(passed)] = _SURE
            worst = int(np.argmin(evidence))
            if evidence[worst] >= wanted:
                if tested_at == self.n_clusters:
                    break
                tested_at, passed = self.n_clusters, set()
                self._borders = [self._border(cluster) for cluster in range(self.n_clusters)]
                continue
            if evidence[worst] > _AGAINST and self._valley(worst, alpha) <= alpha:
                passed.add(worst)
                continue
            into = self._most_linked(worst)
            steps.append(self._step(worst, into, evidence, alpha))
            self._join(worst, into)
            passed = {other - (other > worst) for other in passed if other != into}
        return steps

    def merge_all(self, alpha: float) -> list[Merge]:
        """Go on merging the worst cluster until one is left; p-values as in `p_values`."""
        steps = []
        while self.n_clusters > 1:
            evidence = self.evidence()
            worst = int(np.argmin(evidence))
            into = self._most_linked(worst)
            steps.append(self._step(worst, into, evidence, alpha))
            self._join(worst, into)
        return steps

    def join(self, first: int, second: int, alpha: float) -> Merge:
        """Merge two clusters, and say how separated the less separated one was."""
        evidence = self.evidence()
        if evidence[second] < evidence[first]:
            first, second = second, first
        step = self._step(first, second, evidence, alpha)
        self._join(first, second)
        return step

    # --- one cluster -----------------------------------------------------------------------------

    def _thin(self, cluster: int, level: float) -> float:
        if self.sizes[cluster] < FEWEST:
            return _NEVER - 1 / float(self.sizes[cluster])
        border = self._borders[cluster]
        if border.gap is not None:
            return border.gap
        # Neighbouring objects share neighbours, so that fewer of them count as independent.
        shared = max(1.0, self.graph.n_nearest / 2)
        layers, narrow = np.empty(2), np.empty(2)
        for side, cut_through in enumerate((cluster, border.facing)):
            first, second, third = border.counts[side]
            thin = max(-_CAP, _deviations(first, first + second, level))
            sparse = 0.0
            near, behind = first / shared, (second + third) / shared
            if behind > 0:
                error = np.sqrt((near + behind + 1) / (12 * near * behind))
                sparse = (border.sparser[side] - 0.5 - _MARGIN) / error
            along = self._halves[cut_through][0]
            beside = min(max(_deviations(first, first + along, _NARROW), -_CAP), _CAP)
            layers[side] = (thin + sparse) / np.sqrt(2)
            narrow[side] = (thin + sparse + (beside if along else 0.0)) / np.sqrt(3)
        return max(_together(layers), _together(narrow))

    def _cut(self, cluster: int) -> tuple[int, int]:
        """Cut a cluster at the median of its first principal axis, and count the layers of the cut."""
        from consilience._kernels._borders import halves_layers

        members = np.flatnonzero(self.labels == cluster)
        if len(members) < FEWEST - 1:
            return 0, 0
        rows = self.graph.rows[members]
        rows = rows - rows.mean(axis=0)
        if rows.shape[1] <= len(rows):
            place = rows @ np.linalg.eigh(rows.T @ rows)[1][:, -1]
        else:
            place = np.linalg.eigh(rows @ rows.T)[1][:, -1]
        self._upper[members] = place > np.median(place)
        graph = self.graph
        first, second = halves_layers(graph.starts, graph.others, self.labels, members, self._upper)
        return int(first), int(second)

    def _border(self, cluster: int) -> _Border:
        from consilience._kernels._borders import border_layers

        graph = self.graph
        border_layers(
            graph.starts, graph.others, graph.ranks, self.labels, self.sizes, cluster, self._layer
        )
        counts, sparser = np.zeros((2, 3), dtype=np.int64), np.full(2, 0.5)
        own = self.labels == cluster
        for side, here in enumerate((own, ~own)):
            counts[side] = [np.count_nonzero(here & (self._layer == depth)) for depth in (1, 2, 3)]
            at, behind = (
                graph.radius[here & (self._layer == 1)],
                graph.radius[here & (self._layer > 1)],
            )
            if len(at) and len(behind):
                behind = np.sort(behind)
                below = np.searchsorted(behind, at, "left") + np.searchsorted(behind, at, "right")
                sparser[side] = below.mean() / (2 * len(behind))
        if counts[0, 0] == 0:
            return _Border(counts, sparser, *self._gap(own))
        facing = np.bincount(self.labels[~own & (self._layer == 1)]).argmax()
        return _Border(counts, sparser, int(facing), None)

    def _gap(self, own: Array) -> tuple[int, float]:
        """Return the cluster of the nearest other object, and the evidence of the gap before it.

        Along a curve, gaps between objects are exponential: with m neighbours within a radius r, one of
        n gaps is as wide as d with a probability of at most n exp(-m d / r). If more than m d / r
        objects of either side are within 2 d of the other, the border is wider than a curve, and their
        number takes its place. With few objects gaps without links across are common. A gap that is
        twice as wide as the usual radius is no accident.
        """
        inside, outside = np.flatnonzero(own), np.flatnonzero(~own)
        if len(outside) == 0:
            return -1, _SURE
        rows, radius = self.graph.rows, self.graph.radius
        nearest, distance = pairwise_distances_argmin_min(rows[inside], rows[outside])
        place = int(np.argmin(distance))
        gap, here, there = distance[place], inside[place], outside[nearest[place]]
        _, back = pairwise_distances_argmin_min(rows[outside], rows[inside])
        near, beyond = inside[distance <= 2 * gap], outside[back <= 2 * gap]
        if gap >= _WIDE * np.median(radius[np.concatenate([near, beyond])]):
            return int(self.labels[there]), _SURE
        along = min(len(near), len(beyond))
        wide = self.graph.n_nearest * gap / max(radius[here], radius[there], _TINY)
        p_value = np.exp(min(np.log(len(own)) - max(wide, along), 0.0))
        return int(self.labels[there]), float(np.clip(-ndtri(p_value), _NEVER, _SURE))

    def _p_value(self, cluster: int, evidence: Array, alpha: float) -> float:
        """Return the p-value of a cluster: of its border, or where that is undecided, of valleys."""
        border = float(norm.sf(evidence[cluster]))
        if border <= alpha or evidence[cluster] <= _AGAINST:
            return border
        return min(border, self._valley(cluster, alpha))

    def _valley(self, cluster: int, alpha: float) -> float:
        if self._valleys is None:
            self._valleys = ValleyTest(self.graph.rows, self.labels)
            self._found_valleys: dict[tuple[int, float], float] = {}
        if (cluster, alpha) not in self._found_valleys:
            self._found_valleys[cluster, alpha] = self._valleys.weakest_of(cluster, alpha)
        return self._found_valleys[cluster, alpha]

    # --- merging ---------------------------------------------------------------------------------

    def _step(self, cluster: int, into: int, evidence: Array, alpha: float) -> Merge:
        sizes = (int(self.sizes[cluster]), int(self.sizes[into]))
        worst = int(np.argmin(evidence))
        weakest = self._p_value(worst, evidence, alpha)
        # If no border is clearly without a valley, all must be tested to find the weakest.
        if evidence[worst] > _AGAINST:
            weakest = max(self._p_value(c, evidence, alpha) for c in range(self.n_clusters))
        own = self._p_value(cluster, evidence, alpha)
        return Merge(self.n_clusters, cluster, into, sizes, own, weakest)

    def _most_linked(self, cluster: int) -> int:
        """Return the cluster with most links for its size; without links, that of the nearest object."""
        from consilience._kernels._borders import count_links

        links = np.zeros(self.n_clusters, dtype=np.int64)
        members = np.flatnonzero(self.labels == cluster)
        count_links(self.graph.starts, self.graph.others, self.labels, members, links)
        links[cluster] = 0
        if links.max() > 0:
            return int(np.argmax(links / np.sqrt(self.sizes)))
        return self._gap(self.labels == cluster)[0]

    def _join(self, cluster: int, into: int) -> None:
        """Give the objects of a cluster to another one; numbers above it move down by one."""
        self.labels[self.labels == cluster] = into
        self.labels[self.labels > cluster] -= 1
        kept = into - (into > cluster)
        self.sizes = np.bincount(self.labels)
        del self._halves[cluster], self._borders[cluster]
        self._borders = [
            border._replace(
                facing=kept
                if border.facing == cluster
                else border.facing - (border.facing > cluster)
            )
            for border in self._borders
        ]
        self._halves[kept] = self._cut(kept)
        self._borders[kept] = self._border(kept)
        self._valleys = None


def _are_on_a_line(rows: Array) -> bool:
    """Say whether rows have no variance beside that of their first principal axis."""
    if rows.shape[1] < 2:
        return True
    inside = rows - rows.mean(axis=0)
    variance = np.linalg.eigvalsh(inside.T @ inside)
    return bool(variance[-2] <= _NO_VARIANCE * variance[-1])


def _deviations(count: int, total: int, share: float) -> float:
    """Return how far a count is below its share of a total, as a normal deviate."""
    return -float(ndtri(min(max(float(bdtr(count, total, share)), _TINY), 1 - _TINY)))


def _together(sides: Array) -> float:
    """Pool the evidence of both sides; if one of them does not point to a valley, it decides."""
    pooled = float(sides.sum() / np.sqrt(2))
    least = float(sides.min())
    return pooled if least > _BOTH else min(pooled, least - _BOTH)
