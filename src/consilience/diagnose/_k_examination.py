"""The views of a sample of the objects, what they say about the number of clusters, and the choice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse

from consilience._utils._config import thread_count
from consilience._utils._progress import progress, say_nothing
from consilience._utils._words import plural
from consilience.diagnose._k_choice import (
    CLUSTERS,
    ONE,
    TOO_FEW,
    UNSURE,
    KChoice,
    KRow,
    most_possible,
    objects,
)
from consilience.diagnose._k_evidence import Agreement, agreement_of, similarity
from consilience.diagnose._k_table import Evidence, make_table
from consilience.diagnose._k_views import KView, few_columns, make_views
from consilience.diagnose._merge_tree import MergeTree, joined
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._null_data import permuted_axes, structureless_data
from consilience.diagnose._seams import Merge, Seams
from consilience.generate import EnsembleGenerator

Array = np.ndarray[Any, Any]

# Largest p-value at which a cluster counts as separated.
ALPHA = 0.01
# Clusters from which merging begins.
_FINEST = 40
# Of few objects: clusters of five, up to so many.
_FINEST_OF_FEW = 20
# With fewer objects a test that finds nothing says little.
_FEW_OBJECTS = 100
# Merged clusters of several views are the answer if they are as similar as this.
_SAME = 0.9
# Otherwise there is more than one cluster if most views end with more than one: of fewer than this, all.
_MANY_VIEWS = 5
# For that count, clusters must be separated more strictly on a plane, where any cut runs through few
# objects, and less strictly in space, where structureless data are hardly ever cut: factors of alpha,
# and how many axes of equal variance make a space.
_ON_A_PLANE, _IN_SPACE = 0.1, 5.0
_SPACE = 3.0
# Without separated clusters, views that agree less than this are no evidence of clusters.
_WEAK = 0.6
# Data without clusters that decide: how many, of how many objects at most, and by how much to beat them.
_N_DECIDING = 2
_NULL_ROWS = 500
_BEYOND_NULL = 0.15


class Settings(NamedTuple):
    """What was requested."""

    candidates: tuple[int, ...]
    given: bool
    scaling: str | None
    generator: EnsembleGenerator | None
    alpha: float
    random_state: int
    n_jobs: int | None
    verbose: int | None


class _Merged(NamedTuple):
    """The clusters of a view that are separated, and how many are left at the level that says "one"."""

    view: int
    labels: Array
    n_clusters: int
    n_at_level: int


class Examination:
    """The views of one sample of the objects, what they say, and the choice."""

    def __init__(self, X: Any, rows: Array, settings: Settings) -> None:
        self.X, self.rows, self.settings = X, rows, settings
        self.n_rows = len(rows)
        self.left_out: list[str] = []
        self._graphs: dict[str, NeighbourGraph] = {}

    def choice(self) -> KChoice:
        """Look, merge, compare and decide."""
        if self.n_rows < TOO_FEW:
            return self._answer(UNSURE, 1, None, f"{objects(self.n_rows)} too few to tell clusters")
        with progress("Looking at the data", 9, self.settings.verbose) as advance:
            self.views, self.left_out = self.look(self.X, advance)
            self.agreements = self._agreements(self.views)
            for place in self._any_shape:
                self._graph(place)
            _ = self._level_of_one  # computed once, before threads need it
            with ThreadPoolExecutor(self._n_threads) as pool:
                self.merged = list(pool.map(self._merge, self._any_shape))
            advance(1)
            return self._decide()

    @property
    def _n_threads(self) -> int:
        n_jobs = self.settings.n_jobs
        return thread_count() if n_jobs is None else effective_n_jobs(n_jobs)

    # --- evidence --------------------------------------------------------------------------------

    def look(
        self, X: Any, advance: Callable[[int], None] = say_nothing
    ) -> tuple[list[KView], list[str]]:
        """Make the views of these data, or of others of the same kind; say which were left out."""
        n_rows = X.shape[0]
        most = max(
            4, min(_FINEST, int(np.sqrt(n_rows))), min(self.settings.candidates[-1], n_rows // 5)
        )
        return make_views(
            X,
            scaling=self.settings.scaling,
            generator=self.settings.generator,
            most=most,
            finest=self._finest(n_rows),
            random_state=self.settings.random_state,
            n_threads=self._n_threads,
            advance=advance,
        )

    def _finest(self, n_rows: int) -> int:
        """Return the clusters from which merging begins."""
        most = max(_FINEST, int(1.5 * self.settings.candidates[-1]))
        return max(3, min(most, max(n_rows // 10, min(n_rows // 5, _FINEST_OF_FEW))))

    def _agreements(self, views: list[KView]) -> dict[int, Agreement]:
        found = (agreement_of(views, k) for k in self.settings.candidates)
        return {one.n_clusters: one for one in found if one is not None}

    @cached_property
    def _any_shape(self) -> list[int]:
        return [place for place, view in enumerate(self.views) if view.any_shape]

    def _graph(self, place: int) -> NeighbourGraph:
        view = self.views[place]
        if view.scaling not in self._graphs:
            self._graphs[view.scaling] = NeighbourGraph.of(view.rows)
        return self._graphs[view.scaling]

    @cached_property
    def _level_of_one(self) -> float:
        """Return the p-value at which clusters of a view are evidence for more than one."""
        rows = self.views[0].rows
        variance = np.linalg.eigvalsh(np.atleast_2d(np.cov(rows, rowvar=False)))
        n_axes = variance.sum() ** 2 / max(float(np.square(variance).sum()), 1e-300)
        return self.settings.alpha * (_ON_A_PLANE if n_axes < _SPACE else _IN_SPACE)

    def _start(self, place: int) -> Array:
        cuts = self.views[place].cuts
        finest = self._finest(self.n_rows)
        return cuts[max((k for k in cuts if k <= finest), default=max(cuts))]

    def _merge(self, place: int) -> _Merged:
        if not self.views[place].cuts:
            return _Merged(place, np.zeros(self.n_rows, dtype=np.int32), 1, 1)
        seams = Seams(self._graph(place), self._start(place))
        left: dict[float, tuple[Array, int]] = {}
        # The looser level first: the stricter one continues from there.
        for level in sorted({self.settings.alpha, self._level_of_one}, reverse=True):
            seams.merge(level)
            left[level] = seams.labels.copy(), seams.n_clusters
        labels, n_clusters = left[self.settings.alpha]
        return _Merged(place, labels, n_clusters, left[self._level_of_one][1])

    @cached_property
    def _likeness(self) -> Array:
        """Return how similar the merged clusters of every view are to those of the others."""
        n_views = len(self.merged)
        table = np.zeros((n_views, n_views))
        for first in range(n_views):
            for second in range(first):
                pair = self.merged[first], self.merged[second]
                if min(one.n_clusters for one in pair) > 1:
                    table[first, second] = table[second, first] = similarity(
                        pair[0].labels, pair[1].labels
                    )
        return np.asarray(table.sum(axis=1) / max(1, n_views - 1))

    # --- the decision ----------------------------------------------------------------------------

    def _decide(self) -> KChoice:
        n_views = len(self.merged)
        middle = int(np.argmax(self._likeness))
        alike = float(self._likeness[middle])
        several = sum(one.n_at_level > 1 for one in self.merged)
        agreed = max(self.agreements.values(), key=lambda one: one.score, default=None)
        settings = self.settings
        allowed = not settings.given or self.merged[middle].n_clusters in settings.candidates
        if alike >= _SAME and allowed:
            found = self.merged[middle]
            return self._answer(
                CLUSTERS,
                found.n_clusters,
                found.view,
                f"every cluster is separated from the rest (each p at most {settings.alpha:g}), and the "
                f"clusters with which {n_views} views end are alike (mean AMI {alike:.2f})",
                separated=True,
            )
        may_differ = (n_views - 1) // 2 if n_views >= _MANY_VIEWS else 0
        if agreed is not None and several >= n_views - may_differ:
            return self._agreed(
                CLUSTERS,
                agreed,
                f"{several} of {n_views} views have separated clusters (p at most "
                f"{self._level_of_one:g}), but {self._why_not_these(alike, middle)}; this is the number "
                f"on which the views agree best (they share {agreed.shared:.0%} of the information)",
            )
        return self._one_or_unsure(agreed, several)

    def _why_not_these(self, alike: float, middle: int) -> str:
        """Say why the clusters with which the views end are not the answer."""
        if alike < _SAME:
            return f"not the same ones (mean AMI {alike:.2f})"
        return f"their number, {self.merged[middle].n_clusters}, is no candidate"

    def _one_or_unsure(self, agreed: Agreement | None, several: int) -> KChoice:
        n_views = len(self.merged)
        none = (
            f"in {n_views - several} of {n_views} views no cluster has a border thinner than a cut "
            f"through a cluster (needed p at most {self._level_of_one:g})"
        )
        if agreed is None or agreed.quality < _WEAK:
            return self._answer(ONE, 1, None, none)
        quality = agreed.quality
        if self.n_rows < _FEW_OBJECTS:
            return self._agreed(
                UNSURE,
                agreed,
                f"{none}, but with {plural(self.n_rows, 'object')} that means little; the views agree "
                f"on these clusters (they share {agreed.shared:.0%} of the information)",
            )
        null = self._null_quality()
        if quality > null + _BEYOND_NULL:
            return self._agreed(
                UNSURE,
                agreed,
                f"{none}, but the views agree far better than on data without clusters ({quality:.2f} "
                f"against {null:.2f} at most)",
            )
        return self._answer(
            ONE,
            1,
            None,
            f"{none}, and the views do not agree far better than on data without clusters "
            f"({quality:.2f} against {null:.2f} at most; {_BEYOND_NULL:g} more would count)",
        )

    def _null_quality(self) -> float:
        """Return the best agreement of the views on data without clusters."""
        rng = np.random.default_rng(self.settings.random_state)
        X = few_columns(self.X)
        if self.n_rows > _NULL_ROWS:
            X = X[rng.choice(self.n_rows, _NULL_ROWS, replace=False)]
        best = 0.0
        with progress("Data without clusters", 2 * _N_DECIDING, self.settings.verbose) as advance:
            for _ in range(_N_DECIDING):
                for null in (structureless_data(X, rng), permuted_axes(X, rng)):
                    found = self._agreements(self.look(null)[0])
                    best = max(best, max((one.quality for one in found.values()), default=0.0))
                    advance(1)
        return best

    # --- the answer ------------------------------------------------------------------------------

    def _agreed(self, answer: str, agreed: Agreement, reason: str) -> KChoice:
        return self._answer(answer, agreed.n_clusters, agreed.best, reason)

    def _answer(
        self,
        answer: str,
        n_clusters: int,
        place: int | None,
        reason: str,
        *,
        separated: bool = False,
    ) -> KChoice:
        by_k: dict[int, Array] = {}
        tree: MergeTree | None = None
        table: list[KRow] = []
        cdf: dict[int, Array] = {}
        if self.n_rows >= TOO_FEW:
            shown = self.merged[int(np.argmax(self._likeness))].view if place is None else place
            tree = self._tree(shown, separated=separated)
        if tree is not None:
            numbers = {*self.agreements, n_clusters} - {1}
            by_k = {k: tree.labels_at(k) for k in sorted(numbers) if k <= tree.n_leaves}
            evidence = Evidence(self.views, self.agreements, tree, self._graph(shown))
            table, cdf = make_table(
                by_k, evidence, np.random.default_rng(self.settings.random_state)
            )
        return KChoice(
            n_clusters=n_clusters,
            answer=answer,
            separated=separated,
            reason=reason,
            table=tuple(table),
            labels=by_k,
            tree=tree,
            rows=self.rows,
            view=() if place is None else (self.views[place].scaling, self.views[place].kind),
            cdf=cdf,
            alpha=self.settings.alpha,
            left_out=tuple(self.left_out),
            candidates=self.settings.candidates,
            most_possible=most_possible(self.n_rows, _n_distinct(self.X)),
        )

    def _tree(self, place: int, *, separated: bool) -> MergeTree | None:
        """Return the merges of a view down to one cluster.

        Of separated clusters they are those of the test; else those of the tree of the view.
        """
        cuts = self.views[place].cuts
        if not cuts:
            return None
        start = self._start(place) if separated else cuts[max(cuts)]
        seams = Seams(self._graph(place), start)
        leaves = seams.labels.copy()
        if separated:
            merges = seams.merge(self.settings.alpha)
            merges += seams.merge_all(self.settings.alpha)
        else:
            merges = _tested(seams, cuts, self.settings.alpha)
        return MergeTree(leaves, tuple(merges), self.settings.alpha)


def _n_distinct(X: Any) -> int:
    """Return the number of distinct rows."""
    if issparse(X):
        rows = X.tocsr(copy=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        spans = list(pairwise(rows.indptr.tolist()))
        return len({(rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in spans})
    # Adding nothing makes -0.0 the same as 0.0.
    return len({row.tobytes() for row in np.asarray(X) + 0.0})


def _tested(seams: Seams, cuts: dict[int, Array], alpha: float) -> list[Merge]:
    """Return the merges of a tree of nested cuts, each with its p-value."""
    steps = []
    while seams.n_clusters > 1:
        below = cuts.get(seams.n_clusters - 1, np.zeros_like(seams.labels))
        steps.append(seams.join(*joined(seams.labels, below), alpha))
    return steps
