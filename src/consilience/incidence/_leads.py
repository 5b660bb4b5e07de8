"""Which rows cannot change their label in the next sweep: how far the winner of every row leads."""

from typing import Any, NamedTuple, Self

import numpy as np

from consilience.incidence._layout import Layout
from consilience.incidence._screen import is_whole, largest_sum

Array = np.ndarray[Any, Any]

# Rows from which on the few calls that bounds take are less work than what they save.
_MANY_ROWS = 1 << 15
# Labels that are read for every cell of the table and every rival, so that comparing tables is cheap.
_LABELS_PER_CELL = 16
# Whole numbers up to this are exact in float64, and so are their differences.
_EXACT = 2.0**52


class Limits(NamedTuple):
    """What a sweep needs to know about leads.

    keep   (K,) a row of label k keeps it if its stored lead is at least keep[k]
    spent  (K,) what rows of label k may have lost since leads are kept; stored leads have it on top
    error  what rounding can do to the difference of two sums
    """

    keep: Array
    spent: Array
    error: float


class Leads:
    """By how much the sum of every row's label is ahead of its other sums, at least.

    A lead is measured when a row is looked at. Between two tables it shrinks by at most a number that
    depends on the label alone, so a row is looked at again only when its lead may be used up. All
    bounds are rounded to the safe side: labels are those that a sweep over all rows gives.

    Parameters
    ----------
    stored : array (n,) of float32
        Leads with `limits.spent` on top; -inf where nothing is known.
    table, bias : array (t, K), array (K,)
        What the sums were last compared for.
    limits : Limits
        The same for every row of a label.
    """

    def __init__(self, stored: Array, table: Array, bias: Array, limits: Limits) -> None:
        self.stored: Array | None = stored
        self.limits = limits
        # Copies: callers may write the next table over this one.
        self._table = table.copy()
        self._bias = bias.copy()
        self._labels: Array | None = None

    @classmethod
    def pay(cls, layout: Layout, n_rows: int, width: int) -> bool:
        """Say whether a sweep is so much work that bounds cost little beside it; by shape alone."""
        cells = layout.n_columns * width
        return n_rows >= _MANY_ROWS and n_rows * layout.n_members >= _LABELS_PER_CELL * cells

    @classmethod
    def following(
        cls, before: "Leads | None", labels: Array, table: Array, bias: Array, layout: Layout
    ) -> Self | None:
        """Return the leads for the next table; None if numbers are not finite.

        The vector of leads moves from one object to the next, so that there is only one of them; what
        was known is forgotten if the labels are not those it belongs to.
        """
        if not (np.isfinite(table).all() and np.isfinite(bias).all()):
            return None
        error = _rounding(table, bias, layout)
        stored = None if before is None else before._taken(labels, table.shape)  # noqa: SLF001
        if before is None or stored is None:
            spent = np.zeros(table.shape[1])
            unknown = np.full(len(labels), -np.inf, dtype=np.float32)
            return cls(unknown, table, bias, Limits(spent + error, spent, error))
        spent = before.limits.spent + before._losses(table, bias, error, layout)  # noqa: SLF001
        return cls(stored, table, bias, Limits(spent + error, spent, error))

    def kept_for(self, labels: Array) -> Self:
        """Note which labels the leads belong to."""
        self._labels = labels
        return self

    def _taken(self, labels: Array, shape: tuple[int, ...]) -> Array | None:
        stored, self.stored = self.stored, None
        return stored if self._labels is labels and self._table.shape == shape else None

    def _losses(self, table: Array, bias: Array, error: float, layout: Layout) -> Array:
        from consilience._kernels._leads import largest_losses

        losses = np.empty(len(bias))
        largest_losses(table - self._table, layout.starts, bias - self._bias, losses)
        # Errors of the sums of differences are at most those of the sums; whole numbers have none.
        slack = 2 * (error + self.limits.error)
        return losses + slack + (1e-15 * np.abs(self.limits.spent) if slack else 0.0)


def _rounding(table: Array, bias: Array, layout: Layout) -> float:
    """Return what rounding can do to the difference of two sums in float64."""
    largest = largest_sum(table, bias, layout)
    if is_whole(table) and is_whole(bias) and largest <= _EXACT:
        return 0.0
    return 4 * (layout.n_members + 2) * float(np.finfo(np.float64).eps) * largest
