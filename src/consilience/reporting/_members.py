"""The members: similarity, diversity, near copies and outliers."""

from typing import Any

import numpy as np

from consilience.diagnose import MemberReport, diversity_quality, member_report
from consilience.ensemble import Ensemble
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, number, plural

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
    few = result.n_clusters < 2
    shown = np.arange(len(cloud.nmi))
    if len(shown) > _PAIRS_SHOWN:
        shown = np.sort(rng.choice(len(shown), _PAIRS_SHOWN, replace=False))
    table = [
        _row(result.ensemble, judged, j, np.nan if few else with_consensus[j])
        for j in _order(judged)[:_MEMBERS_SHOWN]
    ]
    return {
        "n_members": ensemble.n_members,
        "soft": ensemble.is_soft,
        "n_compared": ensemble.n_samples,
        "sampled": sampled,
        "mean_nmi": _plain(cloud.mean_nmi),
        "n_pairs": len(cloud.nmi),
        "pairs": [
            [round(float(cloud.quality[p]), 3), round(float(cloud.nmi[p]), 3)] for p in shown
        ],
        "sentences": _sentences(result.ensemble, judged, cloud.mean_nmi),
        "redundant": [list(group[:20]) for group in judged.redundant[:20]],
        "outlying": list(judged.outlying[:20]),
        "table": table,
    }


def _order(judged: MemberReport) -> list[int]:
    """Return the members; those with a remark first."""
    odd = {*judged.outlying, *judged.uninformative, *judged.ignored}
    odd |= {name for group in judged.redundant for name in group[1:]}
    return sorted(range(len(judged.names)), key=lambda j: (judged.names[j] not in odd, j))


def _row(ensemble: Ensemble, judged: MemberReport, j: int, with_consensus: float) -> dict[str, Any]:
    name = judged.names[j]
    nearest = int(judged.nearest[j])
    return {
        "name": name,
        "n_clusters": int(ensemble.n_clusters[j]),
        "known": round(float(ensemble.n_observed[j] / max(1, ensemble.n_samples)), 6),
        "weight": float(ensemble.weights[j]),
        "with_others": _plain(judged.quality[j]),
        "with_consensus": _plain(with_consensus),
        "nearest": None if nearest < 0 else judged.names[nearest],
        "nearest_nmi": _plain(judged.nearest_nmi[j]),
        "remark": _remark(judged, name),
    }


def _remark(judged: MemberReport, name: str) -> str:
    if name in judged.ignored:
        return "weight 0, ignored"
    if name in judged.uninformative:
        return "fewer than two clusters"
    if name in judged.outlying:
        return "far from the others"
    for group in judged.redundant:
        if name in group[1:]:
            return f"near copy of {group[0]}"
    return ""


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


def _plain(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None
