"""Pairwise agreement of members, which several diagnoses use."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.metrics.internals import (
    count_table,
    nmi_from_sums,
    nmi_with_members,
    sums_between_members,
    xlogx,
)


class MemberAgreement(NamedTuple):
    """Every member against every other.

    nmi      (r, r) NMI on the objects that both label; NaN where they share none
    shared   (r, r) objects that both label; on the diagonal what a member knows
    counted  (r,) whether a member counts: it knows something and its weight is not 0
    quality  (r,) mean NMI with the other members that count, each by its weight and by the objects
             shared (ClusterPack's rule for missing labels); NaN if there is no other member
    """

    nmi: Array
    shared: Array
    counted: Array
    quality: Array

    def known_nmi(self) -> Array:
        """Return the NMI with pairs that share nothing at the mean of the others: they tell nothing."""
        apart = ~np.eye(len(self.nmi), dtype=bool)
        known = self.nmi[apart & np.isfinite(self.nmi)]
        typical = float(known.mean()) if len(known) else 0.0
        return np.where(np.isfinite(self.nmi), self.nmi, typical)

    def known_quality(self) -> Array:
        """Return the quality, of members that cannot be compared the mean of the others."""
        known = self.quality[np.isfinite(self.quality)]
        typical = float(known.mean()) if len(known) else 1.0
        return np.where(np.isfinite(self.quality), self.quality, typical)


def member_agreement(ensemble: Ensemble) -> MemberAgreement:
    """Compare all members from one overlap matrix, O(n r^2)."""
    ensemble = hard_view(ensemble)
    sums = sums_between_members(ensemble, xlogx)
    nmi = np.where(sums.total > 0, nmi_from_sums(*sums), np.nan)
    counted = (ensemble.n_clusters > 0) & (ensemble.weights > 0)
    voices = sums.total * (ensemble.weights * counted)
    np.fill_diagonal(voices, 0.0)
    return MemberAgreement(nmi, sums.total, counted, voiced_mean(nmi, voices))


def voiced_mean(nmi: Array, voices: Array) -> Array:
    """Mean NMI of every row, weighted by columns; NaN where all weights are 0."""
    total = voices.sum(axis=1)
    mean = (np.where(voices > 0, nmi, 0.0) * voices).sum(axis=1) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, mean, np.nan)


def truth_agreement(ensemble: Ensemble, truth: Any) -> Array:
    """NMI of every member with the truth, (r,); NaN where they share no object."""
    ensemble = hard_view(ensemble)
    counts = count_table(truth, ensemble)
    known = ensemble.layout.sum_by_member(counts.sum(axis=1)) > 0
    return np.where(known, nmi_with_members(counts, ensemble.layout), np.nan)


def hard_view(ensemble: Ensemble) -> Ensemble:
    """Return soft members by their most likely labels: a soft copy would not equal itself."""
    if not ensemble.is_soft:
        return ensemble
    labels = Ensemble(ensemble.labels, weights=ensemble.weights, names=ensemble.names)
    return labels.with_sample_weight(ensemble.sample_weight)
