"""The table of evidence for every number of clusters."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import ArpackNoConvergence

from consilience._utils._types import Array
from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._k_choice import KRow
from consilience.diagnose._k_evidence import Agreement, agreement_of
from consilience.diagnose._k_views import KView
from consilience.diagnose._merge_tree import MergeTree
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.ensemble import Ensemble
from consilience.partition import leading_eigenvectors

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
    gaps = _eigengaps(evidence.graph, max(labels, default=2))
    weakest = {merge.n_clusters: merge.weakest for merge in evidence.tree.merges}
    table: list[KRow] = []
    cdf: dict[int, Array] = {}
    for k, clusters in sorted(labels.items()):
        one = evidence.agreements.get(k) or agreement_of(evidence.views, k)
        matrix = consensus_of_views(evidence.views, k, some)
        delta = gain_of_area(matrix, cdf.get(k - 1))
        cdf[k] = matrix.cdf
        row = make_row(k, clusters, [] if one is None else [one], matrix, delta)
        table.append(row._replace(seam=weakest[k], eigengap=float(gaps[k])))
    return table, cdf


def make_row(
    n_clusters: int,
    labels: Array,
    found: list[Agreement],
    matrix: ConsensusMatrix,
    delta: float,
) -> KRow:
    """Return the row of a number of clusters; what needs features or null data is NaN.

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
        eigengap=_NAN,
        pac=matrix.pac(),
        pac_error=matrix.pac_error(),
        null_pac=_NAN,
        p_value=_NAN,
        delta=delta,
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


def gain_of_area(matrix: ConsensusMatrix, before: Array | None) -> float:
    """Return the relative gain of the area under a distribution over that of one cluster less."""
    if before is None:
        return matrix.area
    area = float(before.mean())
    return (matrix.area - area) / max(area, 1e-12)


def _eigengaps(graph: NeighbourGraph, most: int) -> Array:
    """Return the gap between eigenvalues k and k + 1 of the normalised graph, at place k.

    They are only displayed; eigenvalues that did not converge are NaN.
    """
    n_rows = len(graph.rows)
    links = csr_matrix(
        (np.ones(len(graph.others)), graph.others.copy(), graph.starts.copy()),
        shape=(n_rows, n_rows),
    )
    links.sum_duplicates()
    links.data[:] = 1.0
    root = 1 / np.sqrt(np.asarray(links.sum(axis=1)).ravel())
    scaled = links.multiply(root[:, None]).multiply(root).tocsr()
    try:
        values, _ = leading_eigenvectors(scaled, min(most + 1, n_rows))
    except ArpackNoConvergence:
        values = np.empty(0)
    gaps = np.full(most + 1, np.nan)
    gaps[1 : len(values)] = values[:-1] - values[1:]
    return gaps
