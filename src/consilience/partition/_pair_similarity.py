"""Weighted agreement of the rows of an ensemble, one row at a time."""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.incidence import HardBlocks
from consilience.incidence.internals import ThreadExecutor

# Rows of the triangle that one task fills.
_ROWS = 64


class PairSimilarity:
    """S = H diag(c) H' / w, computed row by row; no n x n matrix is stored.

    Parameters
    ----------
    ensemble : Ensemble
        Hard labels, without members of weight 0.
    column_weight : array (t,)
        c: the weight of a base cluster for two rows that share it. With the weights of the members S
        is the co-association.

    unit : bool, default False
        Scale the rows of H diag(sqrt(c)) to length one, so that S is the cosine of the rows; w is 1.

    Attributes
    ----------
    row_scale : array (n,)
        Scale factor of every row.
    total : float
        w, the summed weight of the members that have labels. The sums below are S times w, so that
        they are integers for integer weights.
    """

    def __init__(self, ensemble: Ensemble, column_weight: Array, *, unit: bool = False) -> None:
        blocks = HardBlocks(ensemble.layout)
        self.n_rows = ensemble.n_samples
        self.total = 1.0 if unit else float(ensemble.weights[ensemble.n_clusters > 0].sum())
        self.row_scale = np.ones(self.n_rows)
        if unit:
            self.row_scale = 1 / np.sqrt(ensemble.incidence @ column_weight)
        self.codes = ensemble.codes
        self.offsets = blocks.offsets.astype(np.int64)
        self.weights = np.zeros(blocks.n_padded)
        self.weights[blocks.padded_rows] = column_weight
        self._members = np.ascontiguousarray(self.codes.T)

    def row(self, i: int, start: int = 0) -> Array:
        """Return w S[i, start:]."""
        from consilience._kernels._linkage import similarities

        out = np.empty(self.n_rows - start)
        similarities(self._members, self.offsets, self.weights, i, start, out)
        out *= self.row_scale[i] * self.row_scale[start:]
        return out

    def triangle(self, sizes: Array) -> Array:
        """Return w S[i, k] sizes[i] sizes[k] for all i < k, in the condensed format of SciPy."""
        from consilience._kernels._linkage import fill_values

        values = np.empty(triangle_bytes(self.n_rows) // 8)
        masses = sizes * self.row_scale

        def fill(rows: tuple[int, int]) -> None:
            fill_values(self._members, self.offsets, self.weights, masses, *rows, values)

        starts = range(0, self.n_rows, _ROWS)
        tasks = [(start, min(start + _ROWS, self.n_rows)) for start in starts]
        for _ in ThreadExecutor().map(fill, tasks):
            pass
        return values


class JointSimilarity(PairSimilarity):
    """S of two rows over the members that label both; 0 if none does."""

    def __init__(self, ensemble: Ensemble, column_weight: Array) -> None:
        super().__init__(ensemble, column_weight)
        seen = known_to_members(ensemble)
        self._known = PairSimilarity(seen, seen.column_weights)

    def row(self, i: int, start: int = 0) -> Array:
        """Return w S[i, start:]."""
        return self._shared(super().row(i, start), self._known.row(i, start))

    def triangle(self, sizes: Array) -> Array:
        """Return w S[i, k] sizes[i] sizes[k] for all i < k, in the condensed format of SciPy."""
        return self._shared(super().triangle(sizes), self._known.triangle(np.ones(self.n_rows)))

    def _shared(self, together: Array, known: Array) -> Array:
        # The weights of both are scaled, possibly by different numbers.
        known /= self._known.total
        return np.divide(together, known, out=np.zeros_like(together), where=known > 0)


def known_to_members(ensemble: Ensemble) -> Ensemble:
    """Return members that put all objects that they label into one cluster."""
    seen = Ensemble(np.where(ensemble.labels >= 0, 0, -1), weights=ensemble.weights)
    return seen.with_sample_weight(ensemble.sample_weight)


def triangle_bytes(n_rows: int) -> int:
    """Return the number of bytes for all pairs."""
    return 4 * n_rows * (n_rows - 1)
