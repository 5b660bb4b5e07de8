"""Exact aggregation for any divergence, tile by tile over the distinct rows."""

from abc import abstractmethod
from functools import cached_property

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate, Evaluation
from consilience.consensus.bregman._tiles import (
    Strip,
    Tile,
    in_row_order,
    tiled_similarity,
    tiles_of,
)
from consilience.partition import SymmetricOperator

_GRID = 10_001


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
        slopes = np.diff(self.divergence.mean(np.linspace(0, 1, _GRID))) * (_GRID - 1)
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
