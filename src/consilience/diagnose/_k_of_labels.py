"""The number of clusters from clusterings alone: what both halves of the members find."""

from typing import NamedTuple

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.diagnose._k_choice import (
    CLUSTERS,
    ONE,
    TOO_FEW,
    UNSURE,
    KChoice,
    KRow,
    most_possible,
)
from consilience.diagnose._k_evidence import agreement_of, shared_information
from consilience.diagnose._k_table import consensus_of_views, make_row, pair_rows
from consilience.diagnose._k_views import KView, tree_cuts
from consilience.diagnose._merge_tree import MergeTree, joined
from consilience.diagnose._seams import Merge
from consilience.ensemble import Ensemble

# With fewer members the number cannot be found.
_FEWEST_MEMBERS = 4
# Ways to cut the members in half, and orders of the objects of one half that are compared.
_N_SPLITS = 4
_N_ORDERS = 99
_ALPHA = 0.01
# Halves that share less of their information than this agree too little for evidence of clusters.
_LEAST_SHARED = 0.3


class _Found(NamedTuple):
    """The evidence, under the names that the choice has for it."""

    table: tuple[KRow, ...]
    labels: dict[int, Array]
    tree: MergeTree | None
    cdf: dict[int, Array]
    candidates: tuple[int, ...] = ()
    most_possible: int = 0


def choose_from_labels(
    ensemble: Ensemble,
    candidates: tuple[int, ...],
    max_samples: int,
    rng: np.random.Generator,
    verbose: int | None = 0,
) -> KChoice:
    """Choose the number on which halves of the members agree best."""
    rows = np.arange(ensemble.n_samples)
    if len(rows) > max_samples:
        rows = np.sort(rng.choice(len(rows), max_samples, replace=False))
    sample = ensemble.take(rows) if len(rows) < ensemble.n_samples else ensemble
    sample = Ensemble(sample.labels)
    n_rows, n_members = len(rows), sample.n_members
    if n_rows < TOO_FEW or n_members < _FEWEST_MEMBERS:
        verb = "is" if n_members == 1 else "are"
        few = f"{plural(n_members, 'clustering')} of {plural(n_rows, 'object')} {verb} too few to tell"
        return _answer(UNSURE, 1, few, rows)
    splits = []
    table: list[KRow] = []
    cdf: dict[int, Array] = {}
    labels: dict[int, Array] = {}
    n_steps = _N_SPLITS + 1 + len(candidates)
    with progress("Comparing members", n_steps, verbose) as advance:
        for _ in range(_N_SPLITS):
            splits.append(_halves(sample, candidates, rng))
            advance(1)
        cuts = tree_cuts(sample, range(2, max(candidates) + 1))
        some = pair_rows(n_rows, rng)
        for k in candidates:
            advance(1)
            found = [one for views in splits if (one := agreement_of(views, k)) is not None]
            if k not in cuts or not found:
                continue
            matrix = consensus_of_views([view for views in splits for view in views], k, some)
            row = make_row(k, cuts[k], found, matrix)
            labels[k], cdf[k] = cuts[k], matrix.cdf
            table.append(row._replace(p_value=_chance(splits, k, rng)))
        advance(1)
    if not table:
        return _answer(ONE, 1, "the members do not tell two groups of objects apart", rows)
    possible = most_possible(n_rows, sample.n_profiles)
    evidence = _Found(tuple(table), labels, _nested(cuts), cdf, candidates, possible)
    best = max(table, key=lambda row: row.score)
    share = f"halves of the members share {best.agreement:.0%} of the information"
    if best.p_value > _ALPHA:
        reason = (
            f"{share}, no more than if objects are put in random order (p = {best.p_value:.2g})"
        )
        return _answer(ONE, 1, reason, rows, evidence)
    answer = CLUSTERS if best.agreement >= _LEAST_SHARED else UNSURE
    reason = (
        f"this is the number on which halves of the members agree best; {share} (p = "
        f"{best.p_value:.2g} if objects are put in random order)"
    )
    return _answer(answer, best.n_clusters, reason, rows, evidence)


def _halves(sample: Ensemble, candidates: tuple[int, ...], rng: np.random.Generator) -> list[KView]:
    order = rng.permutation(sample.n_members)
    half = sample.n_members // 2
    views = []
    for members in (order[:half], order[half:]):
        part = sample.select(np.sort(members))
        cuts = tree_cuts(part, range(2, max(candidates) + 1))
        views.append(KView("", "members", None, part, cuts, any_shape=False))
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


def _nested(cuts: dict[int, Array]) -> MergeTree:
    """Return the merges of nested cuts; there are no borders to test without features."""
    labels = cuts[max(cuts)].copy()
    leaves, merges = labels.copy(), []
    for k in range(max(cuts), 1, -1):
        below = cuts.get(k - 1, np.zeros_like(labels))
        first, second = joined(labels, below)
        sizes = np.bincount(labels)[[first, second]]
        pair = (int(sizes[0]), int(sizes[1]))
        merges.append(Merge(k, first, second, pair, float("nan"), float("nan")))
        labels[labels == first] = second
        labels[labels > first] -= 1
    return MergeTree(leaves, tuple(merges), float("nan"))


def _answer(
    answer: str, n_clusters: int, reason: str, rows: Array, found: _Found | None = None
) -> KChoice:
    found = _Found((), {}, None, {}) if found is None else found
    return KChoice(
        n_clusters=n_clusters,
        answer=answer,
        separated=False,
        reason=reason,
        rows=rows,
        view=(),
        alpha=_ALPHA,
        **found._asdict(),
    )
