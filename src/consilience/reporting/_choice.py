"""The candidates for the number of clusters, and what speaks for each."""

import math
from typing import Any

from consilience.diagnose import KChoice, KRow
from consilience.reporting._words import percent, probability


def describe_choice(choice: KChoice) -> dict[str, Any]:
    """Return the rule, its sentence, and a row, a curve and a sentence for every candidate."""
    return {
        "sentence": choice.sentence,
        "chosen": choice.n_clusters,
        "alpha": choice.alpha,
        "n_null": choice.n_null,
        "n_rows": len(choice.rows),
        "candidates": [
            {
                **{
                    name: _plain(value)
                    for name, value in row._asdict().items()
                    if name != "n_clusters"
                },
                "n_clusters": row.n_clusters,
                "sentence": _sentence(row, choice),
                "cdf": [round(float(value), 4) for value in choice.cdf[row.n_clusters]],
            }
            for row in choice.table
        ],
    }


def _sentence(row: KRow, choice: KChoice) -> str:
    separated = row.separation <= choice.alpha
    valley = (
        f"a valley separates every two clusters ({probability(row.separation)} for the weakest)"
        if separated
        else f"at least two clusters have no valley between them ({probability(row.separation)})"
    )
    null = "" if choice.n_null == 0 else f", {percent(row.null_pac)} in data without clusters"
    return (
        f"{row.n_clusters} clusters: {valley}; {percent(row.pac)} of the pairs are ambiguous{null}; "
        f"the smallest cluster has {percent(row.smallest)} of the objects."
    )


def _plain(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None
