"""Euclidean aggregation: M is the weighted co-association matrix."""

from functools import cached_property
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate, Evaluation
from consilience.ensemble import Ensemble
from consilience.partition import SymmetricOperator


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


class LowRankSimilarity:
    """S = H diag(w) H' + E, E sparse."""

    def __init__(self, ensemble: Ensemble, weights: Array, extra: Any = None) -> None:
        self.H = ensemble.incidence
        self.column_weight: Array = weights[ensemble.layout.member_of]
        self.extra = extra

    @property
    def n_rows(self) -> int:
        """Return n."""
        return self.H.n_rows

    @property
    def row_weight(self) -> Array | None:
        """Return how often every row counts."""
        return self.H.row_weight

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
