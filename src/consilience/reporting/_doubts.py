"""Reasons to doubt a result: those that its fit found, and those that only a report can find."""

from collections.abc import Callable, Iterator

import numpy as np

from consilience.answer import ConsensusClustering
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    BROKEN_CONSTRAINTS,
    broken_constraints,
    doubts_about,
    doubts_about_chance,
    doubts_about_clusters,
)
from consilience.reporting._chance import WITHOUT_CLUSTERS
from consilience.reporting._result import Result


def find_doubts(result: Result, id_of: Callable[[int], str]) -> list[Doubt]:
    """Return what should be known before the result is used.

    Parameters
    ----------
    result : Result
        What the report is about.
    id_of : function
        From the position of an object to its name.
    """
    model = result.estimator
    if isinstance(model, ConsensusClustering):
        return list(_named(model.doubts_, result, id_of))
    found = doubts_about(result.labels, result.ensemble) if model is None else model.doubts_
    found = list(_named(found, result, id_of))
    if result.n_clusters > 1 and np.isfinite(result.mean_confidence):
        found += doubts_about_chance(
            result.mean_confidence,
            result.chance_confidence,
            WITHOUT_CLUSTERS,
            separated=None,
        )
    return [*found, *doubts_about_clusters(result.sizes, result.stability, result.names)]


def _named(doubts: list[Doubt], result: Result, id_of: Callable[[int], str]) -> Iterator[Doubt]:
    """Call objects by the names that the report knows, which the fit need not have known."""
    for doubt in doubts:
        if doubt.code == BROKEN_CONSTRAINTS:
            name = type(result.function).__name__
            yield from broken_constraints(name, result.function.constraints_, id_of)
        else:
            yield doubt
