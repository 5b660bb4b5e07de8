"""Accuracy by optimal matching."""

from typing import Any

from scipy.optimize import linear_sum_assignment

from consilience._utils._memory import require_memory
from consilience.metrics._contingency import contingency


def accuracy(labels: Any, truth: Any) -> float:
    """Share of objects that are right under the best one-to-one matching of clusters and classes.

    Clusters left without a class count as errors. See `purity` for the many-to-one form.

    Examples
    --------
    >>> accuracy([0, 0, 1, 2], ["x", "x", "y", "y"])
    0.75
    """
    table = contingency(labels, truth)
    cells = len(table.row_sums) * len(table.column_sums)
    require_memory(
        3 * 8 * cells,
        f"Matching {len(table.row_sums)} clusters with {len(table.column_sums)} classes",
        "Use nmi or ari, which need no matching.",
    )
    dense = table.dense()
    rows, columns = linear_sum_assignment(dense, maximize=True)
    return float(dense[rows, columns].sum() / table.n_objects)
