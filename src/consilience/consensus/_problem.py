"""Reduction of an ensemble to the rows and members that matter, and expansion of the result."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from consilience._utils._memory import memory_limit
from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints
from consilience.consensus._doubts import Doubt
from consilience.consensus._trust import doubts_about_objects, members_that_know
from consilience.ensemble import Ensemble, bytes_merged, canonical_labels

# Identical rows are merged if the share of distinct rows is at most this.
_MERGE_BELOW = 0.5


@dataclass(frozen=True)
class Problem:
    """Members with positive weight, objects with at least one label, identical objects merged.

    whole          the ensemble of all objects and members
    ensemble       the reduced ensemble
    n_distinct     distinct rows among the objects; an upper bound if the ensemble is soft
    row_of_object  (n,) the row of `ensemble` that represents every object, -1 = it has no label;
                   None = each object has its own row
    constraints    on the rows of `ensemble`; constrained objects are never merged
    """

    whole: Ensemble
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
        """Remove members and objects that cannot change the result.

        `merge` allows merging identical rows; it is done where it saves time, and where there are
        fewer than K distinct rows.
        """
        whole = ensemble
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
            return cls(whole, ensemble, ensemble.n_samples, row_of_object, bound)
        apart = None
        if not constraints.are_none:
            apart = (
                constraints.bound
                if row_of_object is None
                else constraints.bound[row_of_object >= 0]
            )
            apart = apart if apart.any() else None
        if ensemble.is_chunked and apart is not None:  # chunks are not merged then
            bound = constraints.on_rows(row_of_object, ensemble.n_samples)
            return cls(whole, ensemble, ensemble.n_samples, row_of_object, bound)
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
            whole,
            ensemble,
            n_distinct,
            row_of_object,
            constraints.on_rows(row_of_object, ensemble.n_samples),
        )

    @classmethod
    def of_all_objects(cls, ensemble: Ensemble, constraints: Constraints) -> Self:
        """Keep every object as a row of its own, for functions that know more than the labels."""
        whole = ensemble
        if np.any(ensemble.weights == 0):
            ensemble = ensemble.select(ensemble.weights > 0)
        return cls(whole, ensemble, ensemble.n_samples, None, constraints)

    @property
    def unknown(self) -> Array:
        """Return a mask of the objects that no member labels, (n,)."""
        if self.row_of_object is None:
            return np.zeros(self.ensemble.n_samples, dtype=bool)
        return self.row_of_object < 0

    def of_objects(self, values: Array) -> Array:
        """Return the value of every object from its row; arbitrary for objects without a label."""
        return values if self.row_of_object is None else values[self.row_of_object]

    @property
    def n_objects(self) -> int:
        """Return the number of objects before the reduction."""
        return self.ensemble.n_samples if self.row_of_object is None else len(self.row_of_object)

    def of_rows(self, values: Array) -> Array:
        """Return the value of every row from its first object."""
        if self.row_of_object is None:
            return values
        rows = np.empty(self.ensemble.n_samples, dtype=values.dtype)
        known = np.flatnonzero(self.row_of_object >= 0)[::-1]
        rows[self.row_of_object[known]] = values[known]  # the first object is written last
        return rows

    def expand(self, labels: Array) -> Array:
        """Return canonical labels of all objects; those without a label join the largest cluster."""
        if self.row_of_object is None:  # every object has a label, so no mask is needed
            return canonical_labels(labels)[0]
        everywhere, unknown = self.of_objects(labels), self.unknown
        if unknown.any():
            everywhere[unknown] = np.bincount(everywhere[~unknown]).argmax()
        return canonical_labels(everywhere)[0]

    def doubts_about_objects(self) -> list[Doubt]:
        """Return doubts about objects that no member labels, or only one."""
        known = members_that_know(self.ensemble)
        if self.row_of_object is not None:
            known = np.where(self.unknown, 0, known[self.row_of_object])
        elif not self.ensemble.has_missing and self.ensemble.n_members > 1:
            return []  # avoids reading all objects, of which there may be a billion
        return doubts_about_objects(known, self.unknown, placed=True)


def _merging_pays(ensemble: Ensemble, n_distinct: int) -> bool:
    if n_distinct > _MERGE_BELOW * ensemble.n_samples:
        return False
    needed = bytes_merged(n_distinct, ensemble.n_samples, ensemble.n_members)
    return not ensemble.is_chunked or needed <= memory_limit()
