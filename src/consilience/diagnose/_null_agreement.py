"""How far views agree on data without clusters that have the columns of given data."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._progress import progress
from consilience.diagnose._k_evidence import Agreement
from consilience.diagnose._k_views import ScaledRows
from consilience.diagnose._null_data import data_of_same_columns, one_mode
from consilience.diagnose._spread_values import has_few_values

Array = np.ndarray[Any, Any]

# Data sets that are made, and of how many objects at most.
_N_SETS = 2
_ROWS = 500


class NullAgreement(NamedTuple):
    """What the views of one scaling say about data without clusters.

    quality  best quality of any number of clusters, in any set
    scores   mean score of every number over the sets
    """

    quality: float
    scores: dict[int, float]

    def excess(self, found: Mapping[int, Agreement]) -> dict[int, float]:
        """Return by how much the score of every number is higher in the data."""
        return {k: one.score - self.scores[k] for k, one in found.items() if k in self.scores}


def null_agreement(
    scaled: ScaledRows,
    agreements: Callable[[ScaledRows], Mapping[int, Agreement]],
    rng: np.random.Generator,
    *,
    fill_valleys: bool,
    verbose: int | None,
    clusters: Array | None = None,
) -> NullAgreement:
    """Make data without clusters, and see how far the views agree on them.

    They have the rank correlations and the columns of the data. If `fill_valleys`, columns have no
    valleys: clusters that differ in one column alone would otherwise be in them too. Columns with few
    values stay as they are.

    agreements  makes the views of data and compares them
    clusters    labels of clusters that are kept: there are no clusters inside them
    """
    rows = scaled.few
    clusters = np.zeros(len(rows), dtype=np.int32) if clusters is None else clusters
    if len(rows) > _ROWS:
        chosen = rng.choice(len(rows), _ROWS, replace=False)
        rows, clusters = rows[chosen], clusters[chosen]
    parts = [np.flatnonzero(clusters == cluster) for cluster in np.unique(clusters)]
    if fill_valleys:
        filled = np.empty_like(rows)
        for part in parts:
            filled[part] = np.stack([_without_valleys(x) for x in rows[part].T], axis=1)
        rows = filled
    found = []
    with progress("Data without clusters", _N_SETS, verbose) as advance:
        for _ in range(_N_SETS):
            null = np.empty_like(rows)
            for part in parts:
                null[part] = data_of_same_columns(rows[part], rng)
            found.append(agreements(scaled._replace(rows=null, few=null, even=null)))
            advance(1)
    in_all = set.intersection(*(set(one) for one in found))
    return NullAgreement(
        max((agreed.quality for one in found for agreed in one.values()), default=0.0),
        {k: float(np.mean([one[k].score for one in found])) for k in sorted(in_all)},
    )


def _without_valleys(column: Array) -> Array:
    return column if has_few_values(column) else one_mode(column)
