"""Spectral embeddings of a scaled incidence, without any n x n matrix.

With A = diag(a) H diag(b), the affinity A A' has the left singular vectors of A as eigenvectors. They
follow from the t x t Gram matrix A' A: u = A v / sigma is one gather (methods 1b).
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from consilience._utils._blas import one_blas_thread
from consilience.incidence import Incidence

Array = np.ndarray[Any, Any]

# Above this many base clusters the Gram matrix is not formed; Lanczos needs only products.
_GRAM_COLUMNS = 6_000
# Above this size a few eigenvectors come faster from Lanczos than from a full reduction.
_DENSE_COLUMNS = 1_500


class ScaledIncidence(NamedTuple):
    """A = diag(row_scale) H diag(column_scale)."""

    H: Incidence
    row_scale: Array
    column_scale: Array

    def times(self, table: Array) -> Array:
        """A @ table."""
        narrow = table.ndim == 1
        out = self.H @ ((self.column_scale if narrow else self.column_scale[:, None]) * table)
        out *= self.row_scale if narrow else self.row_scale[:, None]
        return out

    def transposed_times(self, rows: Array) -> Array:
        """A' diag(m) @ rows, m the weights of the rows."""
        scale = self.row_scale if rows.ndim == 1 else self.row_scale[:, None]
        columns = self.column_scale if rows.ndim == 1 else self.column_scale[:, None]
        return np.asarray(columns * (self.H.T @ (scale * rows)))

    def gram(self) -> Array:
        """A' diag(m) A, (t, t)."""
        gram = self.H.gram(np.square(self.row_scale))
        return np.asarray(self.column_scale[:, None] * gram * self.column_scale)


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

    With profiles of multiplicity m the vectors are those of diag(sqrt m) A, divided by sqrt m: copies
    share their row, as if they had been written down (methods 1a).
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
        start = scaled.column_scale / np.linalg.norm(scaled.column_scale)
        values, right = _descending(*eigsh(product, n_vectors, which="LA", v0=start))
    values = np.sqrt(np.maximum(values, 0.0))
    # A vanishing singular value has no left vector; its column stays zero.
    usable = values > 1e-9 * max(values[0], 1e-300)
    lift = right * np.where(usable, 1 / np.where(usable, values, 1), 0)
    return Vectors(values, right, lift, scaled.column_scale[:, None] * lift)


def leading_eigenvectors(matrix: Array, n_vectors: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues of a symmetric matrix, descending, and their vectors."""
    size = len(matrix)
    n_vectors = min(n_vectors, size)
    with one_blas_thread():
        if size > _DENSE_COLUMNS and 4 * n_vectors < size:
            start = np.ones(size) / np.sqrt(size)
            return _descending(*eigsh(matrix, n_vectors, which="LA", v0=start))
        return _descending(
            *eigh(matrix, subset_by_index=(size - n_vectors, size - 1), driver="evx")
        )


def zero_diagonal_vectors(
    scaled: ScaledIncidence, diagonal: Array, n_vectors: int
) -> tuple[Array, Array]:
    """Return the largest eigenvalues and vectors of A A' - diag(diagonal), as the rows of H count.

    Lanczos on the product, started from the Gram's vectors, which are close: the diagonal is O(K / n).
    With row weights m the matrix is diag(sqrt m) A A' diag(sqrt m) - diag(diagonal), and its vectors
    are divided by sqrt m afterwards.
    """
    n_rows = scaled.H.n_rows
    root = None
    if scaled.H.row_weight is not None:
        root = np.sqrt(scaled.H.row_weight.astype(np.float64))
        root[root == 0] = 1e-300  # rows of weight 0 take no part

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
        # The sum of the Gram's vectors: a start that lies nearly in the space that is sought.
        start = scaled.times(leading_vectors(scaled, n_vectors).lift.sum(axis=1))
        start = start if root is None else root * start
        operator = LinearOperator((n_rows, n_rows), matvec=product, dtype=np.float64)
        # Few basis vectors: each has n entries, and the start is good.
        n_basis = min(n_rows, n_vectors + max(6, n_vectors // 2))
        values, vectors = _descending(
            *eigsh(operator, n_vectors, which="LA", v0=start, ncv=n_basis, tol=0)
        )
    if root is not None:
        vectors /= root[:, None]
    return values, vectors


def _descending(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Sort by value and fix the signs: the entry of largest absolute value is positive (methods 0.3).

    Column by column, since there may be a million rows and memory for few copies of them.
    """
    order = np.argsort(values)[::-1]
    vectors = np.ascontiguousarray(vectors[:, order])
    for k in range(vectors.shape[1]):
        if len(vectors) and vectors[np.abs(vectors[:, k]).argmax(), k] < 0:
            vectors[:, k] *= -1.0
    return values[order], vectors
