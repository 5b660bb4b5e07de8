"""How far views agree on data without clusters that have the columns of given data."""

from collections.abc import Callable, Mapping

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.diagnose._k_evidence import Agreement
from consilience.diagnose._k_views import ScaledRows
from consilience.diagnose._null_data import data_of_same_columns, one_mode
from consilience.diagnose._spread_values import has_few_values

# Data sets that are made, and of how many objects at most.
_N_SETS = 2
_ROWS = 500


class NullAgreement:
    """What the views of one scaling say about data without clusters, which are made when needed.

    They have the rank correlations and the columns of the data. If `fill_valleys`, columns have no
    valleys: clusters that differ in one column alone would otherwise be in them too. Columns with few
    values stay as they are.

    agreements  makes the views of data and compares them
    clusters    labels of clusters that are kept: there are no clusters inside them
    """

    def __init__(
        self,
        scaled: ScaledRows,
        agreements: Callable[[ScaledRows], Mapping[int, Agreement]],
        rng: np.random.Generator,
        *,
        fill_valleys: bool,
        verbose: int | None,
        clusters: Array | None = None,
    ) -> None:
        self._scaled, self._agreements, self._rng, self._verbose = scaled, agreements, rng, verbose
        self._found: list[Mapping[int, Agreement]] = []
        rows = scaled.few
        clusters = np.zeros(len(rows), dtype=np.int32) if clusters is None else clusters
        if len(rows) > _ROWS:
            chosen = rng.choice(len(rows), _ROWS, replace=False)
            rows, clusters = rows[chosen], clusters[chosen]
        self._parts = [np.flatnonzero(clusters == cluster) for cluster in np.unique(clusters)]
        self._rows = rows
        if fill_valleys:
            self._rows = np.empty_like(rows)
            for part in self._parts:
                filled = [_without_valleys(x) for x in rows[part].T]
                self._rows[part] = np.stack(filled, axis=1)

    def quality(self, enough: float) -> float:
        """Return the best quality of any number in any set; if it is enough, no more sets are made."""
        return self._make(enough)

    def excess(self, found: Mapping[int, Agreement]) -> dict[int, float]:
        """Return by how much the score of every number is higher in the data, on average."""
        self._make(np.inf)
        in_all = set.intersection(set(found), *(set(one) for one in self._found))
        return {
            k: found[k].score - float(np.mean([one[k].score for one in self._found]))
            for k in sorted(in_all)
        }

    def _make(self, enough: float) -> float:
        """Make sets until the best quality is enough, and return it."""
        with progress("Data without clusters", _N_SETS, self._verbose) as advance:
            advance(len(self._found))
            while self._best() < enough and len(self._found) < _N_SETS:
                null = np.empty_like(self._rows)
                for part in self._parts:
                    null[part] = data_of_same_columns(self._rows[part], self._rng)
                scaled = self._scaled._replace(rows=null, few=null, even=null)
                self._found.append(self._agreements(scaled))
                advance(1)
        return self._best()

    def _best(self) -> float:
        return max((one.quality for found in self._found for one in found.values()), default=0.0)


def _without_valleys(column: Array) -> Array:
    return column if has_few_values(column) else one_mode(column)
