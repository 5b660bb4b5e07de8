"""Aggregation of members together with connectivity matrices that users give."""

from functools import cached_property
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate
from consilience.consensus.bregman._connectivity import (
    Connectivity,
    Factored,
    read_connectivities,
    unit_columns,
)
from consilience.consensus.bregman._divergence import Divergence
from consilience.consensus.bregman._fixed_pairs import FixedPairs
from consilience.consensus.bregman._linear import LinearAggregate, LowRankSimilarity
from consilience.consensus.bregman._tiled import SoftTiles
from consilience.consensus.bregman._tiles import Tile
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.partition import SymmetricOperator, member_gram

_COLUMNS = 64
# How far rounding may take an entry out of [0, 1].
_TOLERANCE = 1e-6


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


class MixedSimilarity:
    """S = H diag(w) H' + E + the weighted sum of the given matrices."""

    def __init__(
        self, ensemble: Ensemble, weights: Array, others: list[Connectivity], extra: Any
    ) -> None:
        n_members = ensemble.n_members
        self._of_members = LowRankSimilarity(ensemble, weights[:n_members], extra)
        self._others = list(zip(weights[n_members:], others, strict=True))

    @property
    def n_rows(self) -> int:
        """Return n."""
        return self._of_members.n_rows

    @property
    def row_weight(self) -> Array | None:
        """Return how often every row counts."""
        return self._of_members.row_weight

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns."""
        total = self._of_members.times(columns)
        weighted = columns if self.row_weight is None else self.row_weight[:, None] * columns
        for share, other in self._others:
            if share > 0:
                total = total + share * other.times(weighted)
        return total

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2, some columns at a time."""
        m = np.ones(self.n_rows) if self.row_weight is None else self.row_weight
        squares = np.zeros(self.n_rows)
        for start in range(0, self.n_rows, _COLUMNS):
            rows = np.arange(start, min(start + _COLUMNS, self.n_rows))
            # `times` multiplies by the weights of the rows.
            columns = unit_columns(self.n_rows, rows) / np.maximum(m[rows], 1e-300)
            squares += np.square(self.times(columns)) @ m[rows]
        return squares


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
