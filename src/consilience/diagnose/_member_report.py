"""Redundant and outlying members."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._declare import Real, check_parameters
from consilience._utils._types import Array
from consilience.diagnose._member_agreement import MemberAgreement, member_agreement
from consilience.diagnose._member_weights import can_be_copies
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError

# A robust score is scaled to be a standard score for normal figures.
_MEDIAN_DEVIATION, _MEAN_DEVIATION = 1.4826, 1.2533
# A member is outlying only if its distance from the median NMI is larger than this.
_VISIBLE = 0.05


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
    declared = {"threshold": Real(0), "outlying_score": Real(0)}
    given = {"threshold": threshold, "outlying_score": outlying_score}
    check_parameters("member_report", declared, given)
    if threshold > 1:
        raise InvalidParameterError(
            f"member_report: threshold must be a number from 0 to 1; got {threshold!r}."
        )
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    quality = np.where(agreement.counted, agreement.quality, np.nan)
    nearest, nearest_nmi = _nearest(agreement)
    scores, median = _robust_scores(quality)
    known = np.isfinite(scores)
    low = known & (np.where(known, scores, 0.0) < -outlying_score)
    low &= np.where(known, quality, median) < median - _VISIBLE
    worst = np.flatnonzero(low)[np.argsort(quality[low], kind="stable")]
    names = ensemble.names
    few = (ensemble.n_clusters < 2) & (ensemble.weights > 0)
    return MemberReport(
        names=names,
        quality=quality,
        nearest=nearest,
        nearest_nmi=nearest_nmi,
        scores=scores,
        redundant=_groups(agreement, threshold, names),
        outlying=tuple(names[j] for j in worst),
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


def _robust_scores(quality: Array) -> tuple[Array, float]:
    known = quality[np.isfinite(quality)]
    if not len(known):
        return np.full(len(quality), np.nan), np.nan
    median = float(np.median(known))
    away = np.abs(known - median)
    spread = _MEDIAN_DEVIATION * float(np.median(away))
    # Figures that are equal but for rounding have no spread.
    if spread <= 1e-9:
        spread = _MEAN_DEVIATION * float(away.mean())
    if spread <= 1e-9:
        return np.where(np.isfinite(quality), 0.0, np.nan), median
    return (quality - median) / spread, median


def _groups(
    agreement: MemberAgreement, threshold: float, names: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """Return chains of near copies, in the order of their first members."""
    from scipy.sparse.csgraph import connected_components

    # Equal members agree at 1 but for rounding.
    alike = can_be_copies(agreement) & (agreement.known_nmi() >= threshold - 1e-9)
    chain = connected_components(alike, directed=False)[1]
    quality = agreement.known_quality().round(12)  # copies differ by rounding
    groups = []
    for number in range(int(chain.max()) + 1):
        members = np.flatnonzero(chain == number)
        if len(members) > 1:
            best_first = members[np.argsort(-quality[members], kind="stable")]
            groups.append((int(members[0]), tuple(names[j] for j in best_first)))
    return tuple(group for _, group in sorted(groups))
