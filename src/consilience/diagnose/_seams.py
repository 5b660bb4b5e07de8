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

from consilience.diagnose._cluster_separation import ValleyTest
from consilience.diagnose._gaps import NEVER, SURE, Gap, has_sparse_links
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
# Links do not count for merging where the data are sparser by this factor than along the densest one.
_FAR_SPARSER = 2.0
# Evidence of one kind counts up to so many standard deviations.
_CAP = 3.0
# Both sides must point in the same direction, by so much.
_BOTH = 0.3
# If the evidence against a valley at the border is below this, no straight valley is searched.
_AGAINST = -1.0
# Above this p-value there is no valley, and the exact value is not needed.
_NO_VALLEY = 0.3
_TINY = 1e-12
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
    sparse   whether the links across are all far sparser than the data on both sides
    gap      the gap before the nearest object, if no link is across, or in a curve; else None
    """

    counts: Array
    sparser: Array
    facing: int
    sparse: bool
    gap: Gap | None


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
            return np.asarray(np.clip(-ndtri(found), NEVER, SURE))
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
            evidence[list(passed)] = SURE
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
            return NEVER - 1 / float(self.sizes[cluster])
        border = self._borders[cluster]
        if border.gap is not None:
            return border.gap.evidence
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
        return max(_together(layers), _together(narrow), _CAP if border.sparse else NEVER)

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
            found = Gap.around(graph, self.labels, cluster)
            facing = -1 if found.nearest < 0 else int(self.labels[found.nearest])
            return _Border(counts, sparser, facing, sparse=False, gap=found)
        facing = int(np.bincount(self.labels[~own & (self._layer == 1)]).argmax())
        sparse = has_sparse_links(graph, self.labels, cluster)
        gap = None
        if not sparse and self._layers_are_few(
            counts, min(self.sizes[cluster], self.sizes[facing])
        ):
            gap = Gap.around(graph, self.labels, cluster, in_curve=True)
        return _Border(counts, sparser, facing, sparse, gap)

    def _layers_are_few(self, counts: Array, size: int) -> bool:
        """Say whether the layers of a border have few objects, although the clusters go on.

        Along a curve every layer has about half as many objects as an object has neighbours, so that
        borders of single objects are accidents. Behind the border of a round cluster layers grow.
        """
        few = self.graph.n_nearest
        layers = counts.shape[1] * few
        return bool(counts[:, 2].max() <= few and counts.sum(axis=1).max() <= layers < size)

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
        """Return the cluster with most links for its size; without links, that of the nearest object.

        Where the data are far sparser than along other links, links do not count.
        """
        graph = self.graph
        own = self.labels == cluster
        across = np.flatnonzero(own[graph.firsts] & ~own[graph.others])
        heights = graph.heights[across]
        across = across[heights <= _FAR_SPARSER * heights.min(initial=np.inf)]
        links = np.bincount(self.labels[graph.others[across]], minlength=self.n_clusters)
        if links.max() > 0:
            return int(np.argmax(links / np.sqrt(self.sizes)))
        return int(self.labels[Gap.around(self.graph, self.labels, cluster).nearest])

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
