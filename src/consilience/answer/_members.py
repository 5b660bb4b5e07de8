"""Clusterings of several kinds, in several scalings of the columns, of the rows that are judged.

A kind makes clusterings at a number of clusters itself, or has a tree that is cut, or both: trees alone
lose clusters that overlap, and clusterings made at every number alone lose clusters of odd shape.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.neighbors import NearestNeighbors

from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.clusterers.internals import Points, lloyd, nearest
from consilience.consensus import LWCL
from consilience.consensus.internals import untold
from consilience.ensemble import Ensemble
from consilience.generate.internals import Rows, fit_mixture, likeliest, one_thread

# Noise of this size, relative to the spread of the data, so that equal rows have an order.
_JITTER = 1e-9


class Scale:
    """A scaling of the columns, reduced to few axes if there are many; learned from some rows."""

    def __init__(self, name: str | None, X: Any) -> None:
        self.columns = Rows(name, X)
        self.name = self.columns.name
        scaled = self.columns(X)
        self._axes: Any = None
        if sparse.issparse(scaled) or scaled.shape[1] > settings.MANY_COLUMNS:
            make = TruncatedSVD if sparse.issparse(scaled) else PCA
            n_axes = max(1, min(settings.AXES, min(scaled.shape) - 1))
            self._axes = make(n_axes, random_state=0).fit(scaled)

    def __call__(self, X: Any) -> Array:
        """Return rows as kinds see them, (n, d) float64."""
        scaled = self.columns(X)
        if self._axes is not None:
            scaled = self._axes.transform(scaled)
        return np.ascontiguousarray(scaled, dtype=np.float64)


class Member(NamedTuple):
    """A clustering of the judged rows.

    kind    place of its kind in KIND_NAMES
    scale   place of its scaling
    labels  (n,) int32, every number up to the largest occurs
    rule    labels rows that are scaled alike; None: a row has the label of the nearest judged row
    """

    kind: int
    scale: int
    labels: Array
    rule: "NearestCentre | LikeliestComponent | None" = None


class NearestCentre(NamedTuple):
    """Label rows by the nearest of some centres, (k, d)."""

    centres: Array

    def __call__(self, rows: Array) -> Array:
        """Return int32 labels."""
        return nearest(Points.of(rows, self.centres[0]), self.centres)


class LikeliestComponent(NamedTuple):
    """Label rows by the components of a mixture that won any row, numbered by `number_of`."""

    table: Array
    offset: Array
    number_of: Array
    diagonal: bool

    def __call__(self, rows: Array) -> Array:
        """Return int32 labels."""
        chosen = likeliest(rows - self.offset, self.table, diagonal=self.diagonal)
        labels: Array = self.number_of[chosen]
        return labels


class Kind(NamedTuple):
    """The clusterings of one kind in one scaling.

    name    place in KIND_NAMES
    scale   place of the scaling
    make    from a number of clusters, a member; None if the kind cannot
    made    the members that were made, one for every number on the grid
    merges  a tree as SciPy writes it, and the leaf of every row; None if there is no tree
    """

    name: int
    scale: int
    make: "_KMeans | _Spectral | None" = None
    made: Sequence[Member] = ()
    merges: Array | None = None
    leaves: Array | None = None

    def members(self, numbers: Sequence[int]) -> list[Member]:
        """Return what was made on the grid, or is made now, and the cuts of the tree."""
        known = {int(one.labels.max()) + 1: one for one in self.made}
        made = [known.get(k) or self.make(k) for k in numbers] if self.make is not None else []
        return made + self.cuts(numbers)

    def cuts(self, numbers: Iterable[int]) -> list[Member]:
        """Return the cuts of the tree."""
        if self.merges is None or self.leaves is None:
            return []
        cuts = cut_tree(self.merges, self.leaves, numbers)
        return [Member(self.name, self.scale, labels) for labels in cuts]


# Kinds by place; mixtures are made only at a number in question.
KMEANS, LOCAL, GLOBAL, EVEN_TREE, MIXTURE, DIAGONAL, NAMED = range(7)
KIND_NAMES = (
    "k-means", "local spectral", "global spectral", "even tree", "mixture", "diagonal mixture",
    "as named",
)  # fmt: skip


class Seen(NamedTuple):
    """The judged rows in one scaling: (n, d), and the nearest neighbours of every row."""

    rows: Array
    distances: Array
    neighbours: Array


def see(rows: Array, n_neighbours: int) -> Seen:
    """Find the nearest neighbours of every row, without the row itself."""
    noise = np.random.default_rng(0).standard_normal(rows.shape)
    rows = rows + _JITTER * (rows.std() or 1.0) * noise
    n = len(rows)
    with one_thread():
        search = NearestNeighbors(n_neighbors=min(n_neighbours + 1, n)).fit(rows)
        distances, found = search.kneighbors(rows)
    # The row itself need not come first among nearly equal rows.
    is_self = found == np.arange(n)[:, None]
    is_self[~is_self.any(axis=1), -1] = True
    shape = n, found.shape[1] - 1
    return Seen(rows, distances[~is_self].reshape(shape), found[~is_self].reshape(shape))


def grid_for(n_rows: int) -> list[int]:
    """Return the numbers of clusters for which clusterings of so many rows are made."""
    most = max(settings.FEWEST, n_rows // settings.ROWS_PER_CLUSTER)
    return [k for k in settings.GRID if k <= most and k < n_rows]


def kinds_of(seen: Sequence[Seen], random_state: int, n_threads: int) -> list[Kind]:
    """Make the kinds in every scaling, with members on the grid and trees."""
    tasks = [
        (make, view, scale, random_state)
        for scale, view in enumerate(seen)
        for make in (_local, _global, _kmeans, _even_tree)
    ]
    with ThreadPoolExecutor(n_threads) as pool, one_thread():
        return list(pool.map(_run, tasks))


def _run(task: Any) -> Kind:
    make, view, scale, random_state = task
    with one_thread():
        found: Kind = make(view, scale, random_state)
    return found


def _kmeans(seen: Seen, scale: int, random_state: int) -> Kind:
    return _with_tree(
        _KMeans(KMEANS, scale, Points.of(seen.rows), random_state), grid_for(len(seen.rows))
    )


def _local(seen: Seen, scale: int, random_state: int) -> Kind:
    vectors = _eigenvectors(seen, _width(seen))
    return _with_tree(_Spectral(LOCAL, scale, vectors, random_state), grid_for(len(seen.rows)))


def _global(seen: Seen, scale: int, random_state: int) -> Kind:
    width = _width(seen)
    vectors = _eigenvectors(seen, np.full(len(width), width.mean()))
    return _with_tree(_Spectral(GLOBAL, scale, vectors, random_state), grid_for(len(seen.rows)))


def _width(seen: Seen) -> Array:
    return seen.distances[:, min(settings.WIDTH_NEIGHBOUR, seen.distances.shape[1]) - 1]


def _even_tree(seen: Seen, scale: int, random_state: int) -> Kind:  # noqa: ARG001
    from consilience._kernels._spanning_tree import even_merges, spanning_tree

    core = seen.distances[:, min(settings.CORE_NEIGHBOUR, seen.distances.shape[1]) - 1]
    edges, lengths = spanning_tree(seen.rows, np.ascontiguousarray(core))
    ordered = np.ascontiguousarray(edges[np.argsort(lengths, kind="stable")])
    merges = even_merges(ordered, settings.MOST_UNEQUAL)
    return Kind(EVEN_TREE, scale, merges=merges, leaves=np.arange(len(seen.rows)))


class _KMeans(NamedTuple):
    """Make clusterings by k-means, from numbers of clusters."""

    kind: int
    scale: int
    points: Points
    random_state: int

    def __call__(self, k: int) -> Member:
        rng = np.random.default_rng([self.random_state, self.kind, self.scale, k])
        labels, centres = kmeans(self.points, k, rng)
        return Member(self.kind, self.scale, labels, NearestCentre(centres))


class _Spectral(NamedTuple):
    """Make clusterings by k-means on the first eigenvectors, rows of length one."""

    kind: int
    scale: int
    vectors: Array
    random_state: int

    def __call__(self, k: int) -> Member:
        axes = self.vectors[:, :k]
        axes = axes / np.maximum(np.linalg.norm(axes, axis=1), 1e-12)[:, None]
        rng = np.random.default_rng([self.random_state, self.kind, self.scale, k])
        return Member(self.kind, self.scale, kmeans(Points.of(axes), k, rng)[0])


def _with_tree(make: _KMeans | _Spectral, grid: Sequence[int]) -> Kind:
    """Make a member at every number, and the tree of their consensus."""
    made = [make(k) for k in grid]
    kind = with_tree(make.kind, make.scale, [one.labels for one in made])
    return kind._replace(make=make, made=made)


def with_tree(name: int, scale: int, labels: Sequence[Array]) -> Kind:
    """Return a kind with the tree of the consensus of some clusterings."""
    if len(labels) < 2:
        return Kind(name, scale)
    with untold():
        tree = LWCL(n_clusters=1).fit(Ensemble(np.stack(labels, axis=1)))
    return Kind(name, scale, merges=tree.linkage_matrix_, leaves=tree.profile_of_)


def mixtures(seen: Sequence[Seen], n_clusters: int, random_state: int) -> list[Member]:
    """Fit Gaussian mixtures with so many components, from k-means on; those that rows suffice for."""
    found = []
    for scale, view in enumerate(seen):
        points = Points.of(view.rows)
        n, d = view.rows.shape
        start = None
        for kind, columns in ((MIXTURE, d + 2), (DIAGONAL, 2)):
            if n < n_clusters * (columns + 1):
                continue
            rng = np.random.default_rng([random_state, kind, scale, n_clusters])
            if start is None:
                start = kmeans(points, n_clusters, rng)[0]
            is_diagonal = kind == DIAGONAL
            mixture = fit_mixture(
                points.values, n_clusters, rng, start=start, diagonal=is_diagonal,
                max_iter=settings.MIXTURE_ROUNDS, tol=1e-3,
            )  # fmt: skip
            labels = likeliest(points.values, mixture.table, diagonal=is_diagonal)
            number_of = np.zeros(mixture.table.shape[1], dtype=np.int32)
            number_of[np.unique(labels)] = np.arange(len(np.unique(labels)))
            rule = LikeliestComponent(mixture.table, points.offset, number_of, is_diagonal)
            found.append(Member(kind, scale, number_of[labels], rule))
    return found


def kmeans(points: Points, n_clusters: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return labels and centres of one run of k-means."""
    start = _spread_starts(points, n_clusters, rng)
    run = lloyd(points, start, max_iter=settings.KMEANS_ROUNDS, tol=1e-4)
    labels = nearest(points, run.centres)
    kept = np.unique(labels)
    return _numbered(labels), run.centres[kept]


def _spread_starts(points: Points, n_clusters: int, rng: np.random.Generator) -> Array:
    """Draw rows by greedy k-means++: of some rows drawn, the one that leaves the least distance."""
    values, squares = points.values, points.squares
    chosen = [int(rng.integers(len(values)))]
    left = np.maximum(squares - 2 * (values @ values[chosen[0]]) + squares[chosen[0]], 0.0)
    n_drawn = 2 + int(np.log(n_clusters))
    while len(chosen) < n_clusters:
        total = np.cumsum(left)
        if total[-1] <= 0:
            break
        drawn = np.searchsorted(total, rng.random(n_drawn) * total[-1], side="right")
        drawn = np.minimum(drawn, len(values) - 1)
        gaps = squares[:, None] - 2 * (values @ values[drawn].T) + squares[drawn]
        gaps = np.minimum(left[:, None], np.maximum(gaps, 0.0))
        best = int(gaps.sum(axis=0).argmin())
        chosen.append(int(drawn[best]))
        left = gaps[:, best]
    return np.asarray(values[chosen])


def cut_tree(merges: Array, leaves: Array, numbers: Iterable[int]) -> list[Array]:
    """Cut a tree, as SciPy writes it, at several numbers of clusters; the largest is cut first.

    leaves  (n,) the leaf of every object
    """
    n_leaves = len(merges) + 1
    wanted = {k for k in numbers if 2 <= k <= n_leaves}
    if not wanted:
        return []
    pairs = merges[:, :2].astype(np.int64)
    parent = np.arange(2 * n_leaves - 1)
    n_merged = n_leaves - max(wanted)
    for place in range(n_merged):
        parent[pairs[place]] = n_leaves + place
    # A node is numbered after all below it, so from the top down one step finds every root.
    for node in range(n_leaves + n_merged - 1, -1, -1):
        parent[node] = parent[parent[node]]
    node_of = parent[:n_leaves][leaves]
    cuts = []
    for k in range(max(wanted), 1, -1):
        if k in wanted:
            cuts.append(_numbered(node_of))
        place = n_leaves - k
        node_of[(node_of == pairs[place, 0]) | (node_of == pairs[place, 1])] = n_leaves + place
    return cuts


def _eigenvectors(seen: Seen, width: Array) -> Array:
    """Return the leading eigenvectors of the graph of neighbours, the largest eigenvalue first."""
    k = min(settings.GRAPH_NEIGHBOURS, seen.neighbours.shape[1])
    distances, others = seen.distances[:, :k], seen.neighbours[:, :k].ravel()
    n = len(distances)
    rows = np.repeat(np.arange(n), k)
    width = np.maximum(width, 1e-12 * np.median(distances) + 1e-150)
    weights = np.exp(-(distances.ravel() ** 2) / (width[rows] * width[others]))
    graph = sparse.csr_matrix((weights, (rows, others)), (n, n))
    graph = graph.maximum(graph.T) + 1e-9 * sparse.identity(n)
    root = 1 / np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-12))
    scaled = (sparse.diags(root) @ graph @ sparse.diags(root)).tocsr()
    if n <= 3 * settings.EIGENVECTORS:
        values, vectors = np.linalg.eigh(scaled.toarray())
    else:
        start = np.random.default_rng(0).standard_normal(n)
        values, vectors = eigsh(scaled, settings.EIGENVECTORS, v0=start, which="LA", tol=1e-4)
    order = np.argsort(-values, kind="stable")[: settings.EIGENVECTORS]
    leading: Array = vectors[:, order]
    return leading


def _numbered(labels: Array) -> Array:
    numbered: Array = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    return numbered
