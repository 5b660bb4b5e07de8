"""The members: similarity, diversity, near copies and outliers."""

from typing import Any

import numpy as np

from consilience.diagnose import MemberReport, diversity_quality, member_report
from consilience.ensemble import Ensemble
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, number, plural, rounded

# Members are compared on this many objects, and so many members and pairs are shown.
SAMPLE_OBJECTS = 20_000
_MEMBERS_SHOWN = 60
_PAIRS_SHOWN = 1500


def describe_members(result: Result, rng: np.random.Generator) -> dict[str, Any]:
    """Return sentences, the cloud of pairs and a table of members."""
    ensemble, labels = result.ensemble, result.labels
    sampled = ensemble.n_samples > SAMPLE_OBJECTS
    if sampled:
        rows = np.sort(rng.choice(ensemble.n_samples, SAMPLE_OBJECTS, replace=False))
        ensemble, labels = ensemble.take(rows), labels[rows]
    cloud = diversity_quality(ensemble)
    judged = member_report(ensemble)
    with_consensus = diversity_quality(ensemble, truth=labels).member_quality
    if result.n_clusters < 2:
        with_consensus = np.full(ensemble.n_members, np.nan)
    remarks = _remarks(judged)
    order = sorted(range(ensemble.n_members), key=lambda j: (judged.names[j] not in remarks, j))
    shown = np.arange(len(cloud.nmi))
    if len(shown) > _PAIRS_SHOWN:
        shown = np.sort(rng.choice(len(shown), _PAIRS_SHOWN, replace=False))
    return {
        "n_members": ensemble.n_members,
        "soft": ensemble.is_soft,
        "n_compared": ensemble.n_samples,
        "sampled": sampled,
        "mean_nmi": rounded(cloud.mean_nmi),
        "n_pairs": len(cloud.nmi),
        "pairs": [
            [round(float(cloud.quality[p]), 3), round(float(cloud.nmi[p]), 3)] for p in shown
        ],
        "sentences": _sentences(result.ensemble, judged, cloud.mean_nmi),
        "redundant": [list(group[:20]) for group in judged.redundant[:20]],
        "outlying": list(judged.outlying[:20]),
        "table": [
            {
                **_row(result.ensemble, judged, j),
                "with_consensus": rounded(with_consensus[j]),
                "remark": remarks.get(judged.names[j], ""),
            }
            for j in order[:_MEMBERS_SHOWN]
        ],
    }


def _remarks(judged: MemberReport) -> dict[str, str]:
    """Return what is to be said of single members; the last of several remarks counts."""
    copies = [(name, group[0]) for group in judged.redundant for name in group[1:]]
    return {
        **{name: f"near copy of {first}" for name, first in copies},
        **dict.fromkeys(judged.outlying, "far from the others"),
        **dict.fromkeys(judged.uninformative, "fewer than two clusters"),
        **dict.fromkeys(judged.ignored, "weight 0, ignored"),
    }


def _row(ensemble: Ensemble, judged: MemberReport, j: int) -> dict[str, Any]:
    nearest = int(judged.nearest[j])
    return {
        "name": judged.names[j],
        "n_clusters": int(ensemble.n_clusters[j]),
        "known": rounded(ensemble.n_observed[j] / max(1, ensemble.n_samples)),
        "weight": float(ensemble.weights[j]),
        "with_others": rounded(judged.quality[j]),
        "nearest": None if nearest < 0 else judged.names[nearest],
        "nearest_nmi": rounded(judged.nearest_nmi[j]),
    }


def _sentences(ensemble: Ensemble, judged: MemberReport, mean_nmi: float) -> list[str]:
    low, high = int(ensemble.n_clusters.min()), int(ensemble.n_clusters.max())
    kind = "soft clustering" if ensemble.is_soft else "clustering"
    each = f"{low}" if low == high else f"{low} to {high}"
    verb = "is" if ensemble.n_members == 1 else "are"
    word = "cluster" if each == "1" else "clusters"
    sentences = [f"There {verb} {plural(ensemble.n_members, kind)}, of {each} {word}."]
    if np.isfinite(mean_nmi):
        sentences.append(
            f"Two of them share {number(mean_nmi)} of their information on average (NMI: 1 is the "
            "same clustering, 0 unrelated ones)."
        )
    if judged.redundant:
        spare = sum(len(group) - 1 for group in judged.redundant)
        word = "repeats" if spare == 1 else "repeat"
        sentences.append(f"{count(spare)} of them nearly {word} another.")
    outlying = [name for name in judged.outlying if name not in judged.uninformative]
    if outlying:
        sentences.append(f"Far from the others: {listed(outlying)}.")
    if judged.uninformative:
        sentences.append(f"Fewer than two clusters: {listed(list(judged.uninformative))}.")
    if not (judged.redundant or judged.outlying or judged.uninformative):
        sentences.append("None repeats another, and none stands apart.")
    return sentences
