"""The table of evidence for every number of clusters."""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._k_choice import KRow
from consilience.diagnose._k_evidence import Agreement, agreement_of
from consilience.diagnose._k_views import KView
from consilience.diagnose._merge_tree import MergeTree
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.ensemble import Ensemble

# Objects for the distribution of the consensus of pairs.
_PAIR_ROWS = 500
_NAN = float("nan")


class Evidence(NamedTuple):
    """What was found: views, their agreement on every number, and the tree and graph of the answer."""

    views: list[KView]
    agreements: dict[int, Agreement]
    tree: MergeTree
    graph: NeighbourGraph


def make_table(
    labels: dict[int, Array], evidence: Evidence, rng: np.random.Generator
) -> tuple[list[KRow], dict[int, Array]]:
    """Return a row, and the distribution of the consensus of pairs, for every number of clusters."""
    some = pair_rows(len(evidence.graph.rows), rng)
    weakest = {merge.n_clusters: merge.weakest for merge in evidence.tree.merges}
    table: list[KRow] = []
    cdf: dict[int, Array] = {}
    for k, clusters in sorted(labels.items()):
        one = evidence.agreements.get(k) or agreement_of(evidence.views, k)
        matrix = consensus_of_views(evidence.views, k, some)
        cdf[k] = matrix.cdf
        row = make_row(k, clusters, [] if one is None else [one], matrix)
        table.append(row._replace(seam=weakest[k]))
    return table, cdf


def make_row(
    n_clusters: int,
    labels: Array,
    found: list[Agreement],
    matrix: ConsensusMatrix,
) -> KRow:
    """Return the row of a number of clusters; what needs features or random orders is NaN.

    Figures of agreement are means over `found`, NaN if there are none.
    """
    score, shared, support = (
        np.mean([(one.score, one.shared, one.support) for one in found], axis=0)
        if found
        else (_NAN, _NAN, _NAN)
    )
    return KRow(
        n_clusters=n_clusters,
        score=float(score),
        agreement=float(shared),
        support=float(support),
        seam=_NAN,
        pac=matrix.pac(),
        pac_error=matrix.pac_error(),
        p_value=_NAN,
        smallest=float(np.bincount(labels).min() / len(labels)),
    )


def pair_rows(n_rows: int, rng: np.random.Generator) -> Array:
    """Draw the objects whose pairs are compared."""
    return np.sort(rng.choice(n_rows, min(n_rows, _PAIR_ROWS), replace=False))


def consensus_of_views(views: list[KView], n_clusters: int, rows: Array) -> ConsensusMatrix:
    """Return how often the answers of the views put pairs of some objects together.

    If no view has so many clusters, the answers with the largest number that it has are used.
    """
    answers = [view.cuts[n_clusters][rows] for view in views if n_clusters in view.cuts]
    finest = [view.cuts[max(view.cuts)][rows] for view in views if view.cuts]
    return ConsensusMatrix(Ensemble(answers or finest))
