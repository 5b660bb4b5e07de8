"""Bounds by which rows that cannot change their label are skipped in the next sweep."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._layout import Layout
from consilience.incidence._screen import is_whole, largest_sum

if TYPE_CHECKING:
    from consilience.incidence._prepared import Prepared
    from consilience.incidence._sweep import Assigned


# Minimum number of rows for which bounds save time.
_MANY_ROWS = 1 << 15
# Minimum number of labels per cell of the table and per competing label, so that comparing tables is
# cheap.
_LABELS_PER_CELL = 16
# Integers up to this are exact in float64, and so are their differences.
_EXACT = 2.0**52


class Limits(NamedTuple):
    """Limits for the leads in a sweep.

    keep   (K,) a row of label k keeps it if its stored lead is at least keep[k]
    spent  (K,) the decrease of the leads of label k since they are stored, which is added to stored
           leads
    error  bound of the rounding error of the difference of two sums
    """

    keep: Array
    spent: Array
    error: float


class Leads:
    """Lower bounds of the difference between the largest and the second largest sum of every row.

    This difference, the lead, is computed when a row is processed. Between two tables it decreases by
    at most a number that depends on the label alone, so a row is processed again only if its lead may
    have become negative. All bounds are rounded to the safe side: the labels are those of a sweep over
    all rows.

    Parameters
    ----------
    stored : array (n,) of float32, in the memory of the engine
        Leads plus `limits.spent`; -inf if unknown.
    table, bias : array (t, K), array (K,)
        The last table and bias.
    limits : Limits
        The same for every row of a label.
    """

    def __init__(self, stored: Any, table: Array, bias: Array, limits: Limits) -> None:
        self.stored: Any = stored
        self.limits = limits
        # Copies, because callers may overwrite the table.
        self._table = table.copy()
        self._bias = bias.copy()
        self._labels: Array | None = None

    @classmethod
    def pay(cls, layout: Layout, n_rows: int, width: int) -> bool:
        """Whether bounds are cheap compared with a sweep; depends on the shape alone."""
        cells = layout.n_columns * width
        return n_rows >= _MANY_ROWS and n_rows * layout.n_members >= _LABELS_PER_CELL * cells

    @classmethod
    def following(
        cls,
        assigned: "Assigned",
        prepared: "Prepared",
        layout: Layout,
        unknown: Callable[[], Any],
    ) -> Self | None:
        """Return the leads for the next table; None if numbers are not finite, or `unknown` says so.

        The vector of leads is moved to the new object, so that there is only one copy; it is replaced
        by a vector of unknown leads if it belongs to other labels.
        """
        table, bias = prepared.table, prepared.bias
        if not (np.isfinite(table).all() and np.isfinite(bias).all()):
            return None
        error = _rounding(table, bias, layout)
        before: Leads | None = assigned.leads
        stored = None if before is None else before._taken(assigned.labels, table.shape)  # noqa: SLF001
        if before is None or stored is None:
            spent, stored = np.zeros(table.shape[1]), unknown()
            if stored is None:
                return None
            return cls(stored, table, bias, Limits(spent + error, spent, error))
        spent = before.limits.spent + before._losses(table, bias, error, layout)  # noqa: SLF001
        return cls(stored, table, bias, Limits(spent + error, spent, error))

    def kept_for(self, labels: Array) -> Self:
        """Store the labels to which the leads belong."""
        self._labels = labels
        return self

    def _taken(self, labels: Array, shape: tuple[int, ...]) -> Any:
        stored, self.stored = self.stored, None
        return stored if self._labels is labels and self._table.shape == shape else None

    def _losses(self, table: Array, bias: Array, error: float, layout: Layout) -> Array:
        from consilience._kernels._leads import largest_losses

        losses = np.empty(len(bias))
        largest_losses(table - self._table, layout.starts, bias - self._bias, losses)
        # The error of sums of differences is at most that of the sums; integers have none.
        slack = 2 * (error + self.limits.error)
        return losses + slack + (1e-15 * np.abs(self.limits.spent) if slack else 0.0)


def _rounding(table: Array, bias: Array, layout: Layout) -> float:
    """Return a bound of the rounding error of the difference of two sums in float64."""
    largest = largest_sum(table, bias, layout)
    if is_whole(table) and is_whole(bias) and largest <= _EXACT:
        return 0.0
    return 4 * (layout.n_members + 2) * float(np.finfo(np.float64).eps) * largest
