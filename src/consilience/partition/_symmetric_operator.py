"""Clusters of objects under a similarity that is given by its products with vectors."""

from abc import ABC, abstractmethod

import numpy as np
from scipy.sparse.linalg import LinearOperator

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._linkage import average_of_triangle
from consilience.partition._pair_similarity import triangle_bytes
from consilience.partition._row_kmeans import EmbeddedRows, written_rows
from consilience.partition._solution import Solution
from consilience.partition._spectral import lanczos, leading_eigenvectors

# Numbers of columns of S that are computed at a time.
_COLUMNS = 256
_FEW_COLUMNS = 64


class SymmetricOperator(ABC):
    """A symmetric (n, n) matrix S with entries from 0 to 1; row i counts row_weight[i] times."""

    def __init__(self, n_rows: int, row_weight: Array | None) -> None:
        self.n_rows = n_rows
        self.row_weight = row_weight

    @property
    def m(self) -> Array:
        """Return how often every row counts, also where all count once."""
        weight = self.row_weight
        return np.ones(self.n_rows) if weight is None else weight.astype(np.float64)

    @abstractmethod
    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns, (n, m)."""

    def row_squares(self) -> Array:
        """Return the sum over k of row_weight[k] S_ik^2, (n,), some columns at a time."""
        m = self.m
        squares = np.zeros(self.n_rows)
        for start in range(0, self.n_rows, _FEW_COLUMNS):
            rows = np.arange(start, min(start + _FEW_COLUMNS, self.n_rows))
            # `times` multiplies by the weights of the rows.
            columns = unit_columns(self.n_rows, rows) / np.maximum(m[rows], 1e-300)
            squares += np.square(self.times(columns)) @ m[rows]
        return squares


def unit_columns(n_rows: int, places: Array) -> Array:
    """Return the columns of the identity at some places."""
    columns = np.zeros((n_rows, len(places)))
    columns[places, np.arange(len(places))] = 1.0
    return columns


def spectral_rows(operator: SymmetricOperator, n_vectors: int) -> EmbeddedRows:
    """Return the rows of the leading eigenvectors of D^(-1/2) S D^(-1/2), to be made unit length.

    D holds the row sums. With row weights m the matrix is diag(sqrt m) S diag(sqrt m), and the vectors
    are divided by sqrt m afterwards: identical rows get the same entries.
    """
    n_rows = operator.n_rows
    root = np.sqrt(np.maximum(operator.m, 1e-300))
    degree = operator.times(np.ones((n_rows, 1)))[:, 0]
    # A row without similarity to any row keeps zeros.
    alone = degree <= 1e-12
    scale = np.where(alone, 0.0, 1 / np.sqrt(np.where(alone, 1.0, degree)))

    def product(columns: Array) -> Array:
        return np.asarray(
            (scale * root)[:, None] * operator.times((scale / root)[:, None] * columns)
        )

    if n_rows <= max(4 * n_vectors, 64):
        dense = product(np.eye(n_rows))
        _, vectors = leading_eigenvectors((dense + dense.T) / 2, n_vectors)
    else:
        linear = LinearOperator(
            (n_rows, n_rows), matvec=lambda x: product(x.reshape(-1, 1))[:, 0], dtype=np.float64
        )
        # Close to the leading vector, with a perturbation so that no other vector is orthogonal to it.
        start = root * np.sqrt(np.maximum(degree, 1e-12)) * (1 + 0.5 * np.cos(np.arange(n_rows)))
        _, vectors = lanczos(linear, n_vectors, start)
    return written_rows(vectors / root[:, None], operator.row_weight)


def operator_kmeans(
    operator: SymmetricOperator,
    n_clusters: int,
    *,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> Solution:
    """Cluster the rows of S by k-means; return the best start.

    A mean of rows is S z / n_k for the indicator z of its cluster, so that distances need two products
    with S per iteration: |S_i - c|^2 = |S_i|^2 - 2 S_i . c + |c|^2. Columns count like rows.
    """
    m = operator.m
    squares = operator.row_squares()
    best: Solution | None = None
    for stream in rng.spawn(n_init):
        found = _one_run(operator, m, squares, n_clusters, max_iter, stream)
        if best is None or found.objective < best.objective * (1 - 1e-12):
            best = found
    assert best is not None  # noqa: S101 - n_init is at least 1
    return best


def operator_linkage(operator: SymmetricOperator) -> Dendrogram:
    """Merge clusters by the mean of S over their pairs of rows."""
    n_rows = operator.n_rows
    require_memory(
        triangle_bytes(n_rows),
        f"The triangle of the similarities of n = {n_rows} distinct objects, for average linkage,",
        "Use the spectral step, which works in tiles.",
    )
    sizes = operator.m
    leaves, heights = average_of_triangle(_triangle(operator), sizes, 1.0)
    return Dendrogram.of_pairs(leaves, heights, sizes)


def _triangle(operator: SymmetricOperator) -> Array:
    """Return S_ik m_i m_k for all i < k in the condensed format of SciPy; m are row weights."""
    n_rows, m = operator.n_rows, operator.m
    triangle = np.empty(n_rows * (n_rows - 1) // 2)
    for start in range(0, n_rows, _COLUMNS):
        rows = np.arange(start, min(start + _COLUMNS, n_rows))
        block = m[:, None] * operator.times(unit_columns(n_rows, rows))
        for place, row in enumerate(rows):
            first = row * (2 * n_rows - row - 1) // 2
            triangle[first : first + n_rows - row - 1] = block[row + 1 :, place]
    return triangle


def _one_run(
    operator: SymmetricOperator,
    m: Array,
    squares: Array,
    n_clusters: int,
    max_iter: int,
    stream: np.random.Generator,
) -> Solution:
    distance = _first_distances(operator, m, squares, n_clusters, stream)
    previous = np.inf
    labels = distance.argmin(axis=1)
    for _ in range(max_iter):
        objective = float(m @ distance[np.arange(len(m)), labels])
        if objective >= previous * (1 - 1e-12):
            break
        previous = objective
        indicator = (labels[:, None] == np.arange(n_clusters)).astype(np.float64)
        sizes = m @ indicator
        empty = sizes == 0
        if empty.any():
            # An empty cluster is restarted at the row furthest from all centres.
            furthest = np.argsort(-distance[np.arange(len(m)), labels], kind="stable")
            for place, k in enumerate(np.flatnonzero(empty)):
                indicator[furthest[place], k] = 1.0
                sizes[k] = m[furthest[place]]
            previous = np.inf
        before = distance
        distance = _distances(operator, m, squares, operator.times(indicator / sizes))
        if np.array_equal(distance, before):
            break  # also if a cluster stays empty, because there are fewer distinct rows
        labels = distance.argmin(axis=1)
    objective = min(previous, float(m @ distance[np.arange(len(m)), labels]))
    return Solution.minimised(labels, objective)


def _first_distances(
    operator: SymmetricOperator,
    m: Array,
    squares: Array,
    n_clusters: int,
    stream: np.random.Generator,
) -> Array:
    """k-means++: every next centre is a row, drawn by its distance to the nearest one."""
    distances = np.empty((len(m), n_clusters))
    chances = m
    for k in range(n_clusters):
        place = stream.choice(len(m), p=chances / chances.sum())
        column = operator.times((np.arange(len(m)) == place)[:, None] / m[place])
        distances[:, k] = _distances(operator, m, squares, column)[:, 0]
        nearest = distances[:, : k + 1].min(axis=1)
        nearest[nearest < 1e-12 * max(1.0, float(squares.max()))] = 0.0
        chances = m * nearest if np.any(m * nearest > 0) else m
    return distances


def _distances(operator: SymmetricOperator, m: Array, squares: Array, centres: Array) -> Array:
    """Squared distances of all rows of S to centres, given as columns (n, K)."""
    products = operator.times(centres)
    lengths = m @ np.square(centres)
    return np.asarray(np.maximum(squares[:, None] - 2 * products + lengths, 0.0))
