"""The views of a sample of the objects, what they say about the number of clusters, and the choice."""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse

from consilience._utils._config import thread_count
from consilience._utils._progress import progress, say_nothing
from consilience._utils._words import plural
from consilience.diagnose._k_choice import (
    CLUSTERS,
    ONE,
    TOO_FEW,
    UNSURE,
    KChoice,
    KRow,
    most_possible,
    objects,
)
from consilience.diagnose._k_evidence import (
    Agreement,
    agreement_of,
    smallest_of_nearly_best,
)
from consilience.diagnose._k_table import Evidence, make_table
from consilience.diagnose._k_views import KView, ScaledRows, few_columns, make_views, scaled_rows
from consilience.diagnose._merged_views import Ending, Merged, MergedViews
from consilience.diagnose._mixture_evidence import mixture_evidence
from consilience.diagnose._null_agreement import NullAgreement, null_agreement
from consilience.diagnose._seams import FEWEST
from consilience.generate import EnsembleGenerator

if TYPE_CHECKING:
    from consilience.diagnose._merge_tree import MergeTree

Array = np.ndarray[Any, Any]

# Largest p-value at which a cluster counts as separated.
ALPHA = 0.01
# Clusters from which merging begins.
_FINEST = 40
# Of few objects: clusters of five, up to so many.
_FINEST_OF_FEW = 20
# With fewer objects a test that finds nothing says little.
_FEW_OBJECTS = 100
# There is more than one cluster if most views end with more than one: of fewer views than this, all.
_MANY_VIEWS = 5
# Clusters must be separated more strictly on a plane, where any cut runs through few objects. To count
# the views that end with more than one, they may be separated less strictly in space, where
# structureless data are hardly ever cut. Factors of alpha, and how many axes of equal variance make a
# space.
_ON_A_PLANE, _IN_SPACE = 0.3, 5.0
# Clusters that only one scaling shows must be separated more strictly too. They are asked for first if
# the clusters of all views are less similar than this.
_IN_ONE_SCALING = 0.3
_UNLIKE = 0.6
_SPACE = 3.0
# A level above this would be no test.
_LOOSEST = 0.5
# Up to so many axes curved clusters and cuts at the same places are common. There a mixture is no
# evidence, views must agree better, and the number is at most the largest number of separated clusters.
_PLANE = 2.0
# Below so many axes objects are nearly on a line, where valleys alone decide.
_LINE = 1.5
# Without separated clusters, views that agree less than this are no evidence of clusters.
_WEAK = 0.6
# By how much the quality of the best number must be above that of data without clusters.
_BEYOND_NULL, _BEYOND_NULL_ON_A_PLANE = 0.15, 0.25
# By how much the score of some number must be, if views have separated clusters, but not the same ones:
# for an answer, and for a guess.
_SCORE_BEYOND_NULL, _GUESS_BEYOND_NULL = 0.15, 0.1
# Steps of the progress bar: kinds of members and trees of two scalings, and the merging.
_STEPS = 11


class Settings(NamedTuple):
    """What was requested."""

    candidates: tuple[int, ...]
    given: bool
    scaling: str | None
    generator: EnsembleGenerator | None
    alpha: float
    random_state: int
    n_jobs: int | None
    verbose: int | None


class Examination:
    """The views of one sample of the objects, what they say, and the choice."""

    def __init__(self, X: Any, rows: Array, settings: Settings) -> None:
        self.X, self.rows, self.settings = X, rows, settings
        self.n_rows = len(rows)
        self.left_out: list[str] = []
        self._by_scaling: dict[str, dict[int, Agreement]] = {}
        self._nulls: dict[str, NullAgreement] = {}

    def choice(self) -> KChoice:
        """Look, merge, compare and decide."""
        if self.n_rows < TOO_FEW:
            return self._answer(UNSURE, 1, None, f"{objects(self.n_rows)} too few to tell clusters")
        with progress("Looking at the data", _STEPS, self.settings.verbose) as advance:
            self._scaled = scaled_rows(self.X, self.settings.scaling)
            self.views, self.left_out = self._views(self._scaled, advance)
            self.agreements = self._agreements(self.views)
            self.ends = MergedViews(
                self.views,
                self._finest(self.n_rows),
                {self.settings.alpha, self._level, self._level_of_one, self._level_of_scaling},
                self._n_threads,
            )
            advance(1)
            return self._decide()

    @property
    def _n_threads(self) -> int:
        n_jobs = self.settings.n_jobs
        return thread_count() if n_jobs is None else effective_n_jobs(n_jobs)

    # --- evidence --------------------------------------------------------------------------------

    def look(self, X: Any) -> list[KView]:
        """Make the views of other data in the same way."""
        return self._views(scaled_rows(X, self.settings.scaling))[0]

    def _views(
        self, scaled: list[ScaledRows], advance: Callable[[int], None] = say_nothing
    ) -> tuple[list[KView], list[str]]:
        """Make the views of data in several scalings; say which were left out."""
        n_rows = scaled[0].rows.shape[0]
        most = max(
            4, min(_FINEST, int(np.sqrt(n_rows))), min(self.settings.candidates[-1], n_rows // 5)
        )
        return make_views(
            scaled,
            generator=self.settings.generator,
            most=most,
            finest=self._finest(n_rows),
            random_state=self.settings.random_state,
            n_threads=self._n_threads,
            advance=advance,
        )

    def _finest(self, n_rows: int) -> int:
        """Return the clusters from which merging begins."""
        most = max(_FINEST, int(1.5 * self.settings.candidates[-1]))
        return max(3, min(most, max(n_rows // 10, min(n_rows // 5, _FINEST_OF_FEW))))

    def _agreements(self, views: list[KView]) -> dict[int, Agreement]:
        found = (agreement_of(views, k) for k in self.settings.candidates)
        return {one.n_clusters: one for one in found if one is not None}

    def _agreements_of(self, scaling: str | None) -> dict[int, Agreement]:
        """Return how far the views of one scaling, or of all, agree on every number."""
        if scaling is None:
            return self.agreements
        if scaling not in self._by_scaling:
            places = [p for p, view in enumerate(self.views) if view.scaling == scaling]
            found = self._agreements([self.views[place] for place in places])
            self._by_scaling[scaling] = {
                k: one._replace(best=places[one.best]) for k, one in found.items()
            }
        return self._by_scaling[scaling]

    def _null(self, scaled: ScaledRows) -> NullAgreement:
        """Return how far the views of one scaling agree on data without clusters."""
        if scaled.name not in self._nulls:
            self._nulls[scaled.name] = null_agreement(
                scaled,
                lambda rows: self._agreements(self._views([rows])[0]),
                np.random.default_rng(self.settings.random_state),
                fill_valleys=self._n_axes >= _LINE,
                verbose=self.settings.verbose,
            )
        return self._nulls[scaled.name]

    @cached_property
    def _n_axes(self) -> float:
        """Return how many axes of equal variance have the variances of the data."""
        graph = self.views[0].graph
        assert graph is not None  # noqa: S101 - the views of data have graphs
        rows = graph.rows
        variance = np.linalg.eigvalsh(np.atleast_2d(np.cov(rows, rowvar=False)))
        return float(variance.sum() ** 2 / max(float(np.square(variance).sum()), 1e-300))

    @property
    def _on_a_plane(self) -> bool:
        return self._n_axes <= _PLANE

    @property
    def _level(self) -> float:
        """Return the p-value at which clusters are separated."""
        return self.settings.alpha * (_ON_A_PLANE if self._n_axes < _SPACE else 1.0)

    @property
    def _level_of_scaling(self) -> float:
        """Return the p-value at which clusters that one scaling shows are separated."""
        return self.settings.alpha * _IN_ONE_SCALING

    @property
    def _level_of_one(self) -> float:
        """Return the p-value at which clusters of a view are evidence for more than one."""
        if self._n_axes < _SPACE:
            return self._level
        return max(self._level, min(_IN_SPACE * self.settings.alpha, _LOOSEST))

    # --- the decision ----------------------------------------------------------------------------

    def _decide(self) -> KChoice:
        found = self._same_clusters(None)
        # Clear clusters of one scaling are preferred to a number on which very different views agree.
        if self.ends.ending(self._level).likeness.max() < _UNLIKE:
            found = found or self._clear_in_one_scaling()
        if found is not None:
            return found
        guess: KChoice | None = None
        for scaling in self.ends.scalings:
            found = self._same_clusters(scaling) or self._agreed_number(scaling)
            if found is not None and found.answer == CLUSTERS:
                return found
            guess = guess or found
        return guess or self._one_or_unsure()

    def _clear_in_one_scaling(self) -> KChoice | None:
        """Return the separated clusters with which all views of the first such scaling end."""
        found = (self._same_clusters(scaling) for scaling in self.ends.scalings if scaling)
        return next((choice for choice in found if choice is not None), None)

    def _same_clusters(self, scaling: str | None) -> KChoice | None:
        """Return the separated clusters with which the views of all scalings, or of one, end."""
        levels = {self._level, self.settings.alpha} if scaling is None else {self._level_of_scaling}
        for level in sorted(levels):
            ending = self.ends.ending(level, scaling)
            found = self.ends.common(ending) if ending.alike else None
            if found is None or not self._is_strict_enough(level, found.n_clusters):
                continue
            if not self.settings.given or found.n_clusters in self.settings.candidates:
                return self._separated(found, ending, level)
        return None

    def _is_strict_enough(self, level: float, n_clusters: int) -> bool:
        """Say whether clusters that are separated at a level are the answer.

        At a level that is too loose for a plane they are, if the views also agree best on their number.
        """
        best = max(self.agreements.values(), key=lambda one: one.quality, default=None)
        return level <= self._level or (best is not None and best.n_clusters == n_clusters)

    def _separated(self, found: Merged, ending: Ending, level: float) -> KChoice:
        also = ""
        if level > self._level:
            also = "; of all answers of views, one with this number has most support and agreement"
        return self._answer(
            CLUSTERS,
            found.n_clusters,
            found.view,
            f"every cluster is separated from the rest (each p at most {level:g}), and the "
            f"clusters with which {_views_in_words(ending)} end are alike (mean AMI "
            f"{ending.likeness.max():.2f}){also}",
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
        ending = self.ends.ending(self._level, scaling)
        # Clusters that are the same in all views need no more evidence; their number is no candidate.
        excess = _SCORE_BEYOND_NULL if ending.alike else self._beyond_null(scaling)
        if excess < _GUESS_BEYOND_NULL:
            return None
        # Three quarters of the views end with at least so many clusters.
        at_least = max(2, round(float(np.percentile(ending.numbers, 25))))
        at_most = max(ending.numbers) if self._on_a_plane else None
        all_found = list(self._agreements_of(scaling).values())
        # Clusters of a few objects are outliers, which many numbers above the right one have.
        found = [one for one in all_found if one.smallest >= FEWEST] or all_found
        agreed = smallest_of_nearly_best(found, at_least, at_most)
        if agreed is None:
            return None
        why_not = f"not the same ones (mean AMI {ending.likeness.max():.2f})"
        if ending.alike:
            why_not = f"their number, {self.ends.common(ending).n_clusters}, is no candidate"
        answer, but = CLUSTERS, ""
        if len(found) < len(all_found):
            but = f"; numbers with clusters of fewer than {FEWEST} objects were left out"
        if excess < _SCORE_BEYOND_NULL:
            answer = UNSURE
            but += (
                "; but they agree hardly better than on data without clusters (the score is higher "
                f"by {excess:.2f} at most; {_SCORE_BEYOND_NULL:g} would count)"
            )
        return self._agreed(
            answer,
            agreed,
            f"{loose.several} of {_views_in_words(loose)} have separated clusters (p at most "
            f"{self._level_of_one:g}), but {why_not}; of "
            f"{_range_in_words(at_least, at_most, agreed)} this is the smallest on which the views "
            f"agree nearly as well as on any (they share {agreed.shared:.0%} of the information){but}",
        )

    def _beyond_null(self, scaling: str | None) -> float:
        """Return by how much views of a scaling agree better than without clusters, on any number."""
        most = 0.0
        for scaled in self._scaled:
            if scaling in (None, scaled.name) and most < _SCORE_BEYOND_NULL:
                excess = self._null(scaled).excess(self._agreements_of(scaled.name))
                most = max(most, max(excess.values(), default=0.0))
        return most

    @property
    def _ending_of_one(self) -> Ending:
        return self.ends.ending(self._level_of_one)

    def _one_or_unsure(self) -> KChoice:
        """Say "one" unless the views agree too well for that, or a mixture is too good for that."""
        n_views, several = len(self._ending_of_one.merged), self._ending_of_one.several
        none = (
            f"in {n_views - several} of {n_views} views no cluster has a border thinner than a cut "
            f"through a cluster (needed p at most {self._level_of_one:g})"
        )
        if 2 * several > n_views:
            none = (
                f"{several} of {n_views} views have separated clusters (p at most "
                f"{self._level_of_one:g}), but not the same ones, and the views agree on no number "
                "clearly better than on data without clusters"
            )
        weak = []
        beyond = _BEYOND_NULL_ON_A_PLANE if self._on_a_plane else _BEYOND_NULL
        for scaled in self._scaled:
            found = self._agreements_of(scaled.name).values()
            agreed = max(found, key=lambda one: one.quality, default=None)
            if agreed is None or agreed.quality < _WEAK:
                continue
            if self.n_rows < _FEW_OBJECTS:
                return self._agreed(
                    UNSURE,
                    agreed,
                    f"{none}, but with {plural(self.n_rows, 'object')} that means little; the views "
                    f"agree on these clusters (they share {agreed.shared:.0%} of the information)",
                )
            null = self._null(scaled).quality
            if agreed.quality > null + beyond:
                return self._agreed(
                    UNSURE,
                    agreed,
                    f"{none}, but the views agree far better than on data without clusters "
                    f"({agreed.quality:.2f} against {null:.2f} at most)",
                )
            weak.append(f'{agreed.quality:.2f} against {null:.2f} with scaling "{scaled.name}"')
        if weak:
            none += (
                "; the views do not agree far better than on data without clusters "
                f"({', '.join(weak)}; {beyond:g} more would count)"
            )
        return self._by_mixture(none) or self._answer(ONE, 1, None, none)

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
            f"one, by {found.gain - found.null:.2f} nats per object more than in data without clusters "
            "that have the same columns",
        )

    # --- the answer ------------------------------------------------------------------------------

    def _agreed(self, answer: str, agreed: Agreement, reason: str) -> KChoice:
        return self._answer(answer, agreed.n_clusters, agreed.best, reason)

    def _answer(
        self,
        answer: str,
        n_clusters: int,
        place: int | None,
        reason: str,
        *,
        level: float | None = None,
    ) -> KChoice:
        """Return the choice; if its clusters are separated, `level` is the level at which they are."""
        separated = level is not None
        level = self._level if level is None and self.n_rows >= TOO_FEW else level
        by_k: dict[int, Array] = {}
        tree: MergeTree | None = None
        table: list[KRow] = []
        cdf: dict[int, Array] = {}
        if self.n_rows >= TOO_FEW:
            shown = self.ends.ending(self._level).middle if place is None else place
            tree = self.ends.tree(
                shown, self._level if level is None else level, separated=separated
            )
        if tree is not None:
            numbers = {*self.agreements, n_clusters} - {1}
            by_k = {k: tree.labels_at(k) for k in sorted(numbers) if k <= tree.n_leaves}
            evidence = Evidence(self.views, self.agreements, tree, self.ends.graph(shown))
            table, cdf = make_table(
                by_k, evidence, np.random.default_rng(self.settings.random_state)
            )
        return KChoice(
            n_clusters=n_clusters,
            answer=answer,
            separated=separated,
            reason=reason,
            table=tuple(table),
            labels=by_k,
            tree=tree,
            rows=self.rows,
            view=() if place is None else (self.views[place].scaling, self.views[place].kind),
            cdf=cdf,
            alpha=self.settings.alpha if level is None else level,
            left_out=tuple(self.left_out),
            candidates=self.settings.candidates,
            most_possible=most_possible(self.n_rows, _n_distinct(self.X)),
        )


def _views_in_words(ending: Ending) -> str:
    """Return "7 views", or of one scaling, "4 views (scaling "standard")"."""
    scaling = "" if ending.scaling is None else f' (scaling "{ending.scaling}")'
    return f"{len(ending.merged)} views{scaling}"


def _range_in_words(at_least: int, at_most: int | None, agreed: Agreement) -> str:
    """Name the numbers among which one was chosen; if none was between the limits, all candidates."""
    if agreed.n_clusters < at_least or (at_most is not None and agreed.n_clusters > at_most):
        return "the candidates"
    if at_least == at_most:
        return f"the numbers up to {at_most}"
    return f"the numbers from {at_least} " + ("on" if at_most is None else f"to {at_most}")


def _n_distinct(X: Any) -> int:
    """Return the number of distinct rows."""
    if issparse(X):
        rows = X.tocsr(copy=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        spans = list(pairwise(rows.indptr.tolist()))
        return len({(rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in spans})
    # Adding nothing makes -0.0 the same as 0.0.
    return len({row.tobytes() for row in np.asarray(X) + 0.0})
