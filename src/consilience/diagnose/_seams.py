"""Whether the border of a cluster is thin: fewer, farther apart, or narrower than cuts inside clusters.

Where one group was cut in two, the objects along the cut are as many and as close together as farther
inside. Where two groups meet at a valley, they are fewer and farther apart, on both sides. Three
figures are compared with what cuts inside clusters look like in the same data: how many objects lie
at the border and just behind it, how far their neighbours are, and how many they are beside a cut
through the cluster. Chains of objects with wide borders between them are separated too. Nothing is
assumed about shapes.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, ndtri
from scipy.stats import norm

from consilience._utils._types import Array
from consilience.diagnose._chains import nearest_of
from consilience.diagnose._cluster_separation import ValleyTest
from consilience.diagnose._gaps import NEVER, SURE, Gap
from consilience.diagnose._neighbour_graph import NeighbourGraph

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
# A border at the best of several places is compared with the best of as many at this p-value.
_BEST_AT = 0.01
# If the evidence against a valley at the border is below this, no straight valley is searched.
_AGAINST = -1.0
# Chains are the simpler answer, so a part of a chain needs this much more evidence.
_INSIDE_CHAIN = 0.7
# A cluster has all of a chain, or nothing of it, up to this share of the chain.
_REST = 0.05
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
    gap      the gap before the nearest object, if no link is across, or in a curve; else None
    """

    counts: Array
    sparser: Array
    facing: int
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
        # (K, chains) how many objects of every chain a cluster has
        self._in_chains = np.zeros((len(self.sizes), int(graph.chains.max()) + 1), dtype=np.int64)
        np.add.at(self._in_chains, (self.labels, graph.chains), 1)
        self._valleys: ValleyTest | None = None
        # On a line a border is one object, so only valleys count, and gaps that are no accidents.
        self._on_a_line = _are_on_a_line(graph.rows)

    @property
    def n_clusters(self) -> int:
        """Return the clusters that are left."""
        return len(self.sizes)

    def evidence(self) -> Array:
        """Return how thin the border of every cluster is, in standard deviations, (K,)."""
        if self._on_a_line:
            clusters = range(self.n_clusters)
            found = [self._valley(cluster, _NO_VALLEY) for cluster in clusters]
            gaps = [
                Gap.around(self.graph, self.labels, cluster, in_curve=True).evidence
                for cluster in clusters
            ]
            small = np.where(self.sizes < FEWEST, NEVER, SURE)
            evidence = np.maximum(np.clip(-ndtri(found), NEVER, SURE), gaps)
            return np.asarray(np.minimum(evidence, small))
        first, second = np.sum(self._halves, axis=0)
        thin = self._thin(_LEVEL * first / max(1, first + second))
        for cluster, border in enumerate(self._borders):
            if border.gap is not None:
                thin[cluster] = border.gap.evidence
        if self.graph.chains.max() > 0:
            thin = np.where(self._are_chains(), np.maximum(thin, _CAP), thin - _INSIDE_CHAIN)
        return np.where(self.sizes < FEWEST, NEVER - 1 / self.sizes, thin)

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
        wanted = min(-float(ndtri(alpha)), SURE)
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

    def _thin(self, level: float) -> Array:
        """Return how thin borders are, in standard deviations, compared with cuts through clusters."""
        # Neighbouring objects share neighbours, so that fewer of them count as independent.
        shared = max(1.0, self.graph.n_nearest / 2)
        counts = np.array([border.counts for border in self._borders])
        first, second, third = counts[:, :, 0], counts[:, :, 1], counts[:, :, 2]
        thin = np.maximum(-_CAP, _deviations(first, first + second, level))
        near, behind = np.maximum(first, 1) / shared, (second + third) / shared
        error = np.sqrt((near + behind + 1) / (12 * near * np.where(behind > 0, behind, 1)))
        sparser = np.array([border.sparser for border in self._borders])
        sparse = np.where(behind > 0, (sparser - 0.5 - _MARGIN) / error, 0.0)
        # The cut through the cluster itself, and through the one on the other side.
        along = np.array(self._halves)[:, 0]
        along = np.stack([along, along[[border.facing for border in self._borders]]], axis=1)
        beside = np.clip(_deviations(first, first + along, _NARROW), -_CAP, _CAP)
        beside = np.where(along > 0, beside, 0.0)
        layers, narrow = (thin + sparse) / np.sqrt(2), (thin + sparse + beside) / np.sqrt(3)
        return np.maximum(_together(layers), _together(narrow)) - self._best_of_places(counts)

    def _best_of_places(self, counts: Array) -> Array:
        """Return how thin the thinnest border is by accident, compared with any border, (K,).

        A long cluster could be cut at many places, and one of them has few objects by accident. There
        are as many places as the layers of a border fit into both of its clusters. In many columns the
        layers have most of the objects, so there is one place.
        """
        facing = [border.facing for border in self._borders]
        places = (self.sizes + self.sizes[facing]) / np.maximum(counts.sum(axis=(1, 2)), 1)
        return np.asarray(ndtri(_BEST_AT) - ndtri(_BEST_AT / np.maximum(places, 1.0)))

    def contradicted(self) -> bool:
        """Say whether there is no valley between a cluster and the one it faces, nor a gap around it."""
        test = self._valley_test()
        in_chain = self._are_chains()
        return any(
            border.gap is None
            and not in_chain[cluster]
            and test.between(cluster, border.facing) > _NO_VALLEY
            for cluster, border in enumerate(self._borders)
        )

    def _are_chains(self) -> Array:
        """Say which clusters are some of the chains, each of them whole, but not all, (K,)."""
        share = self._in_chains / self._in_chains.sum(axis=0)
        whole = share >= 1 - _REST
        none = share <= _REST
        are: Array = (whole | none).all(axis=1) & whole.any(axis=1) & none.any(axis=1)
        return are

    def _cut(self, cluster: int) -> tuple[int, int]:
        """Cut a cluster at the median of its first principal axis, and count the layers of the cut."""
        from consilience._kernels._borders import halves_layers

        members = np.flatnonzero(self.labels == cluster)
        if len(members) < FEWEST - 1:
            return 0, 0
        rows = self.graph.rows[members]
        rows = rows - rows.mean(axis=0)
        if rows.shape[1] <= len(rows):
            axis = np.linalg.eigh(rows.T @ rows)[1][:, -1]
            place = rows @ (axis * np.sign(axis[np.argmax(abs(axis))]))
        else:
            place = np.linalg.eigh(rows @ rows.T)[1][:, -1]
            place = place * np.sign(place[np.argmax(abs(place))])
        self._upper[members] = place > np.median(place)
        graph = self.graph
        first, second = halves_layers(graph.starts, graph.others, self.labels, members, self._upper)
        return int(first), int(second)

    def _border(self, cluster: int) -> _Border:
        from consilience._kernels._borders import border_figures, border_layers

        graph, labels, layer = self.graph, self.labels, self._layer
        border_layers(graph.starts, graph.others, graph.ranks, labels, self.sizes, cluster, layer)
        counts, pairs = np.empty((2, 3), dtype=np.int64), np.empty(2, dtype=np.int64)
        border_figures(graph.by_radius, graph.radius, labels, cluster, layer, counts, pairs)
        at, behind = counts[:, 0], counts[:, 1] + counts[:, 2]
        sparser = np.where(at * behind > 0, pairs / np.maximum(2 * at * behind, 1), 0.5)
        if at[0] == 0:
            found = Gap.around(graph, labels, cluster)
            facing = -1 if found.nearest < 0 else int(labels[found.nearest])
            return _Border(counts, sparser, facing, found)
        facing = int(np.bincount(labels[(layer == 1) & (labels != cluster)]).argmax())
        gap = None
        if self._layers_are_few(counts, min(self.sizes[cluster], self.sizes[facing])):
            gap = Gap.around(graph, labels, cluster, in_curve=True)
        return _Border(counts, sparser, facing, gap)

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

    def _valley_test(self) -> ValleyTest:
        if self._valleys is None:
            self._valleys = ValleyTest(self.graph.rows, self.labels)
            self._found_valleys: dict[tuple[int, float], float] = {}
        return self._valleys

    def _valley(self, cluster: int, alpha: float) -> float:
        test = self._valley_test()
        if (cluster, alpha) not in self._found_valleys:
            self._found_valleys[cluster, alpha] = test.weakest_of(cluster, alpha)
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

        Where the data are far sparser than along other links, links do not count. Clusters of other
        chains are asked only if no other cluster of the same chain is left.
        """
        graph = self.graph
        own = self.labels == cluster
        chain_of = self._in_chains.argmax(axis=1)
        in_chain = (chain_of[self.labels] == chain_of[cluster]) & ~own
        rest = in_chain if in_chain.any() else ~own
        across = np.flatnonzero(own[graph.firsts] & rest[graph.others])
        heights = graph.heights[across]
        across = across[heights <= _FAR_SPARSER * heights.min(initial=np.inf)]
        links = np.bincount(self.labels[graph.others[across]], minlength=self.n_clusters)
        if links.max() > 0:
            return int(np.argmax(links / np.sqrt(self.sizes)))
        return int(self.labels[nearest_of(graph.rows, own, rest)[1]])

    def _join(self, cluster: int, into: int) -> None:
        """Give the objects of a cluster to another one; numbers above it move down by one."""
        self.labels[self.labels == cluster] = into
        self.labels[self.labels > cluster] -= 1
        kept = into - (into > cluster)
        self.sizes = np.bincount(self.labels)
        del self._halves[cluster], self._borders[cluster]
        self._in_chains[into] += self._in_chains[cluster]
        self._in_chains = np.delete(self._in_chains, cluster, axis=0)
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


def _deviations(count: Array, total: Array, share: float) -> Array:
    """Return how far counts are below their share of a total, as normal deviates."""
    return np.asarray(-ndtri(np.clip(bdtr(count, total, share), _TINY, 1 - _TINY)))


def _together(sides: Array) -> Array:
    """Pool the evidence of both sides; if one of them does not point to a valley, it decides."""
    pooled, least = sides.sum(axis=1) / np.sqrt(2), sides.min(axis=1)
    return np.asarray(np.where(least > _BOTH, pooled, np.minimum(pooled, least - _BOTH)))
