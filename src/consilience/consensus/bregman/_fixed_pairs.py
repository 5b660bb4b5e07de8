"""Pairs of rows whose entry in M is fixed by a constraint."""

from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import coo_array, csr_array

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints
from consilience.ensemble import Ensemble


class FixedPairs(NamedTuple):
    """P pairs of rows that must be together or apart.

    first, second  (P,) the rows
    together       (P,) whether they must be together; else apart
    agreements     (P, r) how far every member puts them together, M_j
    multiplicity   (P,) how often the entry of the pair counts: both orders, times both row weights
    n_rows         rows of M
    """

    first: Array
    second: Array
    together: Array
    agreements: Array
    multiplicity: Array
    n_rows: int

    @classmethod
    def of(cls, ensemble: Ensemble, constraints: Constraints) -> Self:
        """Compute the agreement of the members on the constrained pairs."""
        first, second, together = constraints.pairs()
        require_memory(
            16 * len(first) * ensemble.n_members,
            f"The agreements of {ensemble.n_members} members on {len(first)} constrained pairs",
            "Give fewer labelled objects or pairs.",
        )
        multiplicity = np.full(len(first), 2.0)
        if ensemble.sample_weight is not None:
            multiplicity *= ensemble.sample_weight[first] * ensemble.sample_weight[second]
        agreements = _agreements(ensemble, first, second)
        return cls(first, second, together, agreements, multiplicity, ensemble.n_samples)

    def __bool__(self) -> bool:
        """Whether there are any pairs."""
        return len(self.first) > 0

    def matrix(self, values: Array) -> csr_array:
        """Return a symmetric (n, n) matrix with the values at the pairs."""
        rows = np.concatenate([self.first, self.second])
        columns = np.concatenate([self.second, self.first])
        both = np.concatenate([values, values])
        return coo_array((both, (rows, columns)), (self.n_rows, self.n_rows)).tocsr()


def _agreements(ensemble: Ensemble, first: Array, second: Array) -> Array:
    chosen = np.zeros(ensemble.n_samples, dtype=bool)
    chosen[first] = chosen[second] = True
    # Only the rows of the pairs are read.
    rows, place = ensemble.incidence.stored_rows(chosen), np.cumsum(chosen) - 1
    left, right = rows[place[first]], rows[place[second]]
    if ensemble.is_soft:
        return ensemble.layout.sum_by_member(left.astype(np.float64) * right, axis=1)
    agree: Array = (left == right) & (left > 0)
    return agree.astype(np.float64)
