"""The number of clusters from clusterings alone: what both halves of the members find.

Halves of the members take the place of kinds of clustering, and there are no borders. The gain of a
number, from the tree of one half and that of the other, is multiplied by a power of the support of the
clusters: the share of the votes of members for an object's own cluster, corrected for chance.
"""

from collections.abc import Sequence

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._borders import entropy_shares
from consilience.answer._candidates import Candidates
from consilience.answer._k_choice import KChoice, Tried, make_table
from consilience.answer._members import with_tree
from consilience.answer._score import gains
from consilience.answer._words import (
    CLUSTERS,
    ONE,
    UNSURE,
    doubts_about_answer,
    shared_sentence,
    too_few_sentence,
)
from consilience.ensemble import Ensemble
from consilience.metrics.internals import THETA, certain_votes, read_labels

# Ways to cut the members in half, and orders of the objects of one half that are compared.
_N_SPLITS, _N_ORDERS = 4, 99


def choose_from_labels(
    ensemble: Ensemble,
    numbers: Sequence[int] | None,
    least_size: float,
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
    if n_rows < settings.FEW_ROWS or n_members < settings.FEWEST_MEMBERS:
        return _one(UNSURE, too_few_sentence(n_members, n_rows), rows)
    numbers = _default_numbers(n_rows) if numbers is None else numbers
    least_size = least_size * n_rows / ensemble.n_samples
    with progress("Comparing members", _N_SPLITS + 1, verbose) as advance:
        splits = []
        for _ in range(_N_SPLITS):
            splits.append(_halves(sample, numbers, rng))
            advance(1)
        whole = Candidates.of(with_tree(0, 0, list(sample.labels.T)).cuts(numbers), n_rows)
        tried = {
            int(k): _tried(member.labels, int(k), sample, splits)
            for k, member in zip(whole.n_clusters, whole.members, strict=True)
            if any((half.n_clusters == k).any() for half in splits[0])
        }
        advance(1)
    if not tried:
        return _one(ONE, "The members do not tell two groups of objects apart.", rows)
    large = [k for k in tried if tried[k].smallest >= least_size] or list(tried)
    best = max(large, key=lambda k: (tried[k].score, -k))
    share, by_chance = _shared(splits[0], best, rng)
    answer = CLUSTERS if share >= settings.LEAST_SHARED else UNSURE
    if by_chance > settings.HALVES_BY_CHANCE:
        answer = ONE
    n_clusters = 1 if answer == ONE else best
    answers = {
        k: [one for split in splits for half in split for one in half.with_number(k).labels]
        for k in tried
    }
    table, cdf = make_table(tried, answers, n_clusters, least_size)
    largest = max(tried)
    possible = min(n_rows // 2, sample.n_profiles)
    doubts = doubts_about_answer(
        answer, n_clusters, None, None, largest_tried=largest if largest < possible else None
    )
    evidence = shared_sentence(share, answer)
    labels = {k: one.labels for k, one in tried.items()}
    nan = float("nan")
    return KChoice(n_clusters, answer, nan, evidence, table, labels, rows, cdf, tuple(doubts))


def _one(answer: str, evidence: str, rows: Array) -> KChoice:
    return KChoice(1, answer, float("nan"), evidence, (), {}, rows, {})


def _default_numbers(n_rows: int) -> list[int]:
    most = max(n_rows // 10, 6) if n_rows >= 60 else n_rows // 5
    return list(range(2, max(2, min(settings.MOST_FROM_LABELS, most)) + 1))


def _halves(
    sample: Ensemble, numbers: Sequence[int], rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Return the cuts of the trees of both halves of the members; the halves are two kinds."""
    order = rng.permutation(sample.n_members)
    half = sample.n_members // 2
    first, second = (
        Candidates.of(
            with_tree(kind, 0, list(sample.labels.T[np.sort(part)])).cuts(numbers), sample.n_samples
        )
        for kind, part in enumerate((order[:half], order[half:]))
    )
    return first, second


def _tried(
    labels: Array, k: int, sample: Ensemble, splits: Sequence[tuple[Candidates, Candidates]]
) -> Tried:
    """Return the score of a number: the gain of either half by the other, times the support cubed."""
    gained = []
    for first, second in splits:
        for one, other in ((first, second), (second, first)):
            gained += gains(one.with_number(k), other, settings.OF_ONE_NUMBER).tolist()
    gain = float(np.mean(gained))
    votes = certain_votes(read_labels(labels, sample), sample, THETA)
    support = max(float(votes.adjusted_confidence), 0.0)
    score = gain * support**settings.SUPPORT_POWER if gain > 0 else gain
    return Tried(score, gain, 0.0, labels, int(np.bincount(labels).min()))


def _shared(
    split: tuple[Candidates, Candidates], k: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the share of the information that halves have in common, and how often chance gives it."""
    both = [half.with_number(k) for half in split]
    if not all(len(half.members) for half in both):
        return 0.0, 1.0
    first, second = both
    alone = settings.Weights(0.0, 0.0, 1.0)
    orders = [rng.permutation(second.labels[0]) for _ in range(_N_ORDERS)]
    permuted = second._replace(
        labels=np.array([second.labels[0], *orders]),
        kind=np.repeat(second.kind, _N_ORDERS + 1),
        n_clusters=np.repeat(second.n_clusters, _N_ORDERS + 1),
    )
    shared = gains(permuted, first, alone)
    entropies = [entropy_shares(half.labels[0]).sum() for half in both]
    by_chance = (1 + np.count_nonzero(shared[1:] >= shared[0])) / (1 + _N_ORDERS)
    return float(shared[0] / max(np.mean(entropies), 1e-12)), float(by_chance)
