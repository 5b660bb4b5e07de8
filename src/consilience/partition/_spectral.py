"""Spectral embeddings of a scaled incidence, without any n x n matrix.

With A = diag(a) H diag(b), the affinity A A' has the left singular vectors of A as eigenvectors. They
follow from the t x t Gram matrix A' A: u = A v / sigma is one gather.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh, eigvalsh_tridiagonal
from scipy.sparse import issparse
from scipy.sparse.linalg import (
    ArpackError,
    ArpackNoConvergence,
    LinearOperator,
    aslinearoperator,
    eigsh,
)

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array
from consilience.incidence import Incidence, on_cells

# Above this many base clusters the Gram matrix is not formed; Lanczos needs only products.
_GRAM_COLUMNS = 6_000
# Above this size a few eigenvectors come faster from Lanczos than from a full reduction.
_DENSE_COLUMNS = 1_500
# Tolerance, relative to the largest eigenvalue, for the check that no eigenvalue was missed.
_MISSED = 1e-7
_RITZ_STEPS = 24


class ScaledIncidence(NamedTuple):
    """A = diag(row_scale) H diag(column_scale); the row scale may be one number for all rows."""

    H: Incidence
    row_scale: Array | np.float64
    column_scale: Array

    def times(self, table: Array) -> Array:
        """A @ table."""
        narrow = table.ndim == 1
        out = self.H @ ((self.column_scale if narrow else self.column_scale[:, None]) * table)
        out *= self._down(narrow=narrow)
        return out

    def transposed_times(self, rows: Array) -> Array:
        """A' diag(m) @ rows, m the weights of the rows."""
        scale = self._down(narrow=rows.ndim == 1)
        columns = self.column_scale if rows.ndim == 1 else self.column_scale[:, None]
        return np.asarray(columns * (self.H.T @ (scale * rows)))

    def _down(self, *, narrow: bool) -> Array:
        scale = np.asarray(self.row_scale)
        return scale if narrow or not scale.ndim else scale[:, None]

    def gram(self) -> Any:
        """A' diag(m) A, (t, t); sparse where most base clusters share no object."""
        overlaps = self.H.overlaps(np.square(self.row_scale))
        return on_cells(overlaps, lambda cells, a, b: a * cells * b, self.column_scale)


class Vectors(NamedTuple):
    """Leading singular triples of A = diag(a) H diag(b).

    values  (K,) singular values
    right   (t, K) right vectors v
    lift    (t, K) v / sigma, so that the left vectors are A lift
    table   (t, K) b v / sigma, so that the left vectors are diag(a) H table
    """

    values: Array
    right: Array
    lift: Array
    table: Array


def leading_vectors(scaled: ScaledIncidence, n_vectors: int) -> Vectors:
    """Return the leading singular triples of A; rows of H count by their weights.

    With profiles of multiplicity m the vectors are those of diag(sqrt m) A, divided by sqrt m:
    identical rows get the same vector entries.
    """
    n_columns = len(scaled.column_scale)
    if n_columns <= max(_GRAM_COLUMNS, 2 * n_vectors):
        values, right = leading_eigenvectors(scaled.gram(), n_vectors)
    else:
        product = LinearOperator(
            (n_columns, n_columns),
            matvec=lambda v: scaled.transposed_times(scaled.times(v.reshape(-1))),
            dtype=np.float64,
        )
        values, right = lanczos(product, n_vectors, scaled.column_scale)
    values = np.sqrt(np.maximum(values, 0.0))
    # A vanishing singular value has no left vector; its column stays zero.
    usable = values > 1e-9 * max(values[0], 1e-300)
    lift = right * np.where(usable, 1 / np.where(usable, values, 1), 0)
    return Vectors(values, right, lift, scaled.column_scale[:, None] * lift)


def leading_eigenvectors(matrix: Any, n_vectors: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues of a symmetric matrix, descending, and their vectors.

    The matrix may be sparse; Lanczos leaves it so.
    """
    size = matrix.shape[0]
    n_vectors = min(n_vectors, size)
    with one_blas_thread():
        if size > _DENSE_COLUMNS and 4 * n_vectors < size:
            return lanczos(aslinearoperator(matrix), n_vectors, np.ones(size))
        dense = matrix.toarray() if issparse(matrix) else matrix
        return descending(*eigh(dense, subset_by_index=(size - n_vectors, size - 1), driver="evx"))


def zero_diagonal_vectors(
    scaled: ScaledIncidence, diagonal: Array, n_vectors: int
) -> tuple[Array, Array]:
    """Return the largest eigenvalues and vectors of A A' - diag(diagonal), with the row weights of H.

    Lanczos on the product, started from the Gram's vectors, which are close: the diagonal is O(K / n).
    With row weights m the matrix is diag(sqrt m) A A' diag(sqrt m) - diag(diagonal), and its vectors
    are divided by sqrt m afterwards.
    """
    n_rows = scaled.H.n_rows
    root = None
    if scaled.H.row_weight is not None:
        root = np.sqrt(scaled.H.row_weight.astype(np.float64))
        root[root == 0] = 1e-300  # rows of weight 0 are excluded

    def product(x: Array) -> Array:
        x = x.reshape(-1)
        # transposed_times weights the rows by m = root^2; x / root makes that one factor root.
        inner = scaled.transposed_times(x if root is None else x / root)
        out = scaled.times(inner)
        if root is not None:
            out *= root
        out -= diagonal * x
        return out

    if n_rows <= max(4 * n_vectors, 64):
        dense = np.column_stack([product(unit) for unit in np.eye(n_rows)])
        values, vectors = leading_eigenvectors((dense + dense.T) / 2, n_vectors)
    else:
        # The sum of the vectors of the Gram matrix is close to the space of the solution.
        start = scaled.times(leading_vectors(scaled, n_vectors).lift.sum(axis=1))
        start = start if root is None else root * start
        operator = LinearOperator((n_rows, n_rows), matvec=product, dtype=np.float64)
        # Few basis vectors: each has n entries, and the start is good.
        n_basis = min(n_rows, n_vectors + max(6, n_vectors // 2))
        values, vectors = lanczos(operator, n_vectors, start, n_basis)
    if root is not None:
        vectors /= root[:, None]
    return values, vectors


def lanczos(
    operator: LinearOperator, n_vectors: int, start: Array, n_basis: int | None = None
) -> tuple[Array, Array]:
    """Return the largest eigenvalues of a symmetric operator, descending, and their vectors.

    Lanczos finds one direction of every eigenspace per start, so it may miss repeated eigenvalues (an
    affinity has one per connected component). The vectors found are therefore deflated, and the search
    is repeated until no larger eigenvalue remains. One thread of BLAS: its sums must not depend on the
    number of cores, and the products of the operator have threads of their own.
    """
    with one_blas_thread():
        return _all_largest_pairs(operator, n_vectors, start, n_basis)


def _all_largest_pairs(
    operator: LinearOperator, n_vectors: int, start: Array, n_basis: int | None
) -> tuple[Array, Array]:
    values, vectors = _largest_pairs(operator, n_vectors, start, n_basis)
    # One start finds one direction of an eigenspace, so every search needs a new start.
    starts = np.random.default_rng(0)
    tolerance = _MISSED * max(1.0, float(np.abs(values).max()))
    while True:
        rest = _without_found(operator, values, vectors)
        start = starts.standard_normal(len(vectors))
        if _largest_ritz_value(rest, start) <= values.min() + tolerance:
            return descending(values, vectors)
        # It is well separated from the other eigenvalues, so few iterations are sufficient.
        missed, direction = _largest_pairs(rest, 1, start, min(len(vectors), 8))
        smallest = int(values.argmin())
        direction = direction[:, 0] - vectors @ (vectors.T @ direction[:, 0])
        values[smallest], vectors[:, smallest] = missed[0], direction / np.linalg.norm(direction)


def _largest_pairs(
    operator: LinearOperator, n_vectors: int, start: Array, n_basis: int | None
) -> tuple[Array, Array]:
    """Run ARPACK; if it breaks down in the Krylov space of the start, use a random start."""
    try:
        found = eigsh(operator, n_vectors, which="LA", v0=start, ncv=n_basis)
    except ArpackNoConvergence:
        raise
    except ArpackError:
        anywhere = np.random.default_rng(1).standard_normal(len(start))
        n_basis = min(len(start), max(4 * n_vectors, 40))
        found = eigsh(operator, n_vectors, which="LA", v0=anywhere, ncv=n_basis)
    values, vectors = found
    return values, vectors


def _without_found(operator: LinearOperator, values: Array, vectors: Array) -> LinearOperator:
    """Deflate: shift the eigenvalues that were found below all others."""
    push = values + np.abs(values).max() + 1.0

    def product(x: Array) -> Array:
        x = x.reshape(-1)
        return np.asarray(operator.matvec(x) - vectors @ (push * (vectors.T @ x)))

    return LinearOperator(operator.shape, matvec=product, dtype=np.float64)


def _largest_ritz_value(operator: LinearOperator, start: Array) -> float:
    """Return a lower bound of the largest eigenvalue, tight if it is well separated.

    A few Lanczos steps that keep only three vectors, to save memory.
    """
    diagonal: list[float] = []
    beside: list[float] = []
    current, before = start / np.linalg.norm(start), np.zeros(len(start))
    length = 0.0
    for _ in range(min(_RITZ_STEPS, len(start))):
        following = operator.matvec(current) - length * before
        diagonal.append(float(following @ current))
        following -= diagonal[-1] * current
        length = float(np.linalg.norm(following))
        if length < 1e-10:
            break
        beside.append(length)
        before, current = current, following / length
    return float(eigvalsh_tridiagonal(diagonal, beside[: len(diagonal) - 1])[-1])


def descending(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Sort by value and fix the signs: the entry of largest absolute value is positive.

    Works column by column to save memory.
    """
    order = np.argsort(values)[::-1]
    vectors = np.ascontiguousarray(vectors[:, order])
    for k in range(vectors.shape[1]):
        if len(vectors) and vectors[np.abs(vectors[:, k]).argmax(), k] < 0:
            vectors[:, k] *= -1.0
    return values[order], vectors
