"""Connectivity matrices that users give beside the members, and M of both."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import (
    Aggregate,
    FixedPairs,
    LinearAggregate,
    LowRankSimilarity,
    SoftTiles,
    Tile,
)
from consilience.consensus.bregman._divergence import Divergence
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import Incidence
from consilience.partition import SymmetricOperator, member_gram, unit_columns

# Columns of a matrix that are computed at a time.
_COLUMNS = 256
# Asymmetry of a matrix, relative to its size, and distance of an entry from [0, 1], by rounding.
_TOLERANCE = 1e-6


class Connectivities:
    """None, or a list with an array A, a pair (A, B) or a function for every matrix."""

    def accepts(self, value: object) -> bool:
        """Shapes are compared with the ensemble in `fit`."""
        if value is None:
            return True
        return isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_matrix, value))

    def __str__(self) -> str:
        return (
            "None or a list whose entries are an array A of two dimensions (for A A'), a pair (A, B) of "
            "such arrays (for A B'), or a function from an array V to the product with V"
        )


class Connectivity(ABC):
    """A symmetric (n, n) matrix that is never written down."""

    @abstractmethod
    def times(self, columns: Array) -> Array:
        """Return the product with (n, m) columns."""

    @abstractmethod
    def entries(self, first: Array, second: Array) -> Array:
        """Return the entries of some pairs."""

    @abstractmethod
    def inner(self, other: "Connectivity", weight: Array) -> float:
        """Return the sum over all pairs of the products of both; pairs count by both weights."""

    @abstractmethod
    def with_members(self, H: Incidence, weight: Array) -> Array:
        """Return the same with the connectivity matrix of every member, (r,)."""


class Factored(Connectivity):
    """A B', both (n, q)."""

    def __init__(self, left: Array, right: Array) -> None:
        self.left = left
        self.right = right

    def times(self, columns: Array) -> Array:
        return np.asarray(self.left @ (self.right.T @ columns))

    def entries(self, first: Array, second: Array) -> Array:
        return np.asarray(np.einsum("pq,pq->p", self.left[first], self.right[second]))

    def inner(self, other: Connectivity, weight: Array) -> float:
        weighted = weight[:, None]
        return float(np.sum(weighted * self.right * other.times(weighted * self.left)))

    def with_members(self, H: Incidence, weight: Array) -> Array:  # noqa: ARG002 - H has it
        products = H.scatter(self.left) * H.scatter(self.right)
        return H.layout.sum_by_member(products.sum(axis=1), axis=0)


class Product(Connectivity):
    """A function that multiplies the matrix with columns."""

    def __init__(self, product: Callable[[Array], Any], place: int, n_rows: int) -> None:
        self.product = product
        self.place = place
        self.n_rows = n_rows

    def times(self, columns: Array) -> Array:
        result = np.asarray(self.product(columns), dtype=np.float64)
        if result.shape != columns.shape or not np.isfinite(result).all():
            raise InvalidInputError(
                f"connectivities[{self.place}] must return finite numbers of the shape that it is "
                f"given, {columns.shape}; got an array of shape {result.shape}. Return the product of "
                "the (n, n) matrix with the columns."
            )
        return result

    def entries(self, first: Array, second: Array) -> Array:
        found = np.empty(len(first))
        columns, place = np.unique(second, return_inverse=True)
        for start in range(0, len(columns), _COLUMNS):
            block = self.times(unit_columns(self.n_rows, columns[start : start + _COLUMNS]))
            inside = (place >= start) & (place < start + _COLUMNS)
            found[inside] = block[first[inside], place[inside] - start]
        return found

    def inner(self, other: Connectivity, weight: Array) -> float:
        if isinstance(other, Factored):
            return other.inner(self, weight)
        total = 0.0
        for start in range(0, self.n_rows, _COLUMNS):
            rows = np.arange(start, min(start + _COLUMNS, self.n_rows))
            unit = unit_columns(self.n_rows, rows)
            total += float(weight @ (self.times(unit) * other.times(unit)) @ weight[rows])
        return total

    def with_members(self, H: Incidence, weight: Array) -> Array:
        n_columns = H.layout.n_columns
        sums = np.zeros(n_columns)
        for start in range(0, n_columns, _COLUMNS):
            chosen = np.arange(start, min(start + _COLUMNS, n_columns))
            clusters = weight[:, None] * (H @ unit_columns(n_columns, chosen))
            sums[chosen] = np.einsum("ic,ic->c", clusters, self.times(clusters))
        return H.layout.sum_by_member(sums, axis=0)


def read_connectivities(given: Sequence[Any] | None, n_rows: int) -> list[Connectivity]:
    """Return the matrices; shapes, numbers and symmetry of factors are checked."""
    return [_read(entry, place, n_rows) for place, entry in enumerate(given or ())]


def _read(given: Any, place: int, n_rows: int) -> Connectivity:
    name = f"connectivities[{place}]"
    if callable(given):
        return Product(given, place, n_rows)
    pair = given if isinstance(given, tuple) else (given, given)
    left, right = (np.asarray(factor, dtype=np.float64) for factor in pair)
    if left.shape != right.shape or len(left) != n_rows:
        raise InvalidInputError(
            f"{name} needs factors with a row for each of the {n_rows} objects and as many columns in "
            f"both; got {left.shape} and {right.shape}."
        )
    if left.ndim == 2 and left.shape[1] == n_rows > 1 and not isinstance(given, tuple):
        raise InvalidInputError(
            f"{name} is an ({n_rows}, {n_rows}) array, which would be read as a factor A of A A'; for a "
            "matrix S itself pass the function `lambda columns: S @ columns`, or factors of it."
        )
    if not (np.isfinite(left).all() and np.isfinite(right).all()):
        raise InvalidInputError(f"{name} has numbers that are not finite; replace or remove them.")
    # |A B' - B A'|^2 = 2 |A B'|^2 - 2 <A B', B A'>, from products of the columns alone.
    products = left.T @ right
    size = float(np.sum((left.T @ left) * (right.T @ right)))
    if size - float(np.sum(products * products.T)) > _TOLERANCE * size:
        raise InvalidInputError(
            f"{name} is not symmetric: A B' differs from B A'. For the mean of both give "
            "(np.hstack([A, B]) / 2, np.hstack([B, A]))."
        )
    return Factored(left, right)


def _is_matrix(entry: object) -> bool:
    if callable(entry):
        return True
    if isinstance(entry, tuple):
        return len(entry) == 2 and all(_is_array(factor) for factor in entry)
    return _is_array(entry)


def _is_array(factor: object) -> bool:
    return isinstance(factor, np.ndarray) and factor.ndim == 2 and factor.dtype.kind in "iufb"


class MixedAggregate(Aggregate):
    """The members first, then the given matrices; weights are in this order."""

    def __init__(
        self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs, given: Any
    ) -> None:
        self.others = read_connectivities(given, ensemble.n_samples)
        if fixed:
            pairs = [other.entries(fixed.first, fixed.second) for other in self.others]
            fixed = fixed._replace(agreements=np.column_stack([fixed.agreements, *pairs]))
        super().__init__(ensemble, divergence, fixed)

    @property
    def n_matrices(self) -> int:
        """Return the number of members and given matrices."""
        return self.ensemble.n_members + len(self.others)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the members, then those of the given matrices."""
        return (*self.ensemble.names, *(f"connectivities[{j}]" for j in range(len(self.others))))

    @cached_property
    def gram(self) -> Array:
        """Return the inner products of all matrices."""
        H, others, n_members = self.ensemble.incidence, self.others, self.ensemble.n_members
        weight = np.ones(H.n_rows) if H.row_weight is None else H.row_weight.astype(np.float64)
        gram = np.empty((self.n_matrices, self.n_matrices))
        gram[:n_members, :n_members] = member_gram(H)
        for j, other in enumerate(others, start=n_members):
            gram[j, :n_members] = gram[:n_members, j] = other.with_members(H, weight)
            for k, earlier in enumerate(others[: j - n_members + 1], start=n_members):
                gram[j, k] = gram[k, j] = other.inner(earlier, weight)
        return gram


class MixedLinear(MixedAggregate, LinearAggregate):
    """The Euclidean M: the weighted sum of all matrices."""

    def operator(self, weights: Array) -> SymmetricOperator:
        """Return M as a product."""
        extra = self._correction(weights) if self.fixed else None
        return MixedSimilarity(self.ensemble, weights, self.others, extra)


class MixedSimilarity(SymmetricOperator):
    """S = H diag(w) H' + E + the weighted sum of the given matrices."""

    def __init__(
        self, ensemble: Ensemble, weights: Array, others: list[Connectivity], extra: Any
    ) -> None:
        n_members = ensemble.n_members
        self._of_members = LowRankSimilarity(ensemble, weights[:n_members], extra)
        super().__init__(self._of_members.n_rows, self._of_members.row_weight)
        self._others = list(zip(weights[n_members:], others, strict=True))

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns."""
        total = self._of_members.times(columns)
        weighted = columns if self.row_weight is None else self.row_weight[:, None] * columns
        for share, other in self._others:
            if share > 0:
                total = total + share * other.times(weighted)
        return total


class MixedTiles(MixedAggregate, SoftTiles):
    """M entry by entry, for divergences that are not Euclidean."""

    def __init__(
        self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs, given: Any
    ) -> None:
        for place, entry in enumerate(given):
            if callable(entry):
                raise InvalidParameterError(
                    f"connectivities[{place}] is a function, and {divergence!r} needs single entries: "
                    'give factors (A, B) instead, or use divergence="euclidean".'
                )
        super().__init__(ensemble, divergence, fixed, given)

    def _smoothed(self, tile: Tile) -> list[Array]:
        low, high = self.divergence.low, self.divergence.high
        of_members = super()._smoothed(tile) if self.ensemble.is_soft else self._hard(tile)
        return [*of_members, *(low + (high - low) * entries for entries in self._given(tile))]

    def _hard(self, tile: Tile) -> list[Array]:
        low, high = self.divergence.low, self.divergence.high
        rows, columns = (self.ensemble.codes[part] for part in tile)
        together = [
            (rows[:, j, None] == columns[:, j]) & (rows[:, j, None] > 0)
            for j in range(self.ensemble.n_members)
        ]
        return [np.where(one, high, low) for one in together]

    def _given(self, tile: Tile) -> list[Array]:
        found = []
        for place, other in enumerate(self.others):
            assert isinstance(other, Factored)  # noqa: S101 - checked at the start
            entries = other.left[tile[0]] @ other.right[tile[1]].T
            if entries.min() < -_TOLERANCE or entries.max() > 1 + _TOLERANCE:
                raise InvalidInputError(
                    f"connectivities[{place}] has entries outside 0 to 1, for which {self.divergence!r} "
                    f"is not defined (from {entries.min():g} to {entries.max():g} in some rows); scale "
                    'the factors, or use divergence="euclidean".'
                )
            found.append(np.clip(entries, 0.0, 1.0))
        return found
