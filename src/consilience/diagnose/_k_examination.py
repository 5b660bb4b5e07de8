"""The choice of the number of clusters from what the views of a sample of the objects say."""

from collections.abc import Iterator

import numpy as np

from consilience._utils._progress import progress
from consilience.diagnose._k_choice import (
    CLUSTERS,
    TOO_FEW,
    UNSURE,
    KChoice,
    objects,
)
from consilience.diagnose._k_evidence import (
    Agreement,
    first_before_a_drop,
    smallest_of_nearly_best,
)
from consilience.diagnose._merged_views import SAME, SAME_OF_ONE_NUMBER, Ending, Merged
from consilience.diagnose._no_clusters import NoClusters
from consilience.diagnose._seams import FEWEST

# There is more than one cluster if most views end with more than one: of fewer views than this, all.
_MANY_VIEWS = 5
# Clusters of one scaling are asked for first if the clusters of all views are less similar than this.
_UNLIKE = 0.6
# In fewer than three axes, clusters of all views that are as similar as this are the answer at once.
_CLEARLY_SAME = 0.9
# The same clusters are no answer if the score of their number is below this part of the score of a
# larger one; or below a smaller part, if the views share less than this of the information about that.
_COARSE, _MUCH_TOO_COARSE, _SHARED_OF_LARGER = 0.85, 0.6, 0.6
# In fewer than three axes, and in one scaling, they must share so much of it.
_CLEARLY_SHARED = 0.9
# Of two numbers of clusters that are separated at two levels, the views agree on the larger one too,
# if they share so much of the information and its score is at least this part of that of the other.
_SHARED_TOO, _SCORE_TOO = 0.9, 0.9
# How much higher the score of a larger number k, less that of the separated clusters, must be than in
# data without clusters inside them: this, or if that is less, this divided by k.
_SCORE_INSIDE, _SCORE_TIMES_NUMBER = 0.1, 0.4
# By how much the score of some number must be, if views have separated clusters, but not the same ones:
# for an answer, and for a guess.
_SCORE_BEYOND_NULL, _GUESS_BEYOND_NULL = 0.15, 0.1
# Steps of the progress bar: kinds of members and trees of two scalings, and the merging.
_STEPS = 11


class Examination(NoClusters):
    """The views of one sample of the objects, and the choice."""

    def choice(self) -> KChoice:
        """Look, merge, compare and decide."""
        if self.n_rows < TOO_FEW:
            return self._answer(UNSURE, 1, None, f"{objects(self.n_rows)} too few to tell clusters")
        with progress("Looking at the data", _STEPS, self.settings.verbose) as advance:
            self.examine(advance)
            return self._decide()

    # --- the decision ----------------------------------------------------------------------------

    def _decide(self) -> KChoice:
        """Return the first answer of several attempts, else the first guess, else one or a guess."""
        answer = self._same_clusters(None) or self._not_a_candidate()
        if answer is not None:
            return answer
        guess: KChoice | None = None
        for found in self._attempts():
            if found is not None and found.answer == CLUSTERS:
                return found
            guess = guess or found
        return guess or self._one_or_unsure(self._why_not_these())

    def _attempts(self) -> Iterator[KChoice | None]:
        """Look for clusters, then for a number, first in all views, then in those of one scaling."""
        scalings = [one for one in self.ends.scalings if one and not self._is_contradicted(one)]
        # Clear clusters of one scaling are preferred to a number on which very different views agree.
        if self.ends.ending(self._level).likeness.max() < _UNLIKE:
            yield from map(self._same_clusters, scalings)
        yield self._agreed_number(None)
        for scaling in scalings:
            yield self._same_clusters(scaling)
            yield self._agreed_number(scaling)

    def _same_clusters(self, scaling: str | None) -> KChoice | None:
        """Return the separated clusters with which the views of all scalings, or of one, end.

        At a looser level they are the answer if there are more of them than at a stricter one.
        """
        answer: KChoice | None = None
        levels = {self._level, self.settings.alpha} if scaling is None else {self._level_of_scaling}
        for level in sorted(levels):
            ending = self._ending(level, scaling)
            if not self._are_same(ending):
                continue
            found = self.ends.common(ending)
            why = self._why_loose(level, found.n_clusters, answer)
            if why is None:
                continue
            finer = self._finer(found, ending, level) if scaling is None else None
            if finer is not None:
                return finer
            if not self.settings.given or found.n_clusters in self.settings.candidates:
                answer = self._separated(found, ending, level, why)
        return answer

    def _not_a_candidate(self) -> KChoice | None:
        """Return a guess if the number of separated clusters of all views was not asked for."""
        ending = self._ending(self._level, None)
        if not self.settings.given or not self._are_same(ending):
            return None
        number = self.ends.common(ending).n_clusters
        if number in self.settings.candidates:
            return None
        reason = (
            f"{number} clusters are separated from the rest (each p at most {self._level:g}), but "
            f"{number} is no candidate; "
        )
        agreed = smallest_of_nearly_best(self.agreements.values())
        if agreed is None:
            nearest = self._nearest_candidate(number)
            return self._answer(UNSURE, nearest, None, f"{reason}{nearest} is the nearest one")
        return self._agreed(
            UNSURE,
            agreed,
            f"{reason}of the candidates {agreed.n_clusters} is the smallest on which the views agree "
            f"nearly as well as on any (they share {agreed.shared:.0%} of the information)",
        )

    def _is_contradicted(self, scaling: str) -> bool:
        """Say whether no other test confirms the same clusters of all views of one scaling.

        If only one scaling shows them, a few outliers or a thin place in a curve look like a border.
        """
        if scaling not in self.ends.scalings:
            return False
        ending = self.ends.ending(self._level_of_scaling, scaling)
        return ending.alike and self.ends.contradicted(self.ends.common(ending))

    def _ending(self, level: float, scaling: str | None) -> Ending:
        """Return what the views end with; except on a plane, those with the same number may do."""
        ending = self.ends.ending(level, scaling)
        if scaling is not None or self._on_a_plane:
            return ending
        return ending.of_one_number(SAME_OF_ONE_NUMBER if self._in_space else SAME)

    def _are_same(self, ending: Ending) -> bool:
        """Say whether the views end with the same clusters, and agree on no larger number far better.

        They must share more of the information about the larger number. In fewer than three axes many
        numbers have high scores, because views cut clusters at the same places: there all views are not
        asked if their clusters are clearly the same, and they must clearly agree on the larger number.
        The views of one scaling must clearly agree on it too.
        """
        is_whole = ending.scaling is None and len(ending.merged) == ending.n_views
        is_clear = is_whole and not self._in_space and ending.likeness.max() >= _CLEARLY_SAME
        if not ending.alike or is_clear:
            return ending.alike
        number = self.ends.common(ending).n_clusters
        found = self._agreements_of(ending.scaling)
        larger = [one for k, one in found.items() if k > number]
        best = max(filter(self._has_no_outliers, larger), key=lambda one: one.score, default=None)
        if best is None or number not in found:
            return True
        own = found[number]
        may_agree_less = self._in_space and ending.scaling is None
        least = own.shared if may_agree_less else max(own.shared, _CLEARLY_SHARED)
        coarse = _COARSE if best.shared > _SHARED_OF_LARGER else _MUCH_TOO_COARSE
        return best.shared <= least or own.score >= coarse * best.score

    def _finer(self, found: Merged, ending: Ending, level: float) -> KChoice | None:
        """Return a larger number on which the views agree too, while they do not on the next one.

        Small clusters beside large ones may have no border that a test can find. The score must fall
        less than in data with the separated clusters and without clusters inside them.
        """
        agreed = first_before_a_drop(self.agreements, found.n_clusters) if self._in_space else None
        if agreed is None or agreed.smallest < FEWEST:
            return None
        number = agreed.n_clusters
        gains = []
        for scaled in self._scaled:
            null = self._null_inside(scaled, found.labels)
            excess = null.excess(self._agreements_of(scaled.name))
            if number not in excess or found.n_clusters not in excess:
                return None
            gains.append(excess[number] - excess[found.n_clusters])
        gain = float(np.mean(gains))
        if gain < min(_SCORE_INSIDE, _SCORE_TIMES_NUMBER / number):
            return None
        return self._agreed(
            CLUSTERS,
            agreed,
            f"{found.n_clusters} clusters are separated from the rest (each p at most {level:g}) in "
            f"{_views_in_words(ending)}, and the views agree on {number} too (they share "
            f"{agreed.shared:.0%} of the information; compared with {found.n_clusters} clusters, the "
            f"score is higher by {gain:.2f} than it would be without clusters inside these), but not "
            f"on {number + 1}",
        )

    def _why_loose(self, level: float, n_clusters: int, stricter: KChoice | None) -> str | None:
        """Say why clusters that are separated at a level are the answer; None if they are not.

        At a level that is too loose for a plane they are, if the views also agree best on their number,
        or if there are more of them than at the stricter level and the views agree on their number too.
        """
        if level <= self._level:
            return ""
        if stricter is not None and n_clusters <= stricter.n_clusters:
            return None
        best = max(self.agreements.values(), key=lambda one: one.quality, default=None)
        if best is not None and best.n_clusters == n_clusters:
            return "; of all answers of views, one with this number has most support and agreement"
        own = self.agreements.get(n_clusters)
        fewer = None if stricter is None else self.agreements.get(stricter.n_clusters)
        if own is None or fewer is None:
            return None
        if own.shared < _SHARED_TOO or own.score < _SCORE_TOO * fewer.score:
            return None
        return (
            f"; with p at most {self._level:g} there are {fewer.n_clusters}, but the views agree on "
            f"{n_clusters} too (they share {own.shared:.0%} of the information)"
        )

    def _separated(self, found: Merged, ending: Ending, level: float, why_loose: str) -> KChoice:
        return self._answer(
            CLUSTERS,
            found.n_clusters,
            found.view,
            f"every cluster is separated from the rest (each p at most {level:g}), and "
            f"{_views_in_words(ending)} end with nearly the same clusters (mean AMI "
            f"{ending.likeness.max():.2f}){why_loose}",
            level=level,
        )

    def _agreed_number(self, scaling: str | None) -> KChoice | None:
        """Return the number on which views with separated clusters agree, if those are not alike.

        The views must agree on some number better than on data without clusters.
        """
        loose = self.ends.ending(self._level_of_one, scaling)
        n_views = len(loose.merged)
        may_differ = (n_views - 1) // 2 if scaling is None and n_views >= _MANY_VIEWS else 0
        if loose.several < n_views - may_differ:
            return None
        shown_by = {self.views[one.view].scaling for one in loose.merged if one.n_clusters > 1}
        if len(shown_by) == 1 and any(map(self._is_contradicted, shown_by)):
            return None
        ending = self._ending(self._level, scaling)
        excess = self._beyond_null(scaling)
        if excess < _GUESS_BEYOND_NULL:
            return None
        # Three quarters of the views end with at least so many clusters.
        at_least = max(2, round(float(np.percentile(ending.numbers, 25))))
        at_most = max(ending.numbers) if self._on_a_plane else None
        all_found = list(self._agreements_of(scaling).values())
        found = list(filter(self._has_no_outliers, all_found))
        if all(one.n_clusters < at_least for one in found):
            found = all_found
        agreed = smallest_of_nearly_best(found, at_least, at_most)
        if agreed is None:
            return None
        answer, but = CLUSTERS, ""
        why_not, is_candidate = self._why_not(ending)
        if not is_candidate:
            answer = UNSURE
        if len(found) < len(all_found):
            but = f"; numbers with clusters of fewer than {FEWEST} objects were left out"
        if excess < _SCORE_BEYOND_NULL:
            answer = UNSURE
            but += (
                "; but they agree hardly better than on data without clusters (the score is higher "
                f"by {excess:.2f} at most; {_SCORE_BEYOND_NULL:g} would be enough)"
            )
        return self._agreed(
            answer,
            agreed,
            f"{loose.several} of {_views_in_words(loose)} have separated clusters (p at most "
            f"{self._level_of_one:g}), but {why_not}; {_why_number(at_least, at_most, agreed)} (they "
            f"share {agreed.shared:.0%} of the information){but}",
        )

    def _why_not_these(self) -> str:
        """Say why the separated clusters of most views are not the answer."""
        ending = self._ending(self._level, None)
        n_views = len(ending.merged)
        if 2 * ending.several <= n_views:
            return f"only {ending.several} of {n_views} with p at most {self._level:g}"
        return self._why_not(ending)[0]

    def _why_not(self, ending: Ending) -> tuple[str, bool]:
        """Say why separated clusters are not the answer, and whether their number is a candidate."""
        if not ending.alike:
            return f"not the same ones (mean AMI {ending.likeness.max():.2f})", True
        number = self.ends.common(ending).n_clusters
        if not self._are_same(ending):
            return f"they agree better on a larger number than {number}", True
        if self.settings.given and number not in self.settings.candidates:
            return f"their number, {number}, is no candidate", False
        return f"p must be at most {self._level_of_scaling:g} if one scaling alone shows them", True

    def _has_no_outliers(self, agreed: Agreement) -> bool:
        """Say whether a number has no clusters of a few outliers, if there are not many objects.

        Of many objects a few are less than 1 %, and most large numbers have such clusters.
        """
        return self.n_rows > 100 * FEWEST or agreed.smallest >= FEWEST

    def _beyond_null(self, scaling: str | None) -> float:
        """Return by how much views of a scaling agree better than without clusters, on any number."""
        most = 0.0
        for scaled in self._scaled:
            if scaling in (None, scaled.name) and most < _SCORE_BEYOND_NULL:
                excess = self._null(scaled).excess(self._agreements_of(scaled.name))
                most = max(most, max(excess.values(), default=0.0))
        return most


def _views_in_words(ending: Ending) -> str:
    """Return "7 views", "6 of 7 views", or of one scaling, "4 views (scaling "standard")"."""
    scaling = "" if ending.scaling is None else f' (scaling "{ending.scaling}")'
    some = "" if len(ending.merged) == ending.n_views else f"{len(ending.merged)} of "
    return f"{some}{ending.n_views} views{scaling}"


def _why_number(at_least: int, at_most: int | None, agreed: Agreement) -> str:
    """Say why a number was chosen, and among which; if none was between the limits, among all."""
    if at_least == at_most == agreed.n_clusters:
        return "none of them ends with more clusters than this, and at least three quarters with as many"
    among = f"the numbers from {at_least} " + ("on" if at_most is None else f"to {at_most}")
    if agreed.n_clusters < at_least or (at_most is not None and agreed.n_clusters > at_most):
        among = "the candidates"
    return f"of {among} this is the smallest on which the views agree nearly as well as on any"
