"""The members of an ensemble: how they agree, which are redundant or outlying, and their weights."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from consilience._utils._declare import Real, Share, check_parameters
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.metrics.internals import (
    count_table,
    nmi_from_sums,
    nmi_with_members,
    sums_between_members,
    xlogx,
)

# Two members can be copies only if they share so many of the objects of the one that knows fewer.
_COPIED_SHARE = 0.9
# A robust score is scaled to be a standard score for normal figures.
_MEDIAN_DEVIATION, _MEAN_DEVIATION = 1.4826, 1.2533
# A member is outlying only if its distance from the median NMI is larger than this.
_VISIBLE = 0.05
# A member without any agreement gets this fraction of the best quality, so that weights are positive.
_LEAST = 0.01


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
        others = self.nmi[~np.eye(len(self.nmi), dtype=bool)]
        return _filled(self.nmi, mean_of_known(others, otherwise=0.0))

    def known_quality(self) -> Array:
        """Return the quality, of members that cannot be compared the mean of the others."""
        return _filled(self.quality, mean_of_known(self.quality, otherwise=1.0))


def mean_of_known(values: Array, otherwise: float = np.nan) -> float:
    """Return the mean of the values that are not NaN; another one if there are none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else otherwise


def _filled(values: Array, typical: float) -> Array:
    return np.where(np.isfinite(values), values, typical)


def member_agreement(ensemble: Ensemble) -> MemberAgreement:
    """Compare all members from one overlap matrix, O(n r^2)."""
    ensemble = hard_view(ensemble)
    sums = sums_between_members(ensemble, xlogx)
    nmi = np.where(sums.total > 0, nmi_from_sums(*sums), np.nan)
    counted = (ensemble.n_clusters > 0) & (ensemble.weights > 0)
    voices = sums.total * (ensemble.weights * counted)
    np.fill_diagonal(voices, 0.0)
    return MemberAgreement(nmi, sums.total, counted, _voiced_mean(nmi, voices))


def _voiced_mean(nmi: Array, voices: Array) -> Array:
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


@dataclass(frozen=True, eq=False)
class DiversityQuality:
    """The cloud of pairs of members, and its means.

    pairs           (p, 2) positions of the two members
    nmi             (p,) NMI between them; smaller is more diverse
    quality         (p,) mean quality of the two
    member_quality  (r,) quality of every member; NaN where it cannot be had
    mean_nmi        mean over the pairs; NaN if there is none
    mean_quality    mean over the members
    with_truth      whether quality is NMI with the truth rather than with the other members
    names           names of the members
    """

    pairs: Array
    nmi: Array
    quality: Array
    member_quality: Array
    mean_nmi: float
    mean_quality: float
    with_truth: bool
    names: tuple[str, ...]

    def __str__(self) -> str:
        what = "the truth" if self.with_truth else "the other members"
        return (
            f"{len(self.names)} members agree with {what} at a mean NMI of {self.mean_quality:.3f} and "
            f"pair by pair at {self.mean_nmi:.3f} (smaller is more diverse)."
        )


def diversity_quality(ensemble: Any, truth: Any = None) -> DiversityQuality:
    """Compute the similarity and the mean quality of every pair of members.

    A consensus can only be better than its members if they are good and make different errors. The
    cloud of pairs shows both at once: to the right is better, further down is more diverse.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members.
    truth : vector of n labels, optional
        Known classes. Quality of a member is its NMI with them; without them, its mean NMI with the
        other members.

    Returns
    -------
    DiversityQuality
        Pairs, their NMI and mean quality, and the means.

    See Also
    --------
    select_members : Choose members by both.
    compare_functions : What consensus functions make of such ensembles.

    Notes
    -----
    O(n r^2). Pairs are compared on the objects that both label, and those that share none are left out.
    Without a truth the members that a member is compared with count by their weight and by the objects
    shared. Members of weight 0 and members without labels form no pairs. Soft members are taken by
    their most likely labels. NMI is not corrected for chance and grows with the number of clusters.

    References
    ----------
    [fern2004]_, table 4

    Examples
    --------
    >>> from consilience.diagnose import diversity_quality
    >>> members = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    >>> cloud = diversity_quality(members, truth=[0, 0, 1, 1])
    >>> cloud.nmi.tolist(), cloud.quality.tolist()
    ([1.0, 0.0, 0.0], [1.0, 0.5, 0.5])
    """
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    quality = agreement.quality if truth is None else truth_agreement(ensemble, truth)
    first, second = np.triu_indices(ensemble.n_members, 1)
    nmi, mean = agreement.nmi[first, second], (quality[first] + quality[second]) / 2
    counted = agreement.counted[first] & agreement.counted[second]
    used = counted & np.isfinite(nmi) & np.isfinite(mean)
    return DiversityQuality(
        pairs=np.column_stack([first, second])[used],
        nmi=nmi[used],
        quality=mean[used],
        member_quality=quality,
        mean_nmi=mean_of_known(nmi[used]),
        mean_quality=mean_of_known(quality[agreement.counted]),
        with_truth=truth is not None,
        names=ensemble.names,
    )


@dataclass(frozen=True, eq=False)
class MemberReport:
    """Redundant and outlying members.

    names          names of all members
    quality        (r,) mean NMI with the other members; NaN if there is no other member
    nearest        (r,) position of the member most alike, -1 if none
    nearest_nmi    (r,) NMI with it
    scores         (r,) robust standard score of the quality; NaN where there is no quality
    redundant      groups of near copies, each a tuple of names, the one of best quality first
    outlying       names of members whose agreement with the others is far below the rest, worst first
    uninformative  names of members with fewer than two clusters
    ignored        names of members of weight 0, which are not judged
    median         median quality
    """

    names: tuple[str, ...]
    quality: Array
    nearest: Array
    nearest_nmi: Array
    scores: Array
    redundant: tuple[tuple[str, ...], ...]
    outlying: tuple[str, ...]
    uninformative: tuple[str, ...]
    ignored: tuple[str, ...]
    median: float

    def __str__(self) -> str:
        parts = []
        if self.redundant:
            groups = "; ".join(" = ".join(group) for group in self.redundant)
            parts.append(f"near copies of each other are {groups}")
        if self.outlying:
            figures = ", ".join(
                f"{name} ({self.quality[self.names.index(name)]:.3f})" for name in self.outlying
            )
            parts.append(f"far from the others (median NMI {self.median:.3f}) are {figures}")
        if self.uninformative:
            parts.append(f"fewer than two clusters have {', '.join(self.uninformative)}")
        found = "; ".join(parts) if parts else "none is redundant and none outlying"
        n_members = len(self.names)
        return f"Of {n_members} member{'s' * (n_members != 1)}, {found}."


def member_report(
    ensemble: Any, *, threshold: float = 0.99, outlying_score: float = 3.5
) -> MemberReport:
    """Find members that are near copies of others, and members that are outliers.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members.
    threshold : float, default 0.99
        NMI from which on two members are near copies; at most 1.
    outlying_score : float, default 3.5
        How many robust standard deviations below the median of the members' quality is outlying.

    Returns
    -------
    MemberReport
        Groups of near copies, outlying members, and the figures of all.

    See Also
    --------
    select_members : Choose good and different members.
    member_weights : Give copies a smaller weight.

    Notes
    -----
    Quality is the mean NMI with the other members, each counted by its weight and by the objects shared.
    The robust score is (quality - median) / (1.4826 MAD) [iglewicz1993]_, MAD the median absolute
    deviation from the median; if that is 0, 1.2533 times the mean absolute deviation takes its place,
    and if that is 0 too all scores are 0. A member is outlying if its score is below -outlying_score and
    its quality more than 0.05 below the median: there are no outliers among members that hardly differ.

    Near copies share at least 90 % of the objects of the one that knows fewer; groups are chains of
    them. Two members with one cluster each are copies. O(n r^2). Soft members
    are compared by their most likely labels.

    References
    ----------
    [iglewicz1993]_

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.diagnose import member_report
    >>> labels = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> print(member_report(Ensemble(labels, names=["a", "b", "c"])))
    Of 3 members, near copies of each other are a = b.
    """
    declared = {"threshold": Real(0, 1), "outlying_score": Real(0)}
    check_parameters("member_report", declared, locals())
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    quality = np.where(agreement.counted, agreement.quality, np.nan)
    nearest, nearest_nmi = _nearest(agreement)
    median = (
        float(np.median(quality[np.isfinite(quality)])) if np.isfinite(quality).any() else np.nan
    )
    scores = _robust_scores(quality, median)
    # Comparisons with NaN are false.
    low = np.flatnonzero((scores < -outlying_score) & (quality < median - _VISIBLE))
    names = ensemble.names
    few = (ensemble.n_clusters < 2) & (ensemble.weights > 0)
    return MemberReport(
        names=names,
        quality=quality,
        nearest=nearest,
        nearest_nmi=nearest_nmi,
        scores=scores,
        redundant=_groups(agreement, threshold, names),
        outlying=tuple(names[j] for j in low[np.argsort(quality[low], kind="stable")]),
        uninformative=tuple(names[j] for j in np.flatnonzero(few)),
        ignored=tuple(names[j] for j in np.flatnonzero(ensemble.weights == 0)),
        median=median,
    )


def _nearest(agreement: MemberAgreement) -> tuple[Array, Array]:
    comparable = np.isfinite(agreement.nmi) & agreement.counted & agreement.counted[:, None]
    np.fill_diagonal(comparable, val=False)
    nmi = np.where(comparable, agreement.nmi, -1.0)
    found = comparable.any(axis=1)
    return np.where(found, nmi.argmax(axis=1), -1), np.where(found, nmi.max(axis=1), np.nan)


def _robust_scores(quality: Array, median: float) -> Array:
    away = np.abs(quality - median)
    known = away[np.isfinite(away)]
    if not len(known):
        return away
    spread = _MEDIAN_DEVIATION * float(np.median(known))
    # Figures that are equal but for rounding have no spread.
    if spread <= 1e-9:
        spread = _MEAN_DEVIATION * float(known.mean())
    return (quality - median) / spread if spread > 1e-9 else 0.0 * away


def _groups(
    agreement: MemberAgreement, threshold: float, names: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """Return chains of near copies, in the order of their first members."""
    # Equal members agree at 1 but for rounding.
    alike = _can_be_copies(agreement) & (agreement.known_nmi() >= threshold - 1e-9)
    chain = connected_components(alike, directed=False)[1]
    quality = agreement.known_quality().round(12)  # copies differ by rounding
    groups = []
    for number in dict.fromkeys(chain.tolist()):
        members = np.flatnonzero(chain == number)
        if len(members) > 1:
            best_first = members[np.argsort(-quality[members], kind="stable")]
            groups.append(tuple(names[j] for j in best_first))
    return tuple(groups)


def member_weights(ensemble: Any, *, threshold: float = 0.95) -> Array:
    """Compute weights: larger for members that agree with others, smaller for near copies.

    A member that agrees with many others is likely to be right. A copy of another member is no further
    evidence, so copies together have the weight of one member.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members.
    threshold : float, default 0.95
        NMI from which on two members begin to be copies, above 0 and below 1.

    Returns
    -------
    array (r,)
        Positive weights of mean 1, for `Ensemble.with_weights`; 0 where the ensemble has weight 0, and
        1 for a member that knows nothing (no weight matters there). Neither counts in the mean.

    See Also
    --------
    select_members : Leave members out instead.
    member_report : Name the copies.

    Notes
    -----
    With s_jl = max(0, (NMI_jl - threshold) / (1 - threshold)), how far l is a copy of j (s_jj = 1)::

        c_j = sum over l of s_jl                                    copies of j, itself included
        q_j = mean over l of NMI_jl, weighted by (1 - s_jl) / c_l   quality: others, copies as one
        w_j proportional to q_j / c_j

    In q_j the members l also count by the weight they have and by the objects shared. An ensemble of
    copies gets equal weights. Members that share less than 90 % of the objects of the one that knows
    fewer are not copies: s_jl = 0. Members of quality below 1 % of the best, such as those of a single
    cluster, are raised to 1 %; if no two members agree, all q_j are 1. O(n r^2). Soft members are
    compared by their most likely labels.

    Examples
    --------
    >>> from consilience.diagnose import member_weights
    >>> members = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]
    >>> member_weights(members).round(2).tolist()
    [0.77, 0.77, 1.03, 1.44]
    """
    check_parameters("member_weights", {"threshold": Share(proper=True)}, locals())
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    nearness = np.maximum(agreement.known_nmi() - threshold, 0) / (1 - threshold)
    copied = np.where(_can_be_copies(agreement), nearness, 0.0)
    np.fill_diagonal(copied, 1.0)
    n_copies = copied.sum(axis=1)
    voices = (1 - copied) * agreement.shared * (ensemble.weights * agreement.counted / n_copies)
    np.fill_diagonal(voices, 0.0)
    quality = _quality_of_others(_voiced_mean(agreement.nmi, voices), agreement)
    weights = np.maximum(quality, _LEAST * quality[agreement.counted].max()) / n_copies
    weights /= weights[agreement.counted].mean()
    return np.where(agreement.counted, weights, np.where(ensemble.weights > 0, 1.0, 0.0))


def _can_be_copies(agreement: MemberAgreement) -> Array:
    """Say which pairs know so much in common that they can be copies, (r, r)."""
    known = np.diagonal(agreement.shared)
    smaller = np.minimum(known[:, None], known)
    possible = (agreement.shared > 0) & (agreement.shared >= _COPIED_SHARE * smaller)
    return np.asarray(possible & agreement.counted[:, None] & agreement.counted)


def _quality_of_others(quality: Array, agreement: MemberAgreement) -> Array:
    """Members that only have copies get quality 1; members that share no objects get the mean."""
    only_copies = ~np.isfinite(quality) & np.isfinite(agreement.quality)
    quality = np.where(only_copies, 1.0, quality)
    counted = quality[agreement.counted]
    if not (counted > 0).any():
        return np.ones(len(quality))
    return _filled(quality, mean_of_known(counted))
