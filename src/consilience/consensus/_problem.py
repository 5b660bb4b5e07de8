"""An ensemble reduced to what a consensus function has to work on, and the way back."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from consilience._utils._memory import memory_limit
from consilience.consensus._constraints import Constraints
from consilience.consensus._doubts import Doubt
from consilience.consensus._trust import doubts_about_objects, members_that_know
from consilience.ensemble import Ensemble, bytes_merged, canonical_labels

Array = np.ndarray[Any, Any]

# Merging identical rows pays from this share of distinct rows down.
_MERGE_BELOW = 0.5


@dataclass(frozen=True)
class Problem:
    """Members that count, objects of which something is known, identical objects merged.

    ensemble       what is left
    n_distinct     distinct rows among the objects; an upper bound if the ensemble is soft
    row_of_object  (n,) the row of `ensemble` that stands for every object, -1 = nothing is known of it;
                   None = each object has its own row
    constraints    on the rows of `ensemble`; objects that are bound are never merged
    """

    ensemble: Ensemble
    n_distinct: int
    row_of_object: Array | None
    constraints: Constraints

    @classmethod
    def reduce(
        cls,
        ensemble: Ensemble,
        n_clusters: int | None,
        *,
        merge: bool,
        constraints: Constraints,
    ) -> Self:
        """Leave out what cannot matter.

        `merge` allows merging identical rows; it is done where it pays, and where there are too few
        distinct rows for K clusters anyway.
        """
        if np.any(ensemble.weights == 0):
            ensemble = ensemble.select(ensemble.weights > 0)
        row_of_object = None
        if ensemble.has_missing:
            known = ensemble.incidence.known()
            if not constraints.are_none:
                known |= constraints.bound
            if not known.all():
                row_of_object = np.where(known, np.cumsum(known) - 1, -1)
                ensemble = ensemble.take(known)
        if ensemble.is_soft:
            bound = constraints.on_rows(row_of_object, ensemble.n_samples)
            return cls(ensemble, ensemble.n_samples, row_of_object, bound)
        apart = None
        if not constraints.are_none:
            apart = (
                constraints.bound
                if row_of_object is None
                else constraints.bound[row_of_object >= 0]
            )
            apart = apart if apart.any() else None
        if ensemble.is_chunked and apart is not None:  # nothing is merged around single rows
            bound = constraints.on_rows(row_of_object, ensemble.n_samples)
            return cls(ensemble, ensemble.n_samples, row_of_object, bound)
        n_distinct = (
            ensemble.n_profiles if apart is None else len(ensemble.profiles(apart=apart).ensemble)
        )
        too_few = n_clusters is not None and n_distinct < n_clusters
        if too_few or (merge and _merging_pays(ensemble, n_distinct)):
            profiles = ensemble.profiles(apart=apart)
            merged = profiles.inverse
            row_of_object = (
                merged
                if row_of_object is None
                else np.where(row_of_object < 0, -1, merged[row_of_object])
            )
            ensemble = profiles.ensemble
        return cls(
            ensemble,
            n_distinct,
            row_of_object,
            constraints.on_rows(row_of_object, ensemble.n_samples),
        )

    @property
    def unknown(self) -> Array:
        """Return which objects no member knows, (n,)."""
        if self.row_of_object is None:
            return np.zeros(self.ensemble.n_samples, dtype=bool)
        return self.row_of_object < 0

    def of_objects(self, values: Array) -> Array:
        """Return the values of the rows that stand for the objects; any value for unknown ones."""
        return values if self.row_of_object is None else values[self.row_of_object]

    def expand(self, labels: Array) -> Array:
        """Return canonical labels of all objects; unknown ones join the largest cluster."""
        if self.row_of_object is None:  # every object is known: no mask of all objects is made
            return canonical_labels(labels)[0]
        everywhere, unknown = self.of_objects(labels), self.unknown
        if unknown.any():
            everywhere[unknown] = np.bincount(everywhere[~unknown]).argmax()
        return canonical_labels(everywhere)[0]

    def doubts_about_objects(self) -> list[Doubt]:
        """Return doubts about objects that no member knows, or one alone."""
        known = members_that_know(self.ensemble)
        if self.row_of_object is not None:
            known = np.where(self.unknown, 0, known[self.row_of_object])
        elif not self.ensemble.has_missing and self.ensemble.n_members > 1:
            return []  # without a look at all objects, which may be a billion
        return doubts_about_objects(known, self.unknown, placed=True)


def _merging_pays(ensemble: Ensemble, n_distinct: int) -> bool:
    if n_distinct > _MERGE_BELOW * ensemble.n_samples:
        return False
    needed = bytes_merged(n_distinct, ensemble.n_samples, ensemble.n_members)
    return not ensemble.is_chunked or needed <= memory_limit()
