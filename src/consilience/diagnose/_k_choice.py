"""The evidence for every number of clusters, and the choice."""

from dataclasses import dataclass
from typing import NamedTuple

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.diagnose._k_choice_notebook import k_choice_html
from consilience.diagnose._merge_tree import MergeTree

CLUSTERS, ONE, UNSURE = "clusters", "one", "unsure"
# With fewer objects the number of clusters cannot be found.
TOO_FEW = 10


class KRow(NamedTuple):
    """One candidate.

    n_clusters        k
    score             agreement of the views and support by their members together; larger is better
    agreement         share of the information in the answer of a view that another view has too
    support           share of the votes of members for an object's own cluster, corrected for chance
    seam              p-value of the least separated cluster; small: the border of every one is thin
    pac, pac_error    share of pairs of objects on which the views disagree, and its standard error
    p_value           of clusterings alone: chance of so much agreement of two halves of the members if
                      the objects of one are in random order; else NaN
    smallest          objects in the smallest cluster, as a share
    """

    n_clusters: int
    score: float
    agreement: float
    support: float
    seam: float
    pac: float
    pac_error: float
    p_value: float
    smallest: float


def most_possible(n_samples: int, n_distinct: int) -> int:
    """Return the largest number of clusters that can be requested."""
    return min(max(2, n_samples // 2), n_distinct)


def objects(count: int) -> str:
    """Return "1 object is" or "5 objects are"."""
    return f"{plural(count, 'object')} {'is' if count == 1 else 'are'}"


@dataclass(frozen=True)
class KChoice:
    """The number of clusters, and why.

    Attributes
    ----------
    n_clusters : int
        The choice; the best guess if `answer` is "unsure".
    answer : {"clusters", "one", "unsure"}
        "clusters": there are several; "one": the data support one; "unsure": there are too few
        objects, or the evidence is too weak, and `n_clusters` is a guess.
    separated : bool
        Whether every cluster of the choice is separated from the rest.
    reason : str
        What decided, in words.
    table : tuple of KRow
        Every candidate.
    labels : dict of int -> array (m,)
        Labels for every candidate, and for the choice.
    tree : MergeTree or None
        The merges of the over-fine consensus, tested step by step; None for few objects.
    rows : array (m,)
        Positions of the objects on which all this was computed.
    view : tuple of str
        The scaling and the kind of members of the choice, or the kind of a tree that was made of the
        data themselves ("diffusion"); empty for one cluster, and if no view has such clusters.
    cdf : dict of int -> array (100,)
        Distribution of the consensus of pairs over the views, for every candidate.
    alpha : float
        Largest p-value at which a cluster counts as separated; on a plane it may be lower than the
        parameter.
    left_out : tuple of str
        Views that could not be made of these data, and why.
    candidates : tuple of int
        The numbers that were requested; data with few distinct rows may not have all of them.
    most_possible : int
        The largest number that can be asked for: as many as there are distinct objects, and at most half
        as many as there are objects.
    second : KChoice or None
        The choice on a second sample of the objects, if they were sampled.
    """

    n_clusters: int
    answer: str
    separated: bool
    reason: str
    table: tuple[KRow, ...]
    labels: dict[int, Array]
    tree: MergeTree | None
    rows: Array
    view: tuple[str, ...]
    cdf: dict[int, Array]
    alpha: float
    left_out: tuple[str, ...] = ()
    candidates: tuple[int, ...] = ()
    most_possible: int = 0
    second: "KChoice | None" = None

    @property
    def chosen(self) -> KRow | None:
        """Return the row of the choice; None for one cluster."""
        return next((row for row in self.table if row.n_clusters == self.n_clusters), None)

    @property
    def runner_up(self) -> KRow | None:
        """Return the candidate with the best score among the others; None if there are none."""
        others = [row for row in self.table if row.n_clusters != self.n_clusters]
        return max(others, key=lambda row: row.score, default=None)

    @property
    def at_the_edge(self) -> bool:
        """Say whether the choice is the largest candidate although there may be more clusters.

        Clusters that are separated are found without regard to the candidates.
        """
        if self.separated or len(self.candidates) < 2 or self.n_clusters >= self.most_possible:
            return False
        return self.n_clusters == self.candidates[-1]

    @property
    def samples_disagree(self) -> bool:
        """Say whether a second sample of the objects gave another answer."""
        return self.second is not None and (
            self.second.answer != self.answer or self.second.n_clusters != self.n_clusters
        )

    @property
    def sentence(self) -> str:
        """Explain the choice."""
        text = f"{self.headline}: {self.reason}."
        runner = self.runner_up
        if self.answer == CLUSTERS and runner is not None and self.chosen is not None:
            is_better = self.separated and runner.score > self.chosen.score
            unused = ", but the score did not decide here" if is_better else ""
            text += (
                f" Of the other numbers, {runner.n_clusters} has the best score ({runner.score:.2f}; "
                f"{self.n_clusters} has {self.chosen.score:.2f}){unused}."
            )
        if self.second is not None:
            text += (
                f" A second sample of {len(self.second.rows):,} objects gave "
                + ("another answer: " if self.samples_disagree else "the same: ")
                + f"{self.second.headline[0].lower()}{self.second.headline[1:]}."
            )
        return text

    @property
    def headline(self) -> str:
        """Return the answer alone."""
        if self.answer == ONE:
            return "One cluster"
        if self.answer == CLUSTERS:
            return f"{self.n_clusters} clusters"
        if self.n_clusters == 1:
            return "Not possible to tell"
        return f"Not possible to tell; the best guess is {self.n_clusters} clusters"

    def _repr_html_(self) -> str:
        """Show the answer and the best candidates in a notebook."""
        return k_choice_html(self)

    def __str__(self) -> str:
        columns = ("n_clusters", "score", "agreement", "support", "seam", "pac")
        lines = ["  ".join(f"{name:>10}" for name in columns)]
        for row in self.table:
            mark = " <" if row.n_clusters == self.n_clusters else ""
            lines.append("  ".join(f"{getattr(row, name):>10.3g}" for name in columns) + mark)
        left_out = [f"Left out: {view}" for view in self.left_out]
        return "\n".join([*lines, self.sentence, *left_out])
