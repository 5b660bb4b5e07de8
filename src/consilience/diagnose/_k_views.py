"""Several views of the data, each with a tree of clusters."""

import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.linalg import ArpackError
from sklearn.base import clone
from sklearn.decomposition import PCA, TruncatedSVD

from consilience._utils._types import Array
from consilience.consensus import LWCL
from consilience.consensus.internals import untold
from consilience.diagnose._fixed_trees import DIFFUSION, MOST_ROWS, fixed_trees
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._spread_values import spread_values
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning, UnsupportedInputError
from consilience.generate import EnsembleGenerator, GaussianMixtures, LandmarkSpectral
from consilience.generate.internals import (
    EvenRange,
    Kind,
    Rows,
    kinds_to_try,
    most_components,
    one_thread,
    scalings_to_try,
)
from consilience.metrics.internals import (
    THETA,
    certain_votes,
    certainties_of_part,
    uncertainty_by_member,
)

# Members of a view: so many for 2,000 objects and more; more for fewer objects, which take less time.
_FEWEST_OF_A_VIEW, _MOST_OF_A_VIEW = 10, 25
# Landmarks of a member; more would take longer and find no more clusters in a sample.
_LANDMARKS = 500
# More columns than this are reduced to so many principal axes.
MANY_COLUMNS = 100
_AXES = 50
# Kinds of members whose clusters may have any shape; borders are tested in their trees.
_ANY_SHAPE = ("local landmarks", "global landmarks", "mixture")
# Counts have scalings of their own, and are not spread.
_OF_COUNTS = {"counts", "log-counts"}
# Support is asked of members that see at least as many clusters, or of so many of the finest ones.
_FEWEST_MEMBERS = 3


@dataclass(frozen=True)
class KView:
    """One way of looking at the data: a scaling, a kind of members, their labels, and a tree of them.

    Attributes
    ----------
    scaling, kind : str
        How the columns are scaled, and what the members are.
    graph : NeighbourGraph or None
        The data as members see them, on at most 50 axes, with links; None if they are not known.
    ensemble : Ensemble or None
        The members; None for a tree that is made of the data themselves.
    cuts : dict of int -> array (n,)
        The tree of the members (LWCL), or of the data, cut into every number of clusters.
    any_shape : bool
        Whether clusters may have any shape.
    """

    scaling: str
    kind: str
    graph: NeighbourGraph | None
    ensemble: Ensemble | None
    cuts: dict[int, Array]
    any_shape: bool

    @cached_property
    def _supports(self) -> dict[int, float]:
        return {}

    @cached_property
    def _certainties(self) -> dict[int, Array]:
        return {}

    @cached_property
    def _uncertainty(self) -> Array:
        assert self.ensemble is not None  # noqa: S101 - only members have support
        return uncertainty_by_member(self.ensemble)

    def support(self, n_clusters: int) -> float:
        """Return the confidence, corrected for chance, of members with at least as many clusters.

        Members with fewer clusters join some of them, and would lower the support of every large k.
        A tree without members has no support, NaN.
        """
        if self.ensemble is None:
            return float("nan")
        if n_clusters not in self._supports:
            self._supports[n_clusters] = self._support(self.ensemble, n_clusters)
        return self._supports[n_clusters]

    def prepare(self, candidates: Iterable[int]) -> None:
        """Compute the support of every candidate that the tree is cut into, and keep it."""
        for n_clusters in candidates:
            if n_clusters in self.cuts:
                self.support(n_clusters)

    def _support(self, ensemble: Ensemble, n_clusters: int) -> float:
        enough = int(np.count_nonzero(ensemble.n_clusters >= n_clusters))
        n_asked = min(max(enough, _FEWEST_MEMBERS), ensemble.n_members)
        if n_asked not in self._certainties:
            asked = np.zeros(ensemble.n_members)
            asked[np.argsort(-ensemble.n_clusters, kind="stable")[:n_asked]] = 1
            self._certainties[n_asked] = certainties_of_part(
                ensemble, self._uncertainty, asked, THETA
            )
        codes = self.cuts[n_clusters] + 1
        votes = certain_votes(codes, ensemble, THETA, self._certainties[n_asked])
        return votes.adjusted_confidence


class ScaledRows(NamedTuple):
    """The data in one scaling.

    name   of the scaling
    rows   (n, d) what members see
    few    the same, or many columns on their leading axes; trees are made of them
    even   the same with spread values of columns with few; borders are tested there
    first  whether mixtures are made of them; they do not depend on the scale, so one scaling is enough
    """

    name: str
    rows: Array
    few: Array
    even: Array
    first: bool


def scaled_rows(X: Any, scaling: str | None) -> list[ScaledRows]:
    """Return the data in every scaling that is looked at.

    Of a sparse matrix the rows are those on its leading axes.
    """
    names = scalings_to_try(X, scaling)
    # On axes of many columns the gaps between the values of single columns do not show.
    is_mixed = issparse(X) or X.shape[1] > MANY_COLUMNS or bool(set(names) & _OF_COUNTS)
    even = X if is_mixed else spread_values(X)
    found = []
    for place, name in enumerate(names):
        scaled = Rows(name, X)
        rows = scaled(X)
        few = few_columns(rows)
        found.append(
            ScaledRows(
                scaled.name,
                few if issparse(rows) else rows,
                few,
                few if even is X else scaled(even),
                first=place == 0,
            )
        )
    return found


def make_views(
    scaled: list[ScaledRows],
    *,
    generator: EnsembleGenerator | None,
    most: int,
    finest: int,
    candidates: tuple[int, ...],
    random_state: int,
    n_threads: int,
    advance: Callable[[int], None],
) -> tuple[list[KView], list[str]]:
    """Make every view that can be made of the data; also say which could not be made, and why.

    Members have two to `most` clusters; their trees are cut into two to `finest`. The support of the
    candidates is computed by the threads that make the views.

    A single view could not be compared with others, so it is then made twice with different seeds.
    """
    with one_thread(), ThreadPoolExecutor(n_threads) as pool:
        graphs = list(pool.map(lambda one: NeighbourGraph.of(one.even), scaled))
    jobs: list[_Job] = []
    for (name, rows, few, _, first), graph in zip(scaled, graphs, strict=True):
        jobs += [
            _Job(name, kind, rows, few, graph, random_state)
            for kind in kinds_to_try(generator, first=first)
        ]
        if generator is None:
            jobs.append(_Job(name, None, rows, few, graph, random_state))
    if len(jobs) == 1:
        jobs.append(jobs[0]._replace(random_state=random_state + 1))

    def make(job: _Job) -> list[KView] | Exception:
        try:
            return job.make(most, range(2, max(most, finest) + 1), candidates)
        except (ValueError, ArpackError) as error:
            return error
        finally:
            advance(1)

    # Members that see more clusters than there are distinct rows, or disagree, are expected here.
    with warnings.catch_warnings(), one_thread(), ThreadPoolExecutor(n_threads) as pool:
        warnings.simplefilter("ignore", ConsilienceWarning)
        made = list(pool.map(make, jobs))
    views = [view for found in made if isinstance(found, list) for view in found]
    if not any(view.ensemble is not None for view in views):
        raise next(error for error in made if isinstance(error, Exception))
    left_out = [
        f"{job.scaling}, {job.name}: {error}"
        for job, error in zip(jobs, made, strict=True)
        if isinstance(error, Exception)
    ]
    return views, left_out


class _Job(NamedTuple):
    """Views to make: of one kind of members, or without a kind, the trees of the data themselves."""

    scaling: str
    kind: Kind | None
    rows: Array
    few: Array
    graph: NeighbourGraph
    random_state: int

    @property
    def name(self) -> str:
        return "trees of the data" if self.kind is None else self.kind.name

    def make(self, most: int, numbers: range, candidates: tuple[int, ...]) -> list[KView]:
        """Members have two to `most` clusters; trees are cut into every one of `numbers`.

        The support of the candidates is computed too.
        """
        if self.kind is None:
            return self._trees_of_the_data(numbers)
        ensemble = _members(self.kind, self.rows, most, self.random_state)
        kind = self.kind
        any_shape = kind.name in _ANY_SHAPE or isinstance(kind.generator, EnsembleGenerator)
        cuts = tree_cuts(ensemble, numbers)
        view = KView(self.scaling, kind.name, self.graph, ensemble, cuts, any_shape)
        view.prepare(candidates)
        return [view]

    def _trees_of_the_data(self, numbers: range) -> list[KView]:
        n_rows = len(self.graph.rows)
        if n_rows > MOST_ROWS:
            raise UnsupportedInputError(f"they need at most {MOST_ROWS:,} objects; got {n_rows:,}")
        leaves = np.arange(n_rows)
        graph = self.graph if self.few is self.graph.rows else NeighbourGraph.of(self.few)
        return [
            KView(
                self.scaling,
                kind,
                self.graph,
                None,
                cut_at(merges, leaves, numbers),
                any_shape=kind == DIFFUSION,
            )
            for kind, merges in fixed_trees(graph).items()
        ]


def few_columns(X: Any) -> Array:
    """Reduce many columns, or a sparse matrix, to the leading principal axes."""
    if X.shape[1] <= MANY_COLUMNS and not issparse(X):
        return np.asarray(X)
    n_axes = max(1, min(_AXES, X.shape[0] - 1, X.shape[1] - 1))
    if issparse(X):
        return np.asarray(TruncatedSVD(n_axes, random_state=0).fit_transform(X))
    # Copies of a row stay copies: the last digits of a product depend on the place of the row.
    distinct, row_of = np.unique(X, axis=0, return_inverse=True)
    axes = PCA(n_axes, random_state=0).fit(X)
    if len(distinct) == len(X):
        return np.asarray(axes.transform(X))
    return np.asarray(axes.transform(distinct)[row_of.ravel()])


def tree_cuts(ensemble: Ensemble, numbers: Iterable[int]) -> dict[int, Array]:
    """Cut the tree of an ensemble into every number of clusters that it has; labels of all objects."""
    with untold():  # only the cuts are used, so doubts about one cluster are not needed
        function = LWCL(n_clusters=1).fit(ensemble)
    return cut_at(function.linkage_matrix_, function.profile_of_, numbers)


def cut_at(merges: Array, leaf: Array, numbers: Iterable[int]) -> dict[int, Array]:
    """Cut a tree, as SciPy writes it, at several numbers of clusters; the largest is cut first.

    leaf  (n,) the leaf of every object
    """
    n_leaves = len(merges) + 1
    wanted = {k for k in numbers if k <= n_leaves}
    if not wanted:
        return {}
    parent = np.arange(2 * n_leaves - 1)
    for place, (first, second, *_) in enumerate(merges[: n_leaves - max(wanted)]):
        parent[[int(first), int(second)]] = n_leaves + place
    # A node is numbered after all below it, so from the top down one step finds every root.
    for node in range(2 * n_leaves - 2, -1, -1):
        parent[node] = parent[parent[node]]
    node_of: Array = parent[:n_leaves][leaf]
    cuts = {}
    for k in range(max(wanted), 1, -1):
        if k in wanted:
            cuts[k] = np.unique(node_of, return_inverse=True)[1].astype(np.int32)
        place = n_leaves - k
        first, second = merges[place, :2]
        node_of = np.where((node_of == first) | (node_of == second), n_leaves + place, node_of)
    return cuts


def _members(kind: Kind, rows: Any, most: int, random_state: int) -> Ensemble:
    """Make a few members with two clusters up to many."""
    if isinstance(kind.generator, EnsembleGenerator):
        generator: EnsembleGenerator = clone(kind.generator)
    else:
        assert isinstance(kind.generator, type)  # noqa: S101 - the default kinds are classes
        generator = kind.generator(**kind.parameters)
    if isinstance(generator, GaussianMixtures):
        most = max(2, min(most, most_components(rows.shape, generator.covariance)))
    wanted: dict[str, Any] = {
        "n_members": int(np.clip(20_000 / rows.shape[0], _FEWEST_OF_A_VIEW, _MOST_OF_A_VIEW)),
        "n_clusters": EvenRange(2, most),
        "random_state": random_state,
        "n_jobs": 1,
        "verbose": 0,
    }
    if isinstance(generator, LandmarkSpectral):
        wanted["n_landmarks"] = max(2, min(_LANDMARKS, rows.shape[0] // 3))
    known = generator.get_params(deep=False)
    generator.set_params(**{name: value for name, value in wanted.items() if name in known})
    ensemble = generator.fit(rows).ensemble_
    return Ensemble(ensemble.labels) if ensemble.is_soft else ensemble
