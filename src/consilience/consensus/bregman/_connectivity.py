"""Connectivity matrices that users give beside the members, as factors or as products."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.incidence import Incidence

# Columns of a matrix that are computed at a time.
_COLUMNS = 256
# Asymmetry of a matrix that rounding may cause, relative to its size.
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


def unit_columns(n_rows: int, places: Array) -> Array:
    """Return the columns of the identity at some places."""
    columns = np.zeros((n_rows, len(places)))
    columns[places, np.arange(len(places))] = 1.0
    return columns


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
