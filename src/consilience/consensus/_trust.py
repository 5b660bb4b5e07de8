"""Is the consensus worth having? Figures on a seeded sample, cheaper than one sweep."""

from functools import partial
from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.exceptions import (
    NoDiversityWarning,
    NoSignalWarning,
    WorseThanMemberWarning,
    warn,
)
from consilience.incidence import pair_sums
from consilience.metrics import ari
from consilience.metrics._formulas import ari_from_squares, xlogx
from consilience.metrics._member_tables import count_table, nmi_with_members
from consilience.metrics._overlap_sums import OverlapSums
from consilience.metrics._pair_signal import pair_signal
from consilience.metrics._pairwise_nmi import nmi_of_members

Array = np.ndarray[Any, Any]

SAMPLE_ROWS = 20_000
# Members that agree this well are one clustering. Members that share so few pairs of objects beyond
# chance are noise, and so are members that share more of them, but not more than random labels would.
_IDENTICAL = 0.99
_UNRELATED = 0.01
_WEAK = 0.1
_SIGMAS = 3.0
# A member that is better by less than this is not worth a warning.
_MARGIN = 0.01


def warn_if_doubtful(labels: Array, ensemble: Ensemble) -> None:
    """Warn if members are near-identical or unrelated, or if one of them beats the consensus."""
    ensemble, labels = _sample(ensemble, labels)
    known = (ensemble.n_clusters > 0) & (ensemble.weights > 0)
    if np.count_nonzero(known) < 2 or ensemble.is_soft:
        return
    ensemble = ensemble.select(known)
    overlaps = ensemble.incidence.overlaps()
    squares = pair_sums(overlaps, ensemble.layout, partial(np.square, dtype=np.float64))
    agreement = _mean_of_others(ari_from_squares(*squares))
    # Members that know different objects complete each other even if they never disagree.
    if agreement.mean() >= _IDENTICAL and not ensemble.has_missing:
        warn(
            f"The members are nearly identical (mean adjusted Rand index {agreement.mean():.3f}); "
            "a consensus adds nothing to a single one. Make them more diverse.",
            NoDiversityWarning,
        )
        return
    signal = pair_signal(overlaps, ensemble.layout, squares)
    if signal.shared <= (_WEAK if signal.sigmas < _SIGMAS else _UNRELATED):
        warn(
            f"The members agree no better than chance (of the pairs of objects that two members could "
            f"both keep together, they share {signal.shared:.3f} beyond chance); a consensus of them "
            "means nothing.",
            NoSignalWarning,
        )
        return
    _warn_if_a_member_is_better(labels, ensemble, overlaps)


def _warn_if_a_member_is_better(labels: Array, ensemble: Ensemble, overlaps: Any) -> None:
    """Compare with members that have as many clusters; NMI is not comparable across numbers."""
    n_labels = len(np.unique(labels))
    alike = np.flatnonzero(ensemble.n_clusters == n_labels)
    if not len(alike):
        return
    sums = OverlapSums(*pair_sums(overlaps, ensemble.layout, xlogx))
    similarity = nmi_of_members(sums, "geometric")
    quality = _mean_of_others(similarity)
    best = int(alike[np.argmax(quality[alike])])
    if ari(labels, ensemble.incidence.member_labels(best)) == 1.0:
        return
    others = (np.arange(ensemble.n_members) != best) & (ensemble.n_clusters > 0)
    agreement = nmi_with_members(count_table(labels, ensemble), ensemble.layout)
    consensus = float(np.mean(agreement[others]))
    if consensus < quality[best] - _MARGIN:
        warn(
            f"Member {ensemble.names[best]!r} agrees with the other members better than the consensus "
            f"does (mean NMI {quality[best]:.3f} against {consensus:.3f}). Try another consensus "
            "function, more restarts, or another number of clusters.",
            WorseThanMemberWarning,
        )


def _mean_of_others(pairwise: Array) -> Array:
    n_members = len(pairwise)
    mean: Array = (pairwise.sum(axis=1) - np.diagonal(pairwise)) / (n_members - 1)
    return mean


def _sample(ensemble: Ensemble, labels: Array) -> tuple[Ensemble, Array]:
    n_rows = min(ensemble.n_samples, SAMPLE_ROWS)
    if n_rows == ensemble.n_samples and not ensemble.is_chunked:
        return ensemble, labels
    rows = np.random.default_rng(0).choice(ensemble.n_samples, n_rows, replace=False)
    rows.sort()
    return ensemble.take(rows), labels[rows].astype(np.int32)
