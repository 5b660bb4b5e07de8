"""How the number of clusters was chosen: the table of the numbers, and the answer in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from consilience._utils._notebook import Table, notebook_summary
from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._words import headline
from consilience.consensus import Doubt
from consilience.diagnose import ConsensusMatrix
from consilience.ensemble import Ensemble

_SHOWN = 8
CHOSEN = "chosen"


class KRow(NamedTuple):
    """One number of clusters, and its best candidate.

    n_clusters   k
    score        gain less border cost; the numbers with the largest scores are examined
    gain         information that other kinds of clustering also find, less what they do not, in nats
    border_cost  what the borders of the clusters cost, in nats
    smallest     objects in the smallest cluster, as a share
    pac          share of pairs of objects about which the candidates with k clusters disagree
    why          "chosen", or why another number was chosen
    """

    n_clusters: int
    score: float
    gain: float
    border_cost: float
    smallest: float
    pac: float
    why: str


@dataclass(frozen=True)
class KChoice:
    """The number of clusters, and why.

    Attributes
    ----------
    n_clusters : int
        The choice; the best guess if `answer` is "unsure".
    answer : {"clusters", "one", "unsure"}
        "clusters": there are clusters; "one": there is one; "unsure": `n_clusters` is the best guess.
    probability : float
        That there are clusters at all; NaN if only clusterings are known.
    evidence : str
        How strong the evidence is, in words.
    table : tuple of KRow
        Every number that was tried.
    labels : dict of int -> array (m,)
        Labels of the best candidate with every number of clusters.
    rows : array (m,)
        Positions of the objects on which all this was computed.
    cdf : dict of int -> array (100,)
        Distribution of the consensus of pairs over the candidates with every number of clusters.
    doubts : tuple of Doubt
        What should be known before the number is used.
    """

    n_clusters: int
    answer: str
    probability: float
    evidence: str
    table: tuple[KRow, ...]
    labels: dict[int, Array]
    rows: Array
    cdf: dict[int, Array]
    doubts: tuple[Doubt, ...] = ()

    @property
    def chosen(self) -> KRow | None:
        """Return the row of the choice; None for one cluster."""
        return next((row for row in self.table if row.n_clusters == self.n_clusters), None)

    @property
    def headline(self) -> str:
        """Return the answer alone."""
        return headline(self.answer, self.n_clusters)

    @property
    def sentence(self) -> str:
        """Return the answer and the evidence, in words."""
        return f"{self.headline}. {self.evidence}"

    def _repr_html_(self) -> str:
        """Show the answer and the best candidates in a notebook."""
        best = sorted(self.table, key=lambda row: -row.score)[:_SHOWN]
        rows = [
            [
                f"{row.n_clusters}",
                f"{row.score:.2f}",
                f"{row.gain:.2f}",
                f"{row.border_cost:.2f}",
                row.why,
            ]
            for row in sorted(best)
        ]
        caption = "Candidates"
        if len(best) < len(self.table):
            caption = f"The {len(best)} best of {len(self.table)} candidates"
        table = Table(caption, ["clusters", "score", "gain", "border cost", "why"], rows)
        sentences = [self.evidence, *(doubt.sentence for doubt in self.doubts)]
        return notebook_summary(self.headline, sentences, table=table)

    def __str__(self) -> str:
        columns = KRow._fields[:-1]
        lines = ["  ".join(f"{name:>11}" for name in columns)]
        for row in self.table:
            figures = "  ".join(f"{value:>11.3g}" for value in row[:-1])
            lines.append(f"{figures}  {row.why}")
        return "\n".join([*lines, self.sentence])


class Tried(NamedTuple):
    """The best candidate of a number: score, gain, border cost, labels, size of the smallest cluster."""

    score: float
    gain: float
    cost: float
    labels: Array
    smallest: int


def make_table(
    tried: Mapping[int, Tried],
    answers: Mapping[int, Sequence[Array]],
    n_clusters: int,
    least_size: float,
) -> tuple[tuple[KRow, ...], dict[int, Array]]:
    """Return a row, and the distribution of the consensus of pairs, for every number of clusters.

    answers   for every number, the labellings whose pairs are compared
    """
    rows, cdf = [], {}
    chosen = tried.get(n_clusters)
    for k, one in sorted(tried.items()):
        n = len(one.labels)
        some = np.random.default_rng(0).permutation(n)[: settings.PAIR_ROWS]
        matrix = ConsensusMatrix(
            Ensemble(np.stack([labels[some] for labels in answers[k]], axis=1))
        )
        cdf[k] = matrix.cdf
        why = CHOSEN if k == n_clusters else _why_lost(one, chosen, least_size)
        smallest = one.smallest / n
        rows.append(KRow(k, one.score, one.gain, one.cost, smallest, matrix.pac(), why))
    return tuple(rows), cdf


def _why_lost(one: Tried, chosen: Tried | None, least_size: float) -> str:
    if one.smallest < least_size:
        return "a cluster is too small"
    if chosen is None:
        return "no evidence of clusters"
    if one.score > chosen.score:
        return "its borders cost too much of its gain"
    less_gain, more_cost = chosen.gain - one.gain, one.cost - chosen.cost
    return "other kinds agree less" if less_gain >= more_cost else "the borders are weaker"
