"""g replaced by a polynomial of degree 1 or 2: linear in the number of objects."""

from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate, Evaluation
from consilience.consensus.bregman._divergence import Divergence
from consilience.consensus.bregman._fixed_pairs import FixedPairs
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.partition import SymmetricOperator, member_gram

_GRID = 20_001


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
        grid = np.linspace(0, 1, _GRID)
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


class PolynomialSimilarity:
    """S = a0 + a1 A + a2 A^2, entry by entry, A = H diag(w) H'; plus E, sparse."""

    def __init__(self, ensemble: Ensemble, weights: Array, coefficients: Array, extra: Any) -> None:
        self.H = ensemble.incidence
        self.column_weight: Array = weights[ensemble.layout.member_of]
        self.coefficients = coefficients
        self.extra = extra

    @property
    def n_rows(self) -> int:
        """Return n."""
        return self.H.n_rows

    @property
    def row_weight(self) -> Array | None:
        """Return how often every row counts."""
        return self.H.row_weight

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns.

        (A^2 diag(m) x)_i = h_i' W N_x W h_i with N_x = H' diag(m x) H.
        """
        a0, a1, a2 = self.coefficients
        w = self.column_weight
        m = np.ones(self.n_rows) if self.row_weight is None else self.row_weight
        out = a0 * (m @ columns) + a1 * (self.H @ (w[:, None] * self.H.scatter(columns)))
        if a2 != 0:
            for k in range(columns.shape[1]):
                table = w[:, None] * self.H.gram(np.ascontiguousarray(columns[:, k])) * w
                out[:, k] += a2 * self.H.quadratic(table)
        return np.asarray(out if self.extra is None else out + self.extra @ (m[:, None] * columns))

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2, column by column."""
        m = np.ones(self.n_rows) if self.row_weight is None else self.row_weight
        out = np.zeros(self.n_rows)
        for start in range(0, self.n_rows, 64):
            rows = np.arange(start, min(start + 64, self.n_rows))
            columns = np.zeros((self.n_rows, len(rows)))
            columns[rows, np.arange(len(rows))] = 1 / np.maximum(m[rows], 1e-300)
            out += np.square(self.times(columns)) @ m[rows]
        return out
