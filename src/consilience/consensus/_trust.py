"""Checks of a consensus, its clusters and its members, and the doubts that follow."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import listed, plural
from consilience.consensus._doubts import (
    BY_CHANCE,
    KNOWN_TO_ONE_MEMBER,
    NEAR_CHANCE,
    NO_DIVERSITY,
    NO_MAJORITY,
    NO_SIGNAL,
    SMALL_CLUSTERS,
    UNKNOWN_OBJECTS,
    WORSE_THAN_MEMBER,
    Doubt,
)
from consilience.ensemble import Ensemble
from consilience.incidence import pair_sums
from consilience.metrics import ari, evidence
from consilience.metrics.internals import (
    ari_from_squares,
    count_table,
    nmi_of_members,
    nmi_with_members,
    pair_signal,
    xlogx,
)

SAMPLE_ROWS = 20_000
# Members that agree this well are nearly identical. Members that share so few pairs of objects beyond
# chance are noise, and so are members that share no more pairs than random labels would.
_IDENTICAL = 0.99
_UNRELATED = 0.01
_WEAK = 0.1
_SIGMAS = 3.0
# A member that is better by less than this gives no doubt.
_MARGIN = 0.01
# A doubt is reported if one member alone labels at least this share of the objects.
_KNOWN_ONCE = 0.05


def doubts_about(labels: Array, ensemble: Ensemble) -> list[Doubt]:
    """Return doubts about any clustering of the objects of an ensemble."""
    known_by = members_that_know(ensemble)
    return [
        *doubts_about_objects(known_by, known_by == 0),
        *doubts_about_members(labels, ensemble),
    ]


def members_that_know(ensemble: Ensemble) -> Array:
    """Return the number of members of positive weight that label every object, (n,)."""
    counted = ensemble.weights > 0
    if not ensemble.has_missing:
        return np.broadcast_to(np.count_nonzero(counted), ensemble.n_samples)
    return ensemble.incidence.observed(counted.astype(np.float64))


def doubts_about_objects(known_by: Array, unknown: Array, *, placed: bool = False) -> list[Doubt]:
    """Return doubts about objects that no member labels, or only one.

    Parameters
    ----------
    known_by : array (n,)
        Number of members that label every object.
    unknown : array (n,)
        Mask of the objects that have no label and no constraint.
    placed : bool
        Whether objects that no member labels were put into the largest cluster.
    """
    n_samples, found = len(known_by), []
    n_unknown = int(np.count_nonzero(unknown))
    if n_unknown:
        verb = "is" if n_unknown == 1 else "are"
        where = (
            " Such objects are put into the largest cluster, and unlabelled_ marks them." * placed
        )
        found.append(
            Doubt(
                UNKNOWN_OBJECTS,
                {"objects": n_unknown, "of": n_samples, "share": n_unknown / n_samples},
                f"{n_unknown:,} of {plural(n_samples, 'object')} {verb} labelled by no member: the "
                f"confidence is not known there, and the cluster means nothing.{where}",
                f"{plural(n_unknown, 'object')} {verb} labelled by no member",
            )
        )
    once = int(np.count_nonzero(known_by == 1))
    if once >= _KNOWN_ONCE * n_samples and once:
        verb = "is" if once == 1 else "are"
        found.append(
            Doubt(
                KNOWN_TO_ONE_MEMBER,
                {"objects": once, "of": n_samples, "share": once / n_samples},
                f"{once:,} of {plural(n_samples, 'object')} ({once / n_samples:.0%}) {verb} labelled by "
                "one member only: no other member can contradict it, so a high confidence means little "
                "there.",
                f"{once / n_samples:.0%} of the objects are labelled by one member only",
            )
        )
    return found


def doubts_about_members(labels: Array, ensemble: Ensemble) -> list[Doubt]:
    """Return doubts: members nearly identical or unrelated, or one of them better than the consensus."""
    ensemble, labels = _sample(ensemble, labels)
    known = (ensemble.n_clusters > 0) & (ensemble.weights > 0)
    if np.count_nonzero(known) < 2 or ensemble.is_soft:
        return []
    ensemble = ensemble.select(known)
    overlaps = ensemble.incidence.overlaps()
    squares = pair_sums(overlaps, ensemble.layout, partial(np.square, dtype=np.float64))
    agreement = float(_mean_of_others(ari_from_squares(*squares)).mean())
    # Members that label different objects complement each other even if they never disagree.
    if agreement >= _IDENTICAL and not ensemble.has_missing:
        return [
            Doubt(
                NO_DIVERSITY,
                {"mean_ari": agreement},
                f"The members are nearly identical (mean adjusted Rand index {agreement:.3f}); "
                "a consensus adds nothing to a single one. Make them more diverse.",
                "the members are nearly identical",
            )
        ]
    signal = pair_signal(overlaps, ensemble.layout, squares)
    if signal.shared <= (_WEAK if signal.sigmas < _SIGMAS else _UNRELATED):
        return [
            Doubt(
                NO_SIGNAL,
                {"shared_pairs": float(signal.shared), "sigmas": float(signal.sigmas)},
                f"The members agree no better than chance (of the pairs of objects that two members "
                f"could both keep together, they share {signal.shared:.3f} beyond chance); a consensus "
                "of them means nothing.",
                "the members agree no better than chance",
            )
        ]
    return _doubts_about_best(labels, ensemble, overlaps)


def _doubts_about_best(labels: Array, ensemble: Ensemble, overlaps: Any) -> list[Doubt]:
    """Compare with members of the same number of clusters, since NMI depends on that number."""
    n_labels = len(np.unique(labels))
    alike = np.flatnonzero(ensemble.n_clusters == n_labels)
    if not len(alike):
        return []
    similarity = nmi_of_members(pair_sums(overlaps, ensemble.layout, xlogx))
    quality = _mean_of_others(similarity)
    best = int(alike[np.argmax(quality[alike])])
    if ari(labels, ensemble.incidence.member_labels(best)) == 1.0:
        return []
    others = (np.arange(ensemble.n_members) != best) & (ensemble.n_clusters > 0)
    agreement = nmi_with_members(count_table(labels, ensemble), ensemble.layout)
    consensus = float(np.mean(agreement[others]))
    if consensus >= quality[best] - _MARGIN:
        return []
    return [
        Doubt(
            WORSE_THAN_MEMBER,
            {"nmi_of_member": float(quality[best]), "nmi_of_consensus": consensus},
            f"Member {ensemble.names[best]!r} agrees with the other members better than the consensus "
            f"does (mean NMI {quality[best]:.3f} against {consensus:.3f}). Try another consensus "
            "function, more restarts, or another number of clusters.",
            "one member agrees with the others better than the consensus does",
        )
    ]


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


# Statistics of a cluster with fewer objects than this are unreliable.
_FEW_OBJECTS = 5


def doubts_about_chance(
    mean_confidence: float, chance: float, without: str, *, separated: bool | None
) -> list[Doubt]:
    """Compare the confidence with that of data or members without clusters.

    Parameters
    ----------
    mean_confidence, chance : float
        The mean confidence of the result, and the largest one reached by chance.
    without : str
        Description of the data or members from which the chance level was computed.
    separated : bool or None
        Whether every cluster is separated from the rest; None = not known.
    """
    if not np.isfinite(mean_confidence):
        return []
    found = evidence(mean_confidence, chance)
    if found == "some":
        return []
    figures = {"mean_confidence": float(mean_confidence), "chance_confidence": float(chance)}
    sentence = (
        f"The mean confidence is {mean_confidence:.2f}, and with {without} it would be up to "
        f"{chance:.2f}: this is {'no' if found == 'none' else 'little'} evidence of clusters."
    )
    if found == "none" and not separated:
        clause = "the members support them hardly more than by chance"
        return [Doubt(BY_CHANCE, figures, sentence, clause)]
    clause = "the members support them little more than by chance"
    return [Doubt(NEAR_CHANCE, figures, sentence, clause)]


def doubts_about_clusters(sizes: Array, stability: Array, names: Sequence[str]) -> list[Doubt]:
    """Return doubts about very small clusters and clusters in which most votes go to other clusters.

    Parameters
    ----------
    sizes, stability : array (K,)
        Number of objects of every cluster, and their mean confidence (NaN = unknown).
    names : sequence of K str
        Names of the clusters.
    """
    found = []
    small = np.flatnonzero(sizes < _FEW_OBJECTS)
    if len(small) and len(sizes) > 1:
        which = listed([f"{names[c]} ({sizes[c]})" for c in small.tolist()])
        found.append(
            Doubt(
                SMALL_CLUSTERS,
                {"clusters": len(small), "smallest": int(sizes.min())},
                f"Fewer than {_FEW_OBJECTS} objects are in {which}; their figures mean little.",
                f"{plural(len(small), 'cluster')} {'has' if len(small) == 1 else 'have'} fewer than "
                f"{_FEW_OBJECTS} objects",
            )
        )
    weak = np.flatnonzero(stability < 0.5)
    if len(weak):
        which = listed([names[c] for c in weak.tolist()])
        found.append(
            Doubt(
                NO_MAJORITY,
                {"clusters": len(weak), "lowest_confidence": float(np.nanmin(stability))},
                f"In {plural(len(weak), 'cluster')} ({which}) the members give most of their votes to "
                "other clusters.",
                f"in {plural(len(weak), 'cluster')} most votes go to other clusters",
            )
        )
    return found
