"""Whether given clusters are separated, tested as candidates for k are."""

import math
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.diagnose._examined_views import ALPHA
from consilience.diagnose._k_choice import TOO_FEW
from consilience.diagnose._k_views import few_columns
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import FEWEST, Seams
from consilience.diagnose._spread_values import spread_values
from consilience.generate.internals import one_thread


class Separation(NamedTuple):
    """The p-value of the least separated cluster; NaN if it was not tested, and why it was not."""

    p_value: float
    why_not: str = ""

    @property
    def separated(self) -> bool | None:
        """Say whether every cluster is separated from the rest; None = not tested."""
        return is_separated(self.p_value)


def is_separated(p_value: float | None) -> bool | None:
    """Say whether a p-value of the least separated cluster is small; None = there is none."""
    if p_value is None or math.isnan(p_value):
        return None
    return p_value <= ALPHA


def separation_of(
    X: Any, labels: Array, rows: Array, level: float = ALPHA, seen: Array | None = None
) -> Separation:
    """Test labels as candidates for k are tested: the p-value of the least separated cluster.

    On some rows; a cluster that has none of them is not tested. Valleys are looked for where the border
    of a cluster does not reach the level, so that clusters which were found separated at this level have
    the same p-value here.

    seen  these rows as they were seen when the number of clusters was chosen; None if it was not
    """
    tested = np.unique(labels[rows], return_inverse=True)[1]
    if len(rows) < TOO_FEW:
        verb = "is" if len(rows) == 1 else "are"
        why = f"{plural(len(rows), 'object')} {verb} too few ({TOO_FEW} are needed)"
        return Separation(float("nan"), why)
    if tested.max() == 0:
        return Separation(float("nan"), "all objects that were tested are in the same cluster")
    smallest = int(np.bincount(tested).min())
    if smallest < FEWEST:
        among = "" if len(rows) == len(labels) else f" among the {len(rows):,} that were tested"
        size = f"{plural(smallest, 'object')}{among}"
        why = f"the smallest cluster is too small, {size} ({FEWEST} are needed)"
        return Separation(float("nan"), why)
    with one_thread():
        graph = NeighbourGraph.of(spread_values(few_columns(X[rows])) if seen is None else seen)
        return Separation(float(Seams(graph, tested).p_values(level).max()))
