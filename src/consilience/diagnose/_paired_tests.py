"""Paired t tests between columns of figures, and the ranking notation of the literature."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from consilience._utils._types import Array

SIGNIFICANT = 0.05
# Figures between 0 and 1 that differ by less are the same figure.
_ROUNDING = 1e-12


def paired_p_values(table: Array) -> Array:
    """Two-sided p values of paired t tests between all columns, (f, f).

    Equal columns have p = 1; columns a constant apart, on more than one row, have p = 0. One row, or
    none, allows no test: NaN off the diagonal.
    """
    n_columns = table.shape[1]
    p_values = np.ones((n_columns, n_columns))
    for a in range(n_columns):
        for b in range(a):
            p_values[a, b] = p_values[b, a] = _p_value(table[:, a], table[:, b])
    return p_values


def _p_value(first: Array, second: Array) -> float:
    from scipy.stats import ttest_rel

    difference = first - second
    if not len(difference):
        return np.nan
    if np.abs(difference).max() <= _ROUNDING:
        return 1.0
    if len(difference) < 2:
        return np.nan
    if np.ptp(difference) <= _ROUNDING:
        return 0.0
    return float(ttest_rel(first, second).pvalue)


def ranking(names: Sequence[str], means: Array, p_values: Array) -> str:
    """Write "A < B <= C": worst first; < is worse and significant, <= is worse or equal and not."""
    order = np.argsort(means, kind="stable")
    text = str(names[order[0]])
    for worse, better in pairwise(order):
        sign = "<" if p_values[worse, better] < SIGNIFICANT else "<="
        text += f" {sign} {names[better]}"
    return text
