"""The answer if the views show no clusters: one, or too weak evidence to tell."""

from abc import ABC, abstractmethod

import numpy as np
from scipy.sparse import issparse

from consilience._utils._words import plural
from consilience.diagnose._answered_views import AnsweredViews
from consilience.diagnose._columns_with_valleys import columns_with_valleys
from consilience.diagnose._distinct_rows import n_distinct
from consilience.diagnose._k_choice import CLUSTERS, ONE, UNSURE, KChoice
from consilience.diagnose._k_evidence import Agreement
from consilience.diagnose._k_views import MANY_COLUMNS, ScaledRows, few_columns
from consilience.diagnose._mixture_evidence import mixture_evidence
from consilience.diagnose._seams import FEWEST

# With fewer objects a test that finds nothing says little.
_FEW_OBJECTS = 100
# Without separated clusters, views that agree less than this are no evidence of clusters.
_WEAK = 0.6
# A valley in a single column needs a p-value of at most this times alpha, divided by the columns.
_OF_COLUMN = 0.01
# By how much the quality of the best number must be above that of data without clusters.
_BEYOND_NULL, _BEYOND_NULL_ON_A_PLANE = 0.15, 0.25


class NoClusters(AnsweredViews, ABC):
    """Views that do not end with the same clusters, and agree on no number."""

    @abstractmethod
    def choice(self) -> KChoice:
        """Examine the data and decide."""

    def _one_or_unsure(self, why_not: str) -> KChoice:
        """Say "one" unless the views agree too well for that, or a mixture is too good for that.

        why_not  why separated clusters of most views, if there are any, are not the answer
        """
        none = self._why_none(why_not)
        return (
            self._groups_of_copies()
            or self._by_agreement(none)
            or self._by_columns(none)
            or self._by_mixture(none)
            or self._answer(ONE, 1, None, none + self._weak_agreement())
        )

    def _why_none(self, why_not: str) -> str:
        """Say what the tests of borders have found."""
        ending = self.ends.ending(self._level_of_one)
        n_views, several = len(ending.merged), ending.several
        if 2 * several > n_views:
            return (
                f"{several} of {n_views} views have separated clusters (p at most "
                f"{self._level_of_one:g}), but {why_not}"
            )
        none = (
            f"in {n_views - several} of {n_views} views no cluster has a border that is clearly "
            f"thinner than a cut through a cluster (p would have to be at most {self._level_of_one:g})"
        )
        if several == 0:
            return none
        have = "has" if several == 1 else "have"
        return f"{several} of {n_views} views {have} separated clusters; {none}"

    def _groups_of_copies(self) -> KChoice | None:
        """Return a guess if there are so few distinct rows that each of them could be a cluster."""
        number = n_distinct(self.X)
        if number == 1:
            return self._answer(ONE, 1, None, "all rows are equal")
        if not 1 < number <= min(self.settings.candidates[-1], self.n_rows // FEWEST):
            return None
        reason = (
            f"there are only {number} distinct rows, and any group of equal rows may be a cluster"
        )
        if self.settings.given and number not in self.settings.candidates:
            nearest = self._nearest_candidate(number)
            reason += f", but {number} is no candidate; {nearest} is the nearest one"
            number = nearest
        agreed = self.agreements.get(number)
        return self._answer(UNSURE, number, None if agreed is None else agreed.best, reason)

    def _by_agreement(self, none: str) -> KChoice | None:
        """Return a guess if views agree far better than on data without clusters, or on few objects."""
        for scaled in self._scaled:
            agreed = self._best_quality(scaled)
            if agreed is None:
                continue
            if self.n_rows < _FEW_OBJECTS:
                return self._agreed(
                    UNSURE,
                    agreed,
                    f"{none}, but with {plural(self.n_rows, 'object')} that means little; the views "
                    f"agree on this number (they share {agreed.shared:.0%} of the information)",
                )
            null = self._null(scaled).quality(agreed.quality - self._beyond)
            if agreed.quality > null + self._beyond:
                return self._agreed(
                    UNSURE,
                    agreed,
                    f"{none}, but the views agree far better than on data without clusters "
                    f"({agreed.quality:.2f} against {null:.2f} at most)",
                )
        return None

    def _weak_agreement(self) -> str:
        """Say how far views agree, if it is not far better than on data without clusters."""
        weak = []
        for scaled in self._scaled:
            agreed = self._best_quality(scaled)
            if agreed is not None:
                null = self._null(scaled).quality(agreed.quality - self._beyond)
                weak.append(f'{agreed.quality:.2f} against {null:.2f} with scaling "{scaled.name}"')
        if not weak:
            return ""
        return (
            "; the views do not agree far better than on data without clusters "
            f"({', '.join(weak)}; a difference of {self._beyond:g} would be evidence)"
        )

    @property
    def _beyond(self) -> float:
        return _BEYOND_NULL_ON_A_PLANE if self._on_a_plane else _BEYOND_NULL

    def _best_quality(self, scaled: ScaledRows) -> Agreement | None:
        """Return the number on which the views of a scaling agree best, if they agree at all."""
        found = self._agreements_of(scaled.name).values()
        agreed = max(found, key=lambda one: one.quality, default=None)
        return None if agreed is None or agreed.quality < _WEAK else agreed

    def _by_columns(self, none: str) -> KChoice | None:
        """Return a guess if some of the columns alone show clusters that the others hide."""
        n_columns = self.X.shape[1]
        if issparse(self.X) or n_columns > MANY_COLUMNS or not self._in_space:
            return None
        columns = columns_with_valleys(self.X, _OF_COLUMN * self.settings.alpha)
        if not 0 < len(columns) < n_columns:
            return None
        some = "column" if len(columns) == 1 else "columns"
        some = f"{some} {', '.join(map(str, columns))} (counted from 0)"
        found = type(self)(self.X[:, columns], self.rows, self.settings).choice()
        if found.answer == CLUSTERS and found.n_clusters in self.agreements:
            return self._agreed(
                UNSURE,
                self.agreements[found.n_clusters],
                f"{none}, but {some} alone would show {plural(found.n_clusters, 'cluster')}, which the "
                "other columns hide",
            )
        agreed = max(self.agreements.values(), key=lambda one: one.quality, default=None)
        if agreed is None:
            return None
        return self._agreed(
            UNSURE,
            agreed,
            f"{none}, but the values of {some} fall into groups with a valley between them",
        )

    def _by_mixture(self, none: str) -> KChoice | None:
        """Return a guess if several normal components are clearly better than one; else None."""
        if self._on_a_plane:
            return None
        found = mixture_evidence(
            few_columns(self.X), np.random.default_rng(self.settings.random_state)
        )
        if found is None or not found.clear or found.n_components not in self.agreements:
            return None
        return self._agreed(
            UNSURE,
            self.agreements[found.n_components],
            f"{none}, but {found.n_components} normal components describe the objects better than "
            "one (compared with simulated data of the same columns without clusters, the gain of log "
            f"likelihood per object is larger by {found.gain - found.null:.2f})",
        )
