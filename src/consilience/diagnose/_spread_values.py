"""Columns with few values, spread so that the gaps between neighbouring values disappear.

Rounded measurements, counts, answers from 1 to 5 and yes / no have gaps between their values that are no
valleys. Tests of borders would take them for valleys.
"""

import numpy as np

from consilience._utils._types import Array

# A column is spread if it has at most this share of distinct values.
_FEW_VALUES = 0.5
# Spreading may add at most so many times the variance of the column. Rare values are left alone: spread,
# the column would be noise.
_MOST_VARIANCE = 2.0


def spread_values(X: Array) -> Array:
    """Spread equal values of a column evenly, in random order, up to half of the way to the next value.

    Gaps that are wider than the usual one stay, except for their usual part. Copies of a row stay
    copies.
    """
    rng = np.random.default_rng(0)
    distinct, row_of = np.unique(X, axis=0, return_inverse=True)
    few = [has_few_values(column) for column in distinct.T]
    if not any(few):
        return X
    columns = [
        _spread(column, rng) if is_few else column
        for column, is_few in zip(distinct.T, few, strict=True)
    ]
    return np.stack(columns, axis=1)[row_of.ravel()]


def has_few_values(column: Array) -> bool:
    """Say whether a column has at most half as many values as objects, as counts and rounded ones do."""
    return len(np.unique(column)) <= _FEW_VALUES * len(column)


def _spread(column: Array, rng: np.random.Generator) -> Array:
    values, value_of, counts = np.unique(column, return_inverse=True, return_counts=True)
    if len(values) == 1:
        return column
    gaps = np.diff(values)
    usual = float(np.median(gaps))
    gaps = np.concatenate([[usual], np.minimum(gaps, usual), [usual]])
    below, above = values - gaps[:-1] / 2, values + gaps[1:] / 2
    order = np.lexsort((rng.random(len(column)), value_of))
    rank = np.empty(len(column))
    rank[order] = np.arange(len(column))
    share = (rank - (np.cumsum(counts) - counts)[value_of] + 0.5) / counts[value_of]
    spread: Array = below[value_of] + share * (above - below)[value_of]
    if np.square(spread - column).mean() > _MOST_VARIANCE * column.var():
        return column
    return spread
