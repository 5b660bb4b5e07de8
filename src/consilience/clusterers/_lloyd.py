"""k-means from given centres, for many runs on the same data.

Dense data are stored minus their mean, with the squares of their rows, for all runs. An iteration
processes only rows that may change (Hamerly's bounds), compares them with all centres in one BLAS
product per block, and corrects the sums of clusters by the rows that moved. Sums are formed per block
and added in row order, so that results do not depend on the number of threads.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from consilience._utils._types import Array

# Maximum number of entries and of rows of a block.
_BLOCK_SIZE = 2**20
_BLOCK_ROWS = 16_384
# Number of distances per iteration up to which one compiled loop is faster than bounds and BLAS.
_SMALL = 250_000
# Number of rows per draw in the search for distinct rows.
_DRAWN = 256


class Points(NamedTuple):
    """Rows of the data minus `offset`, and their squares; the offset of sparse data is zero."""

    values: Any
    offset: Array
    squares: Array

    @classmethod
    def of(cls, X: Any, offset: Array | None = None) -> "Points":
        """Prepare data; without an offset, dense data are centred.

        Centring does not change Euclidean distances, but |c|^2 - 2 x.c loses digits far from the origin.
        """
        if sparse.issparse(X):
            return cls.at_origin(X, np.zeros(X.shape[1], X.dtype))
        if offset is None:
            offset = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
        return cls.at_origin(np.ascontiguousarray(X - offset), offset)

    @classmethod
    def at_origin(cls, values: Any, offset: Array) -> "Points":
        """Create an object from rows from which the offset was subtracted."""
        if sparse.issparse(values):
            return cls(values, offset, np.asarray(values.multiply(values).sum(axis=1)).ravel())
        return cls(values, offset, np.einsum("if,if->i", values, values))

    @property
    def is_sparse(self) -> bool:
        """Whether the rows are those of a sparse matrix."""
        return bool(sparse.issparse(self.values))

    @property
    def n_samples(self) -> int:
        """Return n."""
        return int(self.values.shape[0])

    def take(self, rows: Array) -> "Points":
        """Select rows; repeated rows are allowed."""
        return Points(self.values[rows], self.offset, self.squares[rows])

    def columns(self, places: Array) -> "Points":
        """Keep some columns."""
        values = self.values[:, places]
        if not self.is_sparse:
            values = np.ascontiguousarray(values)
        return Points.at_origin(values, self.offset[places])

    def times(self, multipliers: Array) -> "Points":
        """Multiply every column by a number."""
        if self.is_sparse:
            values = sparse.csr_matrix(self.values.multiply(multipliers))
        else:
            values = self.values * multipliers
        return Points.at_origin(values, self.offset * multipliers)

    def rows(self, places: Array) -> Array:
        """Return some rows minus the offset, as a dense array."""
        chosen = self.values[places]
        return np.asarray(chosen.toarray()) if self.is_sparse else chosen


class Run(NamedTuple):
    """Centres (K, d) in the coordinates of the data, and the state of convergence."""

    centres: Array
    n_iter: int
    converged: bool


def random_rows(points: Points, n_clusters: int, rng: np.random.Generator) -> Array:
    """Draw K distinct rows uniformly; all distinct rows if there are fewer."""
    places = rng.choice(points.n_samples, size=n_clusters, replace=False)
    rows = points.rows(places)
    if len(np.unique(rows, axis=0)) == n_clusters:
        return rows
    # Repeated rows: continue until K rows are distinct.
    order = np.concatenate([places, rng.permutation(points.n_samples)])
    seen: dict[bytes, int] = {}
    for start in range(0, len(order), _DRAWN):
        block = order[start : start + _DRAWN]
        # Adding zero turns -0.0, which has other bytes, into 0.0.
        for row, place in zip(points.rows(block) + 0.0, block, strict=True):
            seen.setdefault(row.tobytes(), int(place))
        if len(seen) >= n_clusters:
            break
    return points.rows(np.array(list(seen.values())[:n_clusters]))


def spread_rows(points: Points, n_clusters: int, rng: np.random.Generator) -> Array:
    """Draw K rows by k-means++: with probabilities proportional to squared distances.

    Fewer if there are fewer distinct rows.
    """
    places = [int(rng.integers(points.n_samples))]
    squares = points.squares
    nearest_square = np.full(points.n_samples, np.inf)
    while len(places) < n_clusters:
        row = points.rows(np.array(places[-1:]))[0]
        gap = squares - 2 * (points.values @ row) + squares[places[-1]]
        nearest_square = np.minimum(nearest_square, np.maximum(gap, 0.0))
        # Rounding must not give rows identical to a drawn one a positive probability.
        nearest_square[nearest_square < 1e-10 * max(float(squares.max()), 1e-300)] = 0.0
        total = np.cumsum(nearest_square, dtype=np.float64)
        if total[-1] <= 0:
            break
        place = int(np.searchsorted(total, rng.random() * total[-1], side="right"))
        places.append(min(place, points.n_samples - 1))
    return points.rows(np.array(places))


def lloyd(points: Points, start: Array, *, max_iter: int, tol: float, n_threads: int = 1) -> Run:
    """Run k-means from the centres `start`, given as `Points.rows` gives rows.

    It ends when no label changes, when the squared moves of the centres sum to at most `tol` times the
    mean variance of the columns (as in scikit-learn; not if `tol` is 0), or after `max_iter` rounds. An
    empty cluster is restarted at the row that is furthest from its centre.
    """
    if points.is_sparse:
        return _sparse_lloyd(points, start, max_iter, tol)
    if points.values.size * len(start) <= _SMALL:
        return _small_lloyd(points, start, max_iter, tol)
    with ThreadPoolExecutor(n_threads) if n_threads > 1 else nullcontext() as pool:
        state = _State(points, start, map if pool is None else pool.map)
        least_shift, rounding = _least_shifts(points, start, tol)
        n_iter, converged = 0, False
        while n_iter < max_iter and not converged:
            n_iter += 1
            n_changed = state.assign()
            end = least_shift
            if (state.sizes == 0).any():
                n_changed += state.refill()
                end = max(least_shift, rounding)
            shift = state.update_centres()
            converged = n_changed == 0 or shift <= end
    return Run(state.centres + points.offset, n_iter, converged)


def _small_lloyd(points: Points, start: Array, max_iter: int, tol: float) -> Run:
    from consilience._kernels._lloyd import small_run

    centres = np.array(start, dtype=np.float64, order="C")
    labels = np.full(points.n_samples, -1, dtype=np.int32)
    least_shift, rounding = _least_shifts(points, start, tol)
    # The kernel computes in float64 anyway; the copy saves the compilation for another type.
    values = points.values.astype(np.float64, copy=False)
    n_iter, converged = small_run(values, centres, labels, max_iter, least_shift, rounding)
    return Run(centres.astype(points.values.dtype) + points.offset, n_iter, converged)


def nearest(points: Points, centres: Array) -> Array:
    """Label every row by its nearest centre, centres in the coordinates of the data; int32."""
    from consilience._kernels._lloyd import nearest_rows

    if points.is_sparse:
        from sklearn.metrics import pairwise_distances_argmin

        found: Array = pairwise_distances_argmin(points.values, centres).astype(np.int32)
        return found
    labels = np.full(points.n_samples, -1, dtype=np.int32)
    near = np.ascontiguousarray(centres - points.offset, dtype=points.values.dtype)
    half = _half_squares(near)
    for rows in _blocks(points.values):
        nearest_rows(near @ points.values[rows].T, half, labels[rows])
    return labels


def inertia(points: Points, centres: Array, labels: Array) -> float:
    """Sum of squared distances of dense rows to the centre of their label."""
    from consilience._kernels._lloyd import squared_distances

    distances = np.empty(points.n_samples)
    squared_distances(points.values, centres - points.offset, labels, distances)
    return float(distances.sum())


class _State:
    """Labels, bounds, sums and centres of one run."""

    def __init__(self, points: Points, start: Array, run: Any) -> None:
        values, n_samples = points.values, points.n_samples
        self.points = points
        self.run = run
        self.centres = np.array(start, dtype=values.dtype, order="C")
        self.labels = np.full(n_samples, -1, dtype=np.int32)
        self.sums = np.zeros(self.centres.shape)
        self.sizes = np.zeros(len(self.centres), dtype=np.int64)
        self.blocks = _blocks(values)
        self.buffers: list[_Buffers] = []
        self.upper = np.full(n_samples, np.inf, dtype=values.dtype)
        self.lower = np.zeros(n_samples, dtype=values.dtype)
        self.behind = self.centres

    def assign(self) -> int:
        """Assign every row to its nearest centre; return how many moved."""
        moves = _Moves.of(self.behind, self.centres)
        self.behind = self.centres.copy()
        n_changed = 0
        for sums, sizes, changed in self.run(partial(self._one_block, moves=moves), self.blocks):
            if changed:
                self.sums += sums
                self.sizes += sizes
                n_changed += changed
        return n_changed

    def _one_block(self, block: slice, moves: "_Moves") -> tuple[Array, Array, int]:
        from consilience._kernels._lloyd import collect_rows, settle_rows

        values, squares = self.points.values[block], self.points.squares[block]
        labels, upper, lower = self.labels[block], self.upper[block], self.lower[block]
        buffers = (
            self.buffers.pop() if self.buffers else _Buffers.of(self.centres, self.blocks[0].stop)
        )
        count = collect_rows(
            values, labels, upper, lower, moves.bounds, buffers.places, buffers.rows
        )
        products = buffers.take(len(self.centres), count)
        np.matmul(self.centres, buffers.rows[:count].T, out=products)
        sums, sizes = np.zeros_like(self.sums), np.zeros_like(self.sizes)
        changed = settle_rows(
            products, moves.half, moves.scale, values, squares, buffers.places[:count],
            labels, upper, lower, sums, sizes,
        )  # fmt: skip
        self.buffers.append(buffers)
        return sums, sizes, changed

    def refill(self) -> int:
        """Move empty centres, one after the other, to the row furthest from its centre."""
        from consilience._kernels._lloyd import squared_distances

        n_changed = 0
        distances = np.empty(self.points.n_samples)
        for _ in range(len(self.centres)):
            empty = np.flatnonzero(self.sizes == 0)
            squared_distances(self.points.values, self.centres, self.labels, distances)
            furthest = int(np.argmax(distances))
            if len(empty) == 0 or distances[furthest] == 0:
                break
            self.centres[empty[0]] = self.points.values[furthest]
            n_changed += self.assign()
        return n_changed

    def update_centres(self) -> float:
        """Move every centre to the mean of its rows; return the sum of squared moves."""
        filled = self.sizes > 0
        following = self.centres.astype(np.float64)
        following[filled] = self.sums[filled] / self.sizes[filled, None]
        shift = float(((following - self.centres) ** 2).sum())
        self.centres = following.astype(self.centres.dtype)
        return shift


class _Buffers(NamedTuple):
    """Reusable memory for one block, since allocation for every block would double the time."""

    places: Array
    rows: Array
    products: Array

    @classmethod
    def of(cls, centres: Array, n_rows: int) -> "_Buffers":
        n_clusters, n_columns = centres.shape
        rows = np.empty((n_rows, n_columns), dtype=centres.dtype)
        products = np.empty(n_clusters * n_rows, dtype=centres.dtype)
        return cls(np.empty(n_rows, dtype=np.int64), rows, products)

    def take(self, n_clusters: int, n_rows: int) -> Array:
        """Return a matrix for products."""
        return self.products[: n_clusters * n_rows].reshape(n_clusters, n_rows)


class _Moves(NamedTuple):
    """Movements and distances of the centres for the bounds, rounded to the safe side."""

    bounds: Array
    half: Array
    scale: Array

    @classmethod
    def of(cls, behind: Array, centres: Array) -> "_Moves":
        dtype = centres.dtype
        rounding = float(np.finfo(dtype).eps)
        wide = centres.astype(np.float64)
        drift = np.linalg.norm(wide - behind, axis=1)
        others = np.full(len(drift), drift.max())
        others[drift.argmax()] = np.partition(drift, -2)[-2] if len(drift) > 1 else 0.0
        squares = np.einsum("kf,kf->k", wide, wide)
        sums = squares[:, None] + squares
        between = (1 - 1e-12) * sums - 2 * wide @ wide.T
        np.fill_diagonal(between, np.inf)
        gaps = np.sqrt(np.maximum(between.min(axis=1), 0)) / 2
        away = 4 * rounding
        bounds = np.array([drift * (1 + away), others * (1 + away), gaps * (1 - away)], dtype=dtype)
        # The error of a product of d numbers is at most d roundings of |x| |c|.
        error = 4 * (centres.shape[1] + 4) * rounding
        return cls(bounds, _half_squares(centres), np.array([squares.max(), error], dtype=dtype))


def _blocks(values: Array) -> list[slice]:
    """Cut the rows by the shape of the data alone."""
    size = min(_BLOCK_ROWS, max(256, _BLOCK_SIZE // values.shape[1]))
    return [slice(first, min(first + size, len(values))) for first in range(0, len(values), size)]


def _half_squares(centres: Array) -> Array:
    half: Array = np.einsum("kf,kf->k", centres, centres) / centres.dtype.type(2)
    return half


def _least_shifts(points: Points, start: Array, tol: float) -> tuple[float, float]:
    """Return the sums of squared moves at which a run ends: in any round, and after a restarted cluster.

    -1: at none. If `tol` is 0, labels alone decide, but where there are fewer distinct rows than
    clusters, rounding errors would restart clusters, and change labels of equal rows, in every round.
    """
    if tol == 0:
        largest = float(points.squares.max(initial=0.0))
        error = 4 * float(np.finfo(points.values.dtype).eps)
        return -1.0, len(start) * error**2 * largest
    # tol times the mean over the columns of their variances.
    mean = points.values.mean(axis=0, dtype=np.float64)
    total = points.squares.sum(dtype=np.float64) / points.n_samples - mean @ mean
    return tol * (max(float(total), 0.0) / int(points.values.shape[1])), -1.0


def _sparse_lloyd(points: Points, start: Array, max_iter: int, tol: float) -> Run:
    from sklearn.base import clone
    from sklearn.cluster import KMeans

    model = KMeans(len(start), init=start, n_init=1, max_iter=max_iter, tol=tol)
    model.fit(points.values)
    converged = int(model.n_iter_) < max_iter
    if not converged:
        # The last round may have been the one that converges; scikit-learn does not say.
        longer = clone(model).set_params(max_iter=max_iter + 1).fit(points.values)
        converged = int(longer.n_iter_) <= max_iter
    return Run(model.cluster_centers_, int(model.n_iter_), converged)
