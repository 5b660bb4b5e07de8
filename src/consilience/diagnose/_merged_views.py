"""The clusters of every view that are separated, at several levels of strictness."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose._k_evidence import similarity
from consilience.diagnose._k_views import KView
from consilience.diagnose._merge_tree import MergeTree, joined
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import FEWEST, Merge, Seams
from consilience.generate.internals import one_thread

# Clusters of several views are the same if they are as similar as this. If so many of the views end with
# the same number, less is enough: objects between two overlapping clusters differ from view to view.
SAME, SAME_OF_ONE_NUMBER, _MOST_VIEWS = 0.85, 0.7, 2 / 3
# A tree of the data is preferred to a view that is more similar to the others by at most this.
_NO_WORSE = 0.05
# The views of one scaling are looked at by themselves if there are so many.
_ENOUGH_VIEWS = 3


class Merged(NamedTuple):
    """The clusters of one view that are separated at one level.

    view        place of the view
    labels      (n,) labels of the objects
    n_clusters  how many clusters are left
    steps       the merges that led to them
    """

    view: int
    labels: Array
    n_clusters: int
    steps: tuple[Merge, ...]


class Ending(NamedTuple):
    """What several views end with at one level.

    scaling     the scaling of these views; None for the views of all scalings
    merged      the clusters of every view
    similarity  (views, views) similarity of the clusters of two views, 0 on the diagonal
    n_views     the views of which these are some
    same        clusters that are as similar as this are the same
    """

    scaling: str | None
    merged: list[Merged]
    similarity: Array
    n_views: int
    same: float = SAME

    @property
    def likeness(self) -> Array:
        """Return the mean similarity of the clusters of a view to those of the others, (views,)."""
        likeness: Array = self.similarity.sum(axis=1) / max(1, len(self.merged) - 1)
        return likeness

    @property
    def alike(self) -> bool:
        """Say whether the views end with the same clusters."""
        return bool(self.likeness.max() >= self.same)

    @property
    def numbers(self) -> list[int]:
        """Return with how many clusters every view ends."""
        return [one.n_clusters for one in self.merged]

    @property
    def several(self) -> int:
        """Return how many views end with more than one cluster."""
        return sum(number > 1 for number in self.numbers)

    @property
    def middle(self) -> int:
        """Return the place of the view whose clusters are most similar to those of the others."""
        return self.merged[int(np.argmax(self.likeness))].view

    def of(self, places: list[int], scaling: str | None) -> "Ending":
        """Return what some of the views end with."""
        similarity = self.similarity[np.ix_(places, places)]
        return Ending(scaling, [self.merged[place] for place in places], similarity, len(places))

    def of_one_number(self, same: float) -> "Ending":
        """Return what the views with the most common number end with, if they are alike; else itself.

        same  clusters that are as similar as this are the same
        """
        numbers = self.numbers
        number = max(numbers, key=numbers.count)
        places = [place for place, found in enumerate(numbers) if found == number]
        if self.alike or number == 1 or len(places) < _MOST_VIEWS * len(numbers):
            return self
        some = self.of(places, self.scaling)._replace(n_views=self.n_views, same=same)
        return some if some.alike else self


class MergedViews:
    """Views in which the least separated cluster was merged, again and again.

    Only views whose clusters may have any shape are merged.
    """

    def __init__(self, views: list[KView], finest: int, levels: set[float], n_threads: int) -> None:
        self.views, self.finest = views, finest
        # The loosest level first: the stricter ones continue from there.
        self._levels = sorted(levels, reverse=True)
        places = [place for place, view in enumerate(views) if view.any_shape]
        graphs = {id(self.graph(place)): self.graph(place) for place in places}
        with one_thread(), ThreadPoolExecutor(n_threads) as pool:
            # The chains of a graph are computed here, so that no two views of it do that.
            list(pool.map(lambda graph: graph.chains, graphs.values()))
            merged = list(pool.map(self._merge, places))
        self.endings = {
            level: self._endings([one[level] for one in merged]) for level in self._levels
        }

    def graph(self, place: int) -> NeighbourGraph:
        """Return the data of a view with their links."""
        graph = self.views[place].graph
        assert graph is not None  # noqa: S101 - the views of data have graphs
        return graph

    @property
    def scalings(self) -> list[str | None]:
        """Return None for the views of all scalings, then every scaling with enough views."""
        return [one.scaling for one in self.endings[self._levels[0]]]

    def ending(self, level: float, scaling: str | None = None) -> Ending:
        """Return what the views of all scalings, or of one of them, end with."""
        return next(one for one in self.endings[level] if one.scaling == scaling)

    def common(self, ending: Ending) -> Merged:
        """Return the clusters of the view that is most similar to the others, or nearly so.

        The first tree of the data that is nearly as similar is preferred, since its clusters do not
        depend on the seed.
        """
        for one, likeness in zip(ending.merged, ending.likeness, strict=True):
            is_fixed = self.views[one.view].ensemble is None
            if is_fixed and likeness >= ending.likeness.max() - _NO_WORSE:
                return one
        return ending.merged[int(np.argmax(ending.likeness))]

    def contradicted(self, found: Merged) -> bool:
        """Say whether some of the clusters have neither a gap nor a valley beside them."""
        return Seams(self.graph(found.view), found.labels).contradicted()

    def tree(self, place: int, level: float, *, separated: bool) -> MergeTree | None:
        """Return the merges of a view down to one cluster; None if it has no clusters.

        Of separated clusters they are those of the test; else those of the tree of the view.
        """
        cuts = self.views[place].cuts
        if not cuts:
            return None
        if not separated:
            leaves = cuts[max(cuts)]
            steps = _tested(Seams(self.graph(place), leaves), cuts, level)
            return MergeTree(leaves, tuple(steps), level)
        found = next(one for one in self.ending(level).merged if one.view == place)
        rest = Seams(self.graph(place), found.labels).merge_all(level)
        return MergeTree(self._start(place), (*found.steps, *rest), level)

    def _start(self, place: int) -> Array:
        cuts = self.views[place].cuts
        start = cuts[max((k for k in cuts if k <= self.finest), default=max(cuts))]
        graph = self.graph(place)
        return graph.connected_parts(start + (int(start.max()) + 1) * graph.chains, FEWEST)

    def _endings(self, merged: list[Merged]) -> list[Ending]:
        """Return what all views end with, then what the views of every scaling with enough views do.

        One scaling may show clusters that another one hides.
        """
        everything = Ending(None, merged, _similarity(merged), len(merged))
        found = [everything]
        scaling_of = [self.views[one.view].scaling for one in merged]
        for scaling in dict.fromkeys(scaling_of):
            places = [place for place, name in enumerate(scaling_of) if name == scaling]
            if _ENOUGH_VIEWS <= len(places) < len(merged):
                found.append(everything.of(places, scaling))
        return found

    def _merge(self, place: int) -> dict[float, Merged]:
        if not self.views[place].cuts:
            one = Merged(place, np.zeros(len(self.graph(place).rows), dtype=np.int32), 1, ())
            return dict.fromkeys(self._levels, one)
        seams = Seams(self.graph(place), self._start(place))
        left: dict[float, Merged] = {}
        steps: list[Merge] = []
        for level in self._levels:
            steps += seams.merge(level)
            left[level] = Merged(place, seams.labels.copy(), seams.n_clusters, tuple(steps))
        return left


def _similarity(merged: list[Merged]) -> Array:
    """Return the similarity of the clusters of every two views; 0 where one has a single cluster."""
    n_views = len(merged)
    table = np.zeros((n_views, n_views))
    for first in range(n_views):
        for second in range(first):
            pair = merged[first], merged[second]
            if min(one.n_clusters for one in pair) > 1:
                found = similarity(pair[0].labels, pair[1].labels)
                table[first, second] = table[second, first] = found
    return table


def _tested(seams: Seams, cuts: dict[int, Array], level: float) -> list[Merge]:
    """Return the merges of a tree of nested cuts, each with its p-value."""
    steps = []
    while seams.n_clusters > 1:
        below = cuts.get(seams.n_clusters - 1, np.zeros_like(seams.labels))
        steps.append(seams.join(*joined(seams.labels, below), level))
    return steps
