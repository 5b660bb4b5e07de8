"""Shared code of NMFC and WC: factorisation of the co-association S as Q B Q' without forming S."""

from functools import partial
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.incidence import Incidence, StepResult, argmax_step
from consilience.partition import incidence_kmeans

# The defaults of KMCF, whose result is the start.
_START_RUNS = 10
_START_ROUNDS = 300
# Every object starts with a small membership in every cluster, because zeros would remain zero.
_SOFTENING = 0.2
_NO_ZERO = 1e-12
# Objectives below this share of |S|^2 are rounding errors.
_ROUNDING = 1e-12


class Settled(NamedTuple):
    """History of the iterations."""

    history: list[float]
    converged: bool


class SymmetricFactors:
    """Q (n, K) and B (K, K), which change from round to round, with S near Q B Q'.

    S = H diag(c) H', with c the weights of the columns. Rows of H that represent several objects are
    counted that many times. Only one array has n rows; all other values are computed from two tables:

    rows      (n, K) Q
    middle    (K, K) B; it starts and stays diagonal
    sums      (t, K) H' Q, so that S Q is a gather and Q' S Q a small product
    products  (K, K) Q' Q
    """

    def __init__(self, H: Incidence, labels: Array, n_clusters: int) -> None:
        """Start from a clustering Z: Z + 0.2 with columns of length one, and B = Z' Z."""
        self.H = H
        sizes = np.bincount(labels, weights=H.row_weight, minlength=n_clusters).astype(np.float64)
        table = np.eye(n_clusters) + _SOFTENING
        table /= np.sqrt(sizes @ np.square(table))
        self.rows = table[labels]
        self.middle = np.diag(sizes)
        self.sums = H.count(labels, n_clusters) @ table
        self.products = table.T @ (sizes[:, None] * table)

    @classmethod
    def of(
        cls, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator
    ) -> "SymmetricFactors":
        """Start from k-means on the rows of H."""
        runs = incidence_kmeans(
            ensemble.incidence,
            n_clusters,
            member_weights=ensemble.weights,
            unit_variance=False,
            n_init=_START_RUNS,
            max_iter=_START_ROUNDS,
            rng=rng,
        )
        best = min(runs, key=lambda run: run.objective)
        return cls(ensemble.incidence, best.labels, n_clusters)

    def settle(self, columns: Array, square: float, *, max_iter: int, tol: float) -> Settled:
        """Iterate until the relative change of the objective is small.

        `columns` are the weights of the columns of H in S, `square` is |S|^2.
        """
        history: list[float] = []
        converged = False
        while not converged and len(history) < max_iter:
            self.round(columns)
            history.append(self.objective(columns, square))
            if len(history) > 1:
                scale = max(history[-2], _ROUNDING * square)
                converged = abs(history[-1] - history[-2]) <= tol * scale
        return Settled(history, converged)

    def round(self, columns: Array) -> None:
        """Multiply Q, then B, by the square roots of their ratios [li2007]_; one sweep."""
        pulled = columns[:, None] * self.sums @ self.middle
        step = partial(_factor_step, pull=self.sums.T @ pulled)
        swept = self.H.sweep(pulled, step, (self.rows, self.H.row_weight))
        self.rows = swept.per_row()
        self.sums = swept.scattered()
        (self.products,) = swept.sums
        modelled = self.products @ self.middle @ self.products
        self.middle = self.middle * np.sqrt(self.similarity(columns) / (modelled + _NO_ZERO))

    def similarity(self, columns: Array) -> Array:
        """Return Q' S Q, (K, K)."""
        product: Array = self.sums.T @ (columns[:, None] * self.sums)
        return product

    def objective(self, columns: Array, square: float) -> float:
        """|S - Q B Q'|^2 from |S|^2 and the small tables."""
        overlap = np.sum(self.middle * self.similarity(columns))
        return float(square - 2 * overlap + self.square())

    def square(self) -> float:
        """|Q B Q'|^2."""
        return float(np.sum((self.middle @ self.products) * (self.products @ self.middle)))

    def base_cluster_overlaps(self) -> Array:
        """Return <h_c h_c', Q B Q'> for every base cluster c, (t,)."""
        overlaps: Array = np.sum((self.sums @ self.middle) * self.sums, axis=1)
        return overlaps

    def labels(self) -> Array:
        """Label every row by the largest entry of Q B^(1/2)."""
        labels = argmax_step(self.rows * np.sqrt(np.diagonal(self.middle))).labels
        assert labels is not None  # noqa: S101 - the step labels every row
        return labels


def _factor_step(scores: Array, rows: Array, weight: Array | None, *, pull: Array) -> StepResult:
    """Q <- Q sqrt(S Q B / (Q Q' S Q B)) for a slice of rows; scores: S Q B, pull: Q' S Q B."""
    updated = rows @ pull
    updated += _NO_ZERO
    np.divide(scores, updated, out=updated)
    np.sqrt(updated, out=updated)
    updated *= rows
    weighted = updated if weight is None else updated * weight[:, None]
    return StepResult(memberships=updated, values=updated, sums=(updated.T @ weighted,))
