"""The aggregated connectivity matrix M of weighted members, and M as an operator, without storing it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import coo_array, csr_array

from consilience._utils._memory import memory_limit, require_memory
from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints
from consilience.consensus.bregman._divergence import Divergence
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.incidence.internals import ThreadExecutor
from consilience.partition import SymmetricOperator, member_gram

Strip = tuple[int, int]
Tile = tuple[slice, slice]

# Rows and columns of a tile: its entries, its sums and the codes beside it stay in the cache.
TILE_ROWS = 64
TILE_COLUMNS = 2_048
# Points of the grids on which slopes and errors of a mean are computed.
_SLOPE_GRID = 10_001
_ERROR_GRID = 20_001


class FixedPairs(NamedTuple):
    """P pairs of rows that must be together or apart.

    first, second  (P,) the rows
    together       (P,) whether they must be together; else apart
    agreements     (P, r) how far every member puts them together, M_j
    multiplicity   (P,) how often the entry of the pair counts: both orders, times both row weights
    n_rows         rows of M
    """

    first: Array
    second: Array
    together: Array
    agreements: Array
    multiplicity: Array
    n_rows: int

    @classmethod
    def of(cls, ensemble: Ensemble, constraints: Constraints) -> Self:
        """Compute the agreement of the members on the constrained pairs."""
        first, second, together = constraints.pairs()
        require_memory(
            16 * len(first) * ensemble.n_members,
            f"The agreements of {ensemble.n_members} members on {len(first)} constrained pairs",
            "Give fewer labelled objects or pairs.",
        )
        multiplicity = np.full(len(first), 2.0)
        if ensemble.sample_weight is not None:
            multiplicity *= ensemble.sample_weight[first] * ensemble.sample_weight[second]
        agreements = _agreements(ensemble, first, second)
        return cls(first, second, together, agreements, multiplicity, ensemble.n_samples)

    def __bool__(self) -> bool:
        """Whether there are any pairs."""
        return len(self.first) > 0

    def matrix(self, values: Array) -> csr_array:
        """Return a symmetric (n, n) matrix with the values at the pairs."""
        rows = np.concatenate([self.first, self.second])
        columns = np.concatenate([self.second, self.first])
        both = np.concatenate([values, values])
        return coo_array((both, (rows, columns)), (self.n_rows, self.n_rows)).tocsr()


def _agreements(ensemble: Ensemble, first: Array, second: Array) -> Array:
    chosen = np.zeros(ensemble.n_samples, dtype=bool)
    chosen[first] = chosen[second] = True
    # Only the rows of the pairs are read.
    rows, place = ensemble.incidence.stored_rows(chosen), np.cumsum(chosen) - 1
    left, right = rows[place[first]], rows[place[second]]
    if ensemble.is_soft:
        return ensemble.layout.sum_by_member(left.astype(np.float64) * right, axis=1)
    agree: Array = (left == right) & (left > 0)
    return agree.astype(np.float64)


class Evaluation(NamedTuple):
    """M at given weights.

    objective  sum_j w_j D(M, M_j)
    costs      (r,) D(M, M_j), up to a number that is the same for all members
    """

    objective: float
    costs: Array


class Aggregate(ABC):
    """M minimises sum_j w_j D(M, M_j) over all matrices; constrained pairs are fixed.

    M_j is 1 (`high`) where member j puts two objects together and 0 (`low`) elsewhere. The gradient of
    phi at M is the weighted mean of those at the M_j, entry by entry. A subclass implements the sums
    over all entries; entries of constrained pairs are corrected here.

    Weights are shares: they sum to one over the members that have labels.
    """

    def __init__(self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs) -> None:
        self.ensemble = ensemble
        self.divergence = divergence
        self.fixed = fixed

    @abstractmethod
    def _free(self, weights: Array) -> Evaluation:
        """Evaluate as if no pair were constrained."""

    @property
    @abstractmethod
    def _slopes(self) -> tuple[float, float]:
        """Return bounds on the derivative of an entry of M by the weighted agreement A."""

    def _free_change(self, weights: Array, previous: Array) -> float:
        """Return |M - M_previous|^2, or a bound of it, as if no pair were constrained.

        The bound by the largest slope is good enough where the slopes differ by a small factor only.
        """
        step = weights - previous
        return self._slopes[1] ** 2 * float(step @ self.gram @ step)

    @abstractmethod
    def operator(self, weights: Array) -> SymmetricOperator:
        """Return M on the scale from 0 to 1."""

    @cached_property
    def gram(self) -> Array:
        """Return G, the inner products of the M_j before smoothing."""
        return member_gram(self.ensemble.incidence)

    @property
    def n_matrices(self) -> int:
        """Return the number of matrices that are aggregated, r."""
        return self.ensemble.n_members

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the matrices, for messages."""
        return self.ensemble.names

    @property
    def n_pairs(self) -> float:
        """Return the number of entries of M, n^2, including the diagonal."""
        weight = self.ensemble.sample_weight
        return float(self.ensemble.n_samples if weight is None else weight.sum()) ** 2

    def evaluate(self, weights: Array) -> Evaluation:
        """Return the objective and the costs of the members at M."""
        free = self._free(weights)
        if not self.fixed:
            return free
        gradients = self._fixed_gradients
        bound = np.where(self.fixed.together, self.divergence.high, self.divergence.low)
        unbound = self._fixed_means(weights)
        count, phi = self.fixed.multiplicity, self.divergence.phi
        # sum_j w_j D(x, y_j) = phi(x) - x sum_j w_j phi'(y_j) + a constant of the pair.
        slope = gradients @ weights
        extra = phi(bound) - phi(unbound) - slope * (bound - unbound)
        return Evaluation(
            free.objective + float(count @ extra),
            free.costs - gradients.T @ (count * (bound - unbound)),
        )

    def settled(self, weights: Array, previous: Array, tolerance: float) -> bool:
        """Whether M has changed by at most the tolerance (Frobenius norm).

        The change of A is computed from G alone; M itself is compared only if the bounds are not
        sufficient.
        """
        step = weights - previous
        moved = float(step @ self.gram @ step)
        if self.fixed:
            moved -= float(self.fixed.multiplicity @ np.square(self.fixed.agreements @ step))
        slowest, fastest = self._slopes
        if slowest**2 * moved > tolerance**2 or fastest**2 * moved <= tolerance**2:
            return fastest**2 * moved <= tolerance**2
        change = self._free_change(weights, previous)
        if self.fixed:
            drift = self._fixed_means(weights) - self._fixed_means(previous)
            change -= float(self.fixed.multiplicity @ np.square(drift))
        return change <= tolerance**2

    @cached_property
    def _fixed_gradients(self) -> Array:
        """Gradients of the members at the constrained pairs, (P, r)."""
        low, high = self.divergence.low, self.divergence.high
        return np.asarray(self.divergence.gradient(low + (high - low) * self.fixed.agreements))

    def _fixed_means(self, weights: Array) -> Array:
        """Return the entries of M at the constrained pairs without the constraints."""
        return np.asarray(self.divergence.inverse_gradient(self._fixed_gradients @ weights))

    def _correction(self, weights: Array) -> Any:
        """Return the correction of M at the constrained pairs, scaled to [0, 1], as a sparse matrix."""
        low, high = self.divergence.low, self.divergence.high
        free = (self._fixed_means(weights) - low) / (high - low)
        return self.fixed.matrix(self.fixed.together - free)


class LinearAggregate(Aggregate):
    """M = H diag(w) H' plus a sparse correction; never stored as a dense matrix."""

    @property
    def _slopes(self) -> tuple[float, float]:
        return 1.0, 1.0

    def _free(self, weights: Array) -> Evaluation:
        squares, image = np.diagonal(self.gram), self.gram @ weights
        return Evaluation(float(weights @ (squares - image)) / 2, squares / 2 - image)

    def operator(self, weights: Array) -> SymmetricOperator:
        """Return the weighted co-association with the correction of the constrained pairs."""
        extra = self._correction(weights) if self.fixed else None
        return LowRankSimilarity(self.ensemble, weights, extra)


class Polynomial(NamedTuple):
    """p(a) = a0 + a1 a + a2 a^2 in place of g on [0, 1], and the largest error of an entry."""

    coefficients: Array
    error: float

    @classmethod
    def of(cls, divergence: Divergence, degree: int) -> Self:
        """Interpolate g at the Chebyshev points; raise if p does not increase."""
        fitted = np.polynomial.Chebyshev.interpolate(divergence.mean, degree, domain=[0, 1])
        coefficients = np.zeros(3)
        plain = fitted.convert(kind=np.polynomial.Polynomial, domain=[-1, 1]).coef
        coefficients[: len(plain)] = plain
        grid = np.linspace(0, 1, _ERROR_GRID)
        error = float(np.abs(fitted(grid) - divergence.mean(grid)).max())
        slope_ends = coefficients[1], coefficients[1] + 2 * coefficients[2]
        if min(slope_ends) <= 0:
            raise InvalidParameterError(
                f"A polynomial of degree {degree} cannot stand in for {divergence!r}: it does not "
                f"increase everywhere (largest error {error:.2g}). Use degree=None, which is exact, a "
                "larger smoothing, or another divergence."
            )
        return cls(coefficients, error)


class PolynomialAggregate(Aggregate):
    """M = p(A), A the weighted agreement; the weights depend only on sums over triples of members."""

    def __init__(
        self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs, degree: int
    ) -> None:
        super().__init__(ensemble, divergence, fixed)
        self.polynomial = Polynomial.of(divergence, degree)

    @cached_property
    def _slopes(self) -> tuple[float, float]:
        _, a1, a2 = self.polynomial.coefficients
        return min(a1, a1 + 2 * a2), max(a1, a1 + 2 * a2)

    @cached_property
    def _cubes(self) -> Array:
        """Sum over all pairs of M_i M_j M_l, (r, r, r); G restricted to one base cluster at a time."""
        ensemble, layout = self.ensemble, self.ensemble.layout
        cubes = np.zeros((ensemble.n_members,) * 3)
        if self.polynomial.coefficients[2] == 0:
            return cubes
        for j in range(ensemble.n_members):
            labels = None if ensemble.is_soft else ensemble.incidence.member_labels(j)
            for k, column in enumerate(range(layout.n_columns)[layout.columns(j)]):
                if labels is None:
                    belonging = ensemble.memberships[:, column].astype(np.float64)
                    cubes[j] += member_gram(ensemble.incidence, belonging)
                else:
                    rows = np.flatnonzero(labels == k)
                    cubes[j] += member_gram(ensemble.take(rows).incidence)
        return cubes

    def _free(self, weights: Array) -> Evaluation:
        a0, a1, a2 = self.polynomial.coefficients
        c0, c1 = self.divergence.c0, self.divergence.c1
        squares = np.diagonal(self.gram)
        image = self.gram @ weights
        cubes = weights @ self._cubes @ weights
        products = a0 * squares + a1 * image + a2 * cubes
        # The integral of the costs, so that updates of the weights never increase it.
        integral = weights @ (a0 * squares + a1 * image / 2 + a2 * cubes / 3)
        objective = c0 * float(weights @ squares) - c1 * float(integral)
        return Evaluation(objective, c0 * squares - c1 * products)

    def _fixed_means(self, weights: Array) -> Array:
        shares = self.fixed.agreements @ weights
        means = np.polynomial.polynomial.polyval(shares, self.polynomial.coefficients)
        # p may leave the domain of phi by its error.
        return np.asarray(np.clip(means, self.divergence.low, self.divergence.high))

    def operator(self, weights: Array) -> SymmetricOperator:
        """Return M on the scale from 0 to 1."""
        low, high = self.divergence.low, self.divergence.high
        coefficients = self.polynomial.coefficients / (high - low)
        coefficients[0] -= low / (high - low)
        extra = self._correction(weights) if self.fixed else None
        return PolynomialSimilarity(self.ensemble, weights, coefficients, extra)


class TiledAggregate(Aggregate):
    """M as a function that computes one tile; subclasses handle hard and soft labels."""

    @abstractmethod
    def _means(self, tile: Tile, weights: Array) -> Array:
        """Return a tile of M before constrained pairs are corrected."""

    @abstractmethod
    def _tile_sums(self, tile: Tile, weights: Array, right: Array) -> tuple[float, Array]:
        """Return the contribution of a tile to objective and costs; columns are weighted by `right`."""

    @cached_property
    def _m(self) -> Array:
        weight = self.ensemble.sample_weight
        n_rows = self.ensemble.n_samples
        return np.ones(n_rows) if weight is None else weight.astype(np.float64)

    def _free(self, weights: Array) -> Evaluation:
        n_rows = self.ensemble.n_samples

        def task(strip: Strip) -> tuple[float, Array]:
            total, costs = 0.0, np.zeros(self.n_matrices)
            for tile, factor in tiles_of(strip, n_rows):
                part, of_members = self._tile_sums(tile, weights, factor * self._m[tile[1]])
                total += part
                costs += of_members
            return total, costs

        total, costs = 0.0, np.zeros(self.n_matrices)
        for part, of_members in in_row_order(task, n_rows):
            total += part
            costs += of_members
        return Evaluation(total, costs)

    def _free_change(self, weights: Array, previous: Array) -> float:
        n_rows = self.ensemble.n_samples

        def task(strip: Strip) -> float:
            total = 0.0
            for tile, factor in tiles_of(strip, n_rows):
                squares = np.square(self._means(tile, weights) - self._means(tile, previous))
                total += float(self._m[tile[0]] @ squares @ (factor * self._m[tile[1]]))
            return total

        return float(sum(in_row_order(task, n_rows)))

    def operator(self, weights: Array) -> SymmetricOperator:
        """Return M scaled to [0, 1], stored if the memory limit allows it."""
        low, high = self.divergence.low, self.divergence.high

        def entries(tile: Tile) -> Array:
            return np.asarray((self._means(tile, weights) - low) / (high - low))

        extra = self._correction(weights) if self.fixed else None
        return tiled_similarity(
            entries, self.ensemble.sample_weight, self.ensemble.n_samples, extra
        )


class HardTiles(TiledAggregate):
    """M = g(A), A the weighted agreement of hard labels."""

    @cached_property
    def _slopes(self) -> tuple[float, float]:
        slopes = np.diff(self.divergence.mean(np.linspace(0, 1, _SLOPE_GRID))) * (_SLOPE_GRID - 1)
        # Slopes between the grid points may slightly exceed those at the points.
        return float(0.9 * slopes.min()), float(1.1 * slopes.max())

    @cached_property
    def _members(self) -> Array:
        return np.ascontiguousarray(self.ensemble.codes.T)

    def _free(self, weights: Array) -> Evaluation:
        objective, products = super()._free(weights)
        divergence = self.divergence
        # D(M, M_j) = constant + c0 sigma_j - c1 <M_j, M>, sigma_j = G_jj.
        costs = divergence.c0 * np.diagonal(self.gram) - divergence.c1 * products
        return Evaluation(objective, costs)

    def _means(self, tile: Tile, weights: Array) -> Array:
        return np.asarray(self.divergence.mean(self._agreement(tile, weights)))

    def _tile_sums(self, tile: Tile, weights: Array, right: Array) -> tuple[float, Array]:
        """Return the objective of the tile and <M_j, M>."""
        from consilience._kernels._pairs import sums_of_agreeing

        shares = self._agreement(tile, weights)
        means = self.divergence.mean(shares)
        left = self._m[tile[0]]
        joined = np.zeros((len(self._members), means.shape[1]))
        rows, columns = (self._members[:, part] for part in tile)
        sums_of_agreeing(rows, columns, left[:, None] * means, joined)
        return float(left @ self.divergence.cost(shares, means) @ right), joined @ right

    def _agreement(self, tile: Tile, weights: Array) -> Array:
        from consilience._kernels._pairs import agreements

        rows, columns = (self._members[:, part] for part in tile)
        out = np.empty((rows.shape[1], columns.shape[1]))
        agreements(rows, columns, weights, out)
        # Rounding may make the shares of a unanimous pair slightly larger than one in sum.
        return np.minimum(out, 1.0, out=out)


class SoftTiles(TiledAggregate):
    """M from soft members, entry by entry: M_j holds the products of their memberships."""

    @property
    def _slopes(self) -> tuple[float, float]:
        return 0.0, np.inf  # M is not a function of A alone

    def _means(self, tile: Tile, weights: Array) -> Array:
        return self._mean_of(self._smoothed(tile), weights)

    def _tile_sums(self, tile: Tile, weights: Array, right: Array) -> tuple[float, Array]:
        divergence, left = self.divergence, self._m[tile[0]]
        values = self._smoothed(tile)
        means = self._mean_of(values, weights)
        costs = np.array([left @ divergence(means, value) @ right for value in values])
        return float(weights @ costs), costs

    def _mean_of(self, values: list[Array], weights: Array) -> Array:
        slope = sum(w * self.divergence.gradient(v) for w, v in zip(weights, values, strict=True))
        return np.asarray(self.divergence.inverse_gradient(slope))

    def _smoothed(self, tile: Tile) -> list[Array]:
        """Return M_j of every member, between `low` and `high`."""
        low, high = self.divergence.low, self.divergence.high
        layout = self.ensemble.layout
        left, right = (self.ensemble.memberships[part].astype(np.float64) for part in tile)
        columns = [layout.columns(j) for j in range(layout.n_members)]
        # Rounding may make a product of memberships slightly larger than one.
        return [low + (high - low) * np.minimum(left[:, c] @ right[:, c].T, 1.0) for c in columns]


class LowRankSimilarity(SymmetricOperator):
    """S = H diag(w) H' + E, E sparse."""

    def __init__(self, ensemble: Ensemble, weights: Array, extra: Any = None) -> None:
        self.H = ensemble.incidence
        super().__init__(self.H.n_rows, self.H.row_weight)
        self.column_weight: Array = weights[ensemble.layout.member_of]
        self.extra = extra

    @cached_property
    def _weighted_extra(self) -> Any:
        return self.extra if self.row_weight is None else self.extra * self.row_weight[None, :]

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns."""
        product = self.H @ (self.column_weight[:, None] * self.H.scatter(columns))
        return product if self.extra is None else product + self._weighted_extra @ columns

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2."""
        w = self.column_weight
        squares = self.H.quadratic(w[:, None] * self.H.gram() * w)
        if self.extra is not None:
            # S = L + E, so that S^2 = L^2 + 2 L E + E^2 = L^2 + (2 S - E) E where E is not zero.
            sparse = self.extra.tocoo()
            (first, second), values = sparse.coords, sparse.data
            entries = self._entries(first, second) + values
            weight = 1.0 if self.row_weight is None else self.row_weight[second]
            np.add.at(squares, first, weight * (2 * entries - values) * values)
        return squares

    def _entries(self, first: Array, second: Array) -> Array:
        """Return entries of H diag(w) H'."""
        rows = np.unique(np.concatenate([first, second]))
        place = np.searchsorted(rows, [first, second])
        dense = self.H.dense_rows(rows.tolist())
        scaled = dense * self.column_weight
        return np.asarray(np.einsum("pc,pc->p", scaled[place[0]], dense[place[1]]))


class PolynomialSimilarity(SymmetricOperator):
    """S = a0 + a1 A + a2 A^2, entry by entry, A = H diag(w) H'; plus E, sparse."""

    def __init__(self, ensemble: Ensemble, weights: Array, coefficients: Array, extra: Any) -> None:
        self.H = ensemble.incidence
        super().__init__(self.H.n_rows, self.H.row_weight)
        self.column_weight: Array = weights[ensemble.layout.member_of]
        self.coefficients = coefficients
        self.extra = extra

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns.

        (A^2 diag(m) x)_i = h_i' W N_x W h_i with N_x = H' diag(m x) H.
        """
        a0, a1, a2 = self.coefficients
        w = self.column_weight
        m = self.m
        out = a0 * (m @ columns) + a1 * (self.H @ (w[:, None] * self.H.scatter(columns)))
        if a2 != 0:
            for k in range(columns.shape[1]):
                table = w[:, None] * self.H.gram(np.ascontiguousarray(columns[:, k])) * w
                out[:, k] += a2 * self.H.quadratic(table)
        return np.asarray(out if self.extra is None else out + self.extra @ (m[:, None] * columns))


def tiles_of(strip: Strip, n_rows: int) -> Iterator[tuple[Tile, float]]:
    """Yield the tiles of a strip of rows from the diagonal on; those beside it count twice."""
    rows = slice(*strip)
    yield (rows, rows), 1.0
    for first in range(rows.stop, n_rows, TILE_COLUMNS):
        yield (rows, slice(first, min(first + TILE_COLUMNS, n_rows))), 2.0


def in_row_order(task: Callable[[Strip], Any], n_rows: int) -> Iterator[Any]:
    """Run a task on every strip of rows; results are in row order for any number of threads."""
    starts = range(0, n_rows, TILE_ROWS)
    strips = [(start, min(start + TILE_ROWS, n_rows)) for start in starts]
    return ThreadExecutor().map(task, strips)


def tiled_similarity(
    entries: Callable[[Tile], Array], row_weight: Array | None, n_rows: int, extra: Any
) -> SymmetricOperator:
    """Store a matrix of tiles if it fits the memory limit; otherwise compute it for every product."""
    if 8 * n_rows**2 > memory_limit():
        return TileSimilarity(entries, row_weight, n_rows, extra, TILE_COLUMNS)
    matrix = np.empty((n_rows, n_rows))

    def fill(strip: Strip) -> None:
        for (rows, columns), _ in tiles_of(strip, n_rows):
            tile = entries((rows, columns))
            matrix[rows, columns] = tile
            matrix[columns, rows] = tile.T

    for _ in in_row_order(fill, n_rows):
        pass
    if extra is not None:
        sparse = extra.tocoo()
        matrix[sparse.coords] += sparse.data
    return TileSimilarity(lambda tile: matrix[tile], row_weight, n_rows, None, n_rows)


class TileSimilarity(SymmetricOperator):
    """S as a function that returns one tile; every product asks for all tiles, `width` columns each."""

    def __init__(
        self,
        entries: Callable[[Tile], Array],
        row_weight: Array | None,
        n_rows: int,
        extra: Any,
        width: int,
    ) -> None:
        super().__init__(n_rows, row_weight)
        self._entries = entries
        self._extra = extra
        self._width = width

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns; strips of rows, so that threads do not change the sums."""
        right = columns if self.row_weight is None else self.row_weight[:, None] * columns
        parts = [slice(k, k + self._width) for k in range(0, self.n_rows, self._width)]

        def task(strip: Strip) -> Array:
            products = (self._entries((slice(*strip), part)) @ right[part] for part in parts)
            return np.asarray(sum(products))

        out = np.concatenate(list(in_row_order(task, self.n_rows)))
        return out if self._extra is None else out + self._extra @ right

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2."""
        m = self.m.astype(np.float64)

        def task(strip: Strip) -> Array:
            rows = slice(*strip)
            lines = self._entries((rows, slice(0, self.n_rows)))
            if self._extra is not None:
                lines = lines + self._extra[rows].toarray()
            return np.asarray(np.square(lines) @ m)

        return np.concatenate(list(in_row_order(task, self.n_rows)))
