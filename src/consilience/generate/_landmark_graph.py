"""The graph that links rows with landmarks: one search for all members, one cut per member."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.clusterers.internals import Points, lloyd, nearest, random_rows, spread_rows
from consilience.partition import leading_eigenvectors

# Rows that are compared with all landmarks at a time.
_BLOCK = 4_096
# Rows per landmark from which landmarks are made, and rounds of the k-means that makes them.
_ROWS_PER_LANDMARK = 10
_LANDMARK_ROUNDS = 8
# From so many landmarks on, eigenvectors are found in single precision, which is enough for vectors
# that k-means will group, and takes half the time.
_SINGLE_PRECISION = 200
# k-means on embedded rows: its rounds, and the rows it runs on; all rows are labelled afterwards.
_ROUNDS = 20
_ROWS = 20_000
_ROWS_PER_CLUSTER = 200


class Neighbours(NamedTuple):
    """The landmarks nearest to every row, nearest first, and their distances, (n, m) each."""

    near: Array
    distance: Array

    @property
    def n_rows(self) -> int:
        """Return n."""
        return len(self.near)

    def blocks(self) -> list["Neighbours"]:
        """Cut the rows into blocks of a fixed size."""
        starts = range(0, self.n_rows, _BLOCK)
        return [Neighbours(*(part[s : s + _BLOCK] for part in self)) for s in starts]


class Cut(NamedTuple):
    """What a member needs to label rows.

    landmarks  (p,) places of its landmarks, ascending
    scale      width of the affinity; 0 = every row has its own
    table      (p, k) coordinates of the landmarks in the space of the leading vectors
    centres    (K, k) centres of the clusters in that space
    n_links    landmarks that a row is linked with
    """

    landmarks: Array
    scale: float
    table: Array
    centres: Array
    n_links: int


def make_landmarks(points: Points, n_landmarks: int, rng: np.random.Generator) -> Array:
    """Return landmarks (P, d), centres of k-means on a sample of the rows; fewer if rows repeat."""
    n_sampled = min(points.n_samples, _ROWS_PER_LANDMARK * n_landmarks)
    sample = points
    if n_sampled < points.n_samples:
        rows = np.sort(rng.choice(points.n_samples, n_sampled, replace=False))
        sample = points.take(rows)
    start = random_rows(sample, min(n_landmarks, n_sampled), rng)
    return lloyd(sample, start, max_iter=_LANDMARK_ROUNDS, tol=0.0).centres


def nearest_landmarks(
    points: Points, landmarks: Array, n_kept: int, n_threads: int = 1
) -> Neighbours:
    """Find the landmarks nearest to every row, block by block; bits do not depend on threads."""
    n_kept = min(n_kept, len(landmarks))
    dtype = points.values.dtype
    centres = np.ascontiguousarray(landmarks - points.offset, dtype=dtype)
    half = np.einsum("lf,lf->l", centres, centres) / dtype.type(2)
    found = Neighbours(
        np.zeros(
            (points.n_samples, n_kept), dtype=np.uint16 if len(centres) < 2**16 else np.uint32
        ),
        np.empty((points.n_samples, n_kept), dtype=np.float32),
    )

    def search(start: int) -> None:
        from consilience._kernels._landmarks import exact_distances, keep_nearest

        rows = slice(start, start + _BLOCK)
        products = np.ascontiguousarray(points.values[rows] @ centres.T)
        near, distance = found.near[rows], found.distance[rows]
        keep_nearest(products, half, points.squares[rows], near, distance)
        if not points.is_sparse:
            exact_distances(points.values[rows], centres, near, distance)

    starts = range(0, points.n_samples, _BLOCK)
    if n_threads == 1:
        for start in starts:
            search(start)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(search, starts))
    return found


def cut_graph(
    neighbours: Neighbours,
    landmarks: Array,
    chosen: Array,
    *,
    n_clusters: int,
    n_links: int,
    local: bool,
    rng: np.random.Generator,
) -> Cut:
    """Cut the graph of rows and the chosen landmarks into clusters (transfer cut, k-means on rows)."""
    from consilience._kernels._landmarks import add_affinities, mean_distance

    scale = 0.0
    if not local:
        place_of = _places(chosen, len(landmarks))
        scale = max(float(mean_distance(*neighbours, place_of, n_links)), 1e-300)
    cut = Cut(chosen, scale, np.empty((0, 0)), np.empty((0, 0)), n_links)
    links = _Links(landmarks, cut)
    similarity = np.zeros((len(chosen), len(chosen)))
    for block in neighbours.blocks():
        add_affinities(*links.of(block), similarity)
    # A landmark that is not among the nearest ones of any row has no links.
    degree = similarity.sum(axis=1)
    root = np.where(degree > 0, 1 / np.sqrt(np.where(degree > 0, degree, 1.0)), 0.0)
    scaled = root[:, None] * similarity * root
    if len(chosen) >= _SINGLE_PRECISION:
        scaled = scaled.astype(np.float32)
    _, vectors = leading_eigenvectors(scaled, n_clusters)
    table = np.ascontiguousarray(root[:, None] * vectors, dtype=np.float32)
    # Rows are scaled to length one later; this keeps single precision away from its limits.
    table /= max(float(np.abs(table).max()), 1e-30)
    cut = cut._replace(table=table)
    rows = _embedded(_some_rows(neighbours, n_clusters, rng), links, cut)
    points = Points.at_origin(rows, np.zeros(rows.shape[1], dtype=rows.dtype))
    start = spread_rows(points, min(n_clusters, len(rows)), rng)
    return cut._replace(centres=lloyd(points, start, max_iter=_ROUNDS, tol=1e-4).centres)


def label_rows(neighbours: Neighbours, landmarks: Array, cut: Cut) -> Array:
    """Label rows by the nearest centre of a cut, block by block; int32."""
    links = _Links(landmarks, cut)
    labels = np.empty(neighbours.n_rows, dtype=np.int32)
    for block, start in zip(neighbours.blocks(), range(0, neighbours.n_rows, _BLOCK), strict=True):
        rows = _embedded(block, links, cut)
        points = Points.at_origin(rows, np.zeros(rows.shape[1], dtype=rows.dtype))
        labels[start : start + _BLOCK] = nearest(points, cut.centres)
    return labels


def _places(chosen: Array, n_landmarks: int) -> Array:
    place_of = np.full(n_landmarks, -1, dtype=np.int32)
    place_of[chosen] = np.arange(len(chosen), dtype=np.int32)
    return place_of


class _Links:
    """Links of rows with the landmarks of a member."""

    def __init__(self, landmarks: Array, cut: Cut) -> None:
        self._landmarks = landmarks
        self._cut = cut
        self._place_of = _places(cut.landmarks, len(landmarks))
        # Few rows have none of the member's landmarks among their nearest ones, so it is made if needed.
        self._instead = np.empty(0, dtype=np.int32)

    def of(self, neighbours: Neighbours) -> tuple[Array, Array, Array]:
        """Return links, shares and total affinity of rows."""
        from consilience._kernels._landmarks import link_rows

        cut = self._cut
        shape = (neighbours.n_rows, min(cut.n_links, len(cut.landmarks)))
        parts = np.empty(shape, np.int32), np.empty(shape), np.empty(shape[0])
        n_without = link_rows(*neighbours, self._place_of, self._instead, cut.scale, *parts)
        if n_without and not len(self._instead):
            self._instead = _nearest_chosen(self._landmarks, cut.landmarks)
            link_rows(*neighbours, self._place_of, self._instead, cut.scale, *parts)
        return parts


def _nearest_chosen(landmarks: Array, chosen: Array) -> Array:
    """Return for every landmark the place of the nearest one among those chosen."""
    centres = landmarks - landmarks.mean(axis=0)
    own = centres[chosen]
    gaps = np.einsum("lf,lf->l", own, own) / 2 - centres @ own.T
    nearest_one: Array = gaps.argmin(axis=1).astype(np.int32)
    return nearest_one


def _embedded(neighbours: Neighbours, found: _Links, cut: Cut) -> Array:
    from consilience._kernels._landmarks import embed_rows

    links, shares, _ = found.of(neighbours)
    rows = np.empty((neighbours.n_rows, cut.table.shape[1]), dtype=cut.table.dtype)
    embed_rows(links, shares, cut.table, rows)
    return rows


def _some_rows(neighbours: Neighbours, n_clusters: int, rng: np.random.Generator) -> Neighbours:
    n_wanted = max(_ROWS, _ROWS_PER_CLUSTER * n_clusters)
    if neighbours.n_rows <= n_wanted:
        return neighbours
    chosen = np.sort(rng.choice(neighbours.n_rows, n_wanted, replace=False))
    return Neighbours(*(part[chosen] for part in neighbours))
