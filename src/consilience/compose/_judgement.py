"""How reliable the clusters are."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.compose._chance import structureless_confidence
from consilience.compose._doubts import (
    doubts_about_fit,
    doubts_about_separation,
    doubts_about_views,
)
from consilience.compose._verdict import verdict
from consilience.compose._views import ViewChoice
from consilience.consensus import ConsensusFunction, Doubt
from consilience.consensus.internals import doubts_about_chance, doubts_about_clusters
from consilience.diagnose import KChoice
from consilience.diagnose.internals import ALPHA, Separation, doubts_about_k, separation_of
from consilience.ensemble import Ensemble
from consilience.generate import EnsembleGenerator

# What the level by chance of a model is found on.
WITHOUT_CLUSTERS = "data without clusters"
# Rows on which the separation of the final clusters is tested, and the most clusters for which it is.
_TESTED_ROWS = 2_000
_TESTED_CLUSTERS = 40


class Clusters(NamedTuple):
    """The clusters that are judged, and how they were found.

    rows         the data as the members saw them; a sample of data in chunks
    places       positions of these rows among all
    labels       (n,) 0 .. K - 1
    confidence   (n,) NaN = no member labels the object
    generator    what made the members
    ensemble     the members
    function     what combined them; None if there was nothing to combine
    view_choice  which views of the data were compared
    k_choice     how K was chosen; None if it was given
    seen         the objects by which K was chosen, as they were seen there; None if it was given, or
                 the clusters are not those that were found separated
    """

    rows: Any
    places: Any
    labels: Array
    confidence: Array
    generator: EnsembleGenerator
    ensemble: Ensemble
    function: ConsensusFunction | None
    view_choice: ViewChoice
    k_choice: KChoice | None
    seen: Array | None

    @property
    def sizes(self) -> Array:
        """Return the objects of every cluster."""
        return np.bincount(self.labels)


class Judgement(NamedTuple):
    """What is said about clusters.

    stability    (K,) mean confidence of every cluster
    chance       mean confidence of data without clusters
    separation   how far the least separated cluster is separated; None if there are one or very many
    doubts       what should be known before the result is used
    verdict      the answer in words
    """

    stability: Array
    chance: float
    separation: Separation | None
    doubts: list[Doubt]
    verdict: str


def judge(clusters: Clusters, random_state: int) -> Judgement:
    """Compare with chance, test the labels as the candidates for k were tested, and collect doubts."""
    known = ~np.isnan(clusters.confidence)
    stability = _mean_by_cluster(clusters.labels[known], clusters.confidence[known], clusters.sizes)
    n_clusters = len(clusters.sizes)
    chance = 1.0
    if clusters.function is not None and n_clusters > 1:
        chance = structureless_confidence(
            clusters.rows,
            clusters.generator,
            clusters.ensemble,
            clusters.function,
            clusters.labels,
            random_state,
        )
    separation = None
    if 1 < n_clusters <= _TESTED_CLUSTERS:
        labels = clusters.labels[clusters.places]
        tested = _tested_rows(clusters, len(labels))
        choice = clusters.k_choice
        level = choice.alpha if choice is not None and choice.separated else ALPHA
        separation = separation_of(clusters.rows, labels, tested, level, clusters.seen)
    doubts = _doubts(clusters, stability, chance, separation)
    said = verdict(clusters.sizes, clusters.confidence, chance, separation, doubts)
    return Judgement(stability, chance, separation, doubts, said)


def _doubts(
    clusters: Clusters, stability: Array, chance: float, separation: Separation | None
) -> list[Doubt]:
    n_clusters = len(clusters.sizes)
    found = [
        *doubts_about_k(clusters.k_choice),
        *doubts_about_separation(separation),
        *doubts_about_views(clusters.view_choice, n_clusters),
    ]
    if clusters.function is not None:
        found += doubts_about_fit(clusters.function.doubts_, clusters.ensemble.n_members)
    if n_clusters > 1:
        known = clusters.confidence[~np.isnan(clusters.confidence)]
        found += doubts_about_chance(
            float(known.mean()) if len(known) else np.nan,
            chance,
            WITHOUT_CLUSTERS,
            separated=None if separation is None else separation.separated,
        )
        names = [str(cluster) for cluster in range(n_clusters)]
        found += doubts_about_clusters(clusters.sizes, stability, names)
    return found


def _tested_rows(clusters: Clusters, n_rows: int) -> Array:
    """Return the rows on which k was chosen, or as many others."""
    if clusters.k_choice is not None:
        return clusters.k_choice.rows
    if n_rows <= _TESTED_ROWS:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, _TESTED_ROWS, replace=False))


def _mean_by_cluster(labels: Array, values: Array, sizes: Array) -> Array:
    """Return the mean value of every cluster; NaN for one without values."""
    counts = np.bincount(labels, minlength=len(sizes))
    sums = np.bincount(labels, weights=values, minlength=len(sizes))
    means: Array = sums / np.where(counts > 0, counts, np.nan)
    return means
