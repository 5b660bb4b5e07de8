"""The number of clusters from clusterings alone: what both halves of the members find."""

import warnings
from typing import Any

import numpy as np

from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._k_choice import CLUSTERS, ONE, UNSURE, KChoice, KRow, gain_of_area
from consilience.diagnose._k_evidence import Agreement, agreement_of, shared_information
from consilience.diagnose._k_views import KView, tree_cuts
from consilience.diagnose._merge_tree import MergeTree
from consilience.diagnose._seams import Merge
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning

Array = np.ndarray[Any, Any]

# Fewer objects or members say nothing.
_FEWEST_OBJECTS = 10
_FEWEST_MEMBERS = 4
# Ways to cut the members in half, and orders of the objects of one half that are compared.
_N_SPLITS = 4
_N_ORDERS = 99
_ALPHA = 0.01
# Halves that share less of their information than this agree too little to speak of clusters.
_LEAST_SHARED = 0.3
_PAIR_ROWS = 500


def choose_from_labels(
    ensemble: Ensemble,
    candidates: tuple[int, ...],
    max_samples: int,
    rng: np.random.Generator,
) -> KChoice:
    """Choose the number on which halves of the members agree best."""
    rows = np.arange(ensemble.n_samples)
    if len(rows) > max_samples:
        rows = np.sort(rng.choice(len(rows), max_samples, replace=False))
    sample = ensemble.take(rows) if len(rows) < ensemble.n_samples else ensemble
    sample = Ensemble(sample.labels)
    n_rows, n_members = len(rows), sample.n_members
    few = f"{n_rows} objects and {n_members} clusterings are too few to tell"
    if n_rows < _FEWEST_OBJECTS or n_members < _FEWEST_MEMBERS:
        return _answer(UNSURE, 1, few, rows, {}, [], {}, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        splits = [_halves(sample, candidates, rng) for _ in range(_N_SPLITS)]
        cuts = tree_cuts(sample, range(2, max(candidates) + 1))
    table: list[KRow] = []
    cdf: dict[int, Array] = {}
    labels: dict[int, Array] = {}
    some = rng.choice(n_rows, min(n_rows, _PAIR_ROWS), replace=False)
    for k in candidates:
        found = [one for views in splits if (one := agreement_of(views, k)) is not None]
        if k not in cuts or not found:
            continue
        halves = [view.cuts[k][some] for views in splits for view in views if k in view.cuts]
        matrix = ConsensusMatrix(Ensemble(halves))
        gain = gain_of_area(matrix, cdf.get(k - 1))
        labels[k], cdf[k] = cuts[k], matrix.cdf
        row = _row(found, cuts[k], _chance(splits, k, rng), matrix)
        table.append(row._replace(delta=gain))
    if not table:
        reason = "the members do not tell two groups of objects apart"
        return _answer(ONE, 1, reason, rows, {}, [], {}, None)
    tree = _nested(cuts)
    best = max(table, key=lambda row: row.score)
    share = f"halves of the members share {best.agreement:.0%} of the information"
    if best.p_value > _ALPHA:
        reason = (
            f"{share}, no more than if objects are put in random order (p = {best.p_value:.2g})"
        )
        return _answer(ONE, 1, reason, rows, labels, table, cdf, tree)
    answer = CLUSTERS if best.agreement >= _LEAST_SHARED else UNSURE
    reason = (
        f"this is the number on which halves of the members agree best; {share} (p = "
        f"{best.p_value:.2g} if objects are put in random order)"
    )
    return _answer(answer, best.n_clusters, reason, rows, labels, table, cdf, tree)


def _halves(sample: Ensemble, candidates: tuple[int, ...], rng: np.random.Generator) -> list[KView]:
    order = rng.permutation(sample.n_members)
    half = sample.n_members // 2
    views = []
    for members in (order[:half], order[half:]):
        part = sample.select(np.sort(members))
        cuts = tree_cuts(part, range(2, max(candidates) + 1))
        views.append(KView("", "members", np.empty((0, 0)), part, cuts, any_shape=False))
    return views


def _chance(splits: list[list[KView]], n_clusters: int, rng: np.random.Generator) -> float:
    """Return the chance of so much shared information if the objects of one half were in any order."""
    first, second = (view.cuts.get(n_clusters) for view in splits[0])
    if first is None or second is None:
        return 1.0
    seen = shared_information(first, second)
    above = sum(
        shared_information(rng.permutation(first), second) >= seen for _ in range(_N_ORDERS)
    )
    return float((1 + above) / (1 + _N_ORDERS))


def _row(found: list[Agreement], labels: Array, p_value: float, matrix: ConsensusMatrix) -> KRow:
    nan = float("nan")
    return KRow(
        n_clusters=found[0].n_clusters,
        score=float(np.mean([one.score for one in found])),
        agreement=float(np.mean([one.shared for one in found])),
        support=float(np.mean([one.support for one in found])),
        seam=nan,
        eigengap=nan,
        pac=matrix.pac(),
        pac_error=matrix.pac_error(),
        null_pac=nan,
        p_value=p_value,
        delta=nan,
        smallest=float(np.bincount(labels).min() / len(labels)),
    )


def _nested(cuts: dict[int, Array]) -> MergeTree:
    """Return the merges of nested cuts; there are no borders to test without features."""
    labels = cuts[max(cuts)].copy()
    leaves, merges = labels.copy(), []
    for k in range(max(cuts), 1, -1):
        below = cuts.get(k - 1, np.zeros_like(labels))
        parent = np.zeros(k, dtype=np.int64)
        parent[labels] = below
        first, second = np.flatnonzero(parent == np.bincount(parent).argmax())[:2]
        sizes = np.bincount(labels)[[first, second]]
        pair = (int(sizes[0]), int(sizes[1]))
        merges.append(Merge(k, int(first), int(second), pair, float("nan"), float("nan")))
        labels[labels == first] = second
        labels[labels > first] -= 1
    return MergeTree(leaves, tuple(merges), float("nan"))


def _answer(
    answer: str,
    n_clusters: int,
    reason: str,
    rows: Array,
    labels: dict[int, Array],
    table: list[KRow],
    cdf: dict[int, Array],
    tree: MergeTree | None,
) -> KChoice:
    return KChoice(
        n_clusters=n_clusters,
        answer=answer,
        separated=False,
        reason=reason,
        table=tuple(table),
        labels=labels,
        tree=tree,
        rows=rows,
        view=(),
        cdf=cdf,
        alpha=_ALPHA,
    )
