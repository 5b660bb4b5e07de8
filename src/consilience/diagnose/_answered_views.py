"""The answer about the number of clusters, with everything that is shown beside it."""

from typing import TYPE_CHECKING

import numpy as np

from consilience.diagnose._distinct_rows import n_distinct
from consilience.diagnose._examined_views import ExaminedViews
from consilience.diagnose._k_choice import TOO_FEW, KChoice, KRow, most_possible
from consilience.diagnose._k_evidence import Agreement
from consilience.diagnose._k_table import Evidence, make_table

if TYPE_CHECKING:
    from consilience._utils._types import Array
    from consilience.diagnose._merge_tree import MergeTree


class AnsweredViews(ExaminedViews):
    """Views that can be given an answer: its tree, its labels and the table of all candidates."""

    def _nearest_candidate(self, number: int) -> int:
        return min(self.settings.candidates, key=lambda k: abs(k - number))

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
            most_possible=most_possible(self.n_rows, n_distinct(self.X)),
        )
