"""The numbers of clusters that were tried, and the evidence for each."""

import math
from typing import Any

from consilience.answer import KChoice, KRow
from consilience.reporting._words import number, percent


def describe_choice(choice: KChoice) -> dict[str, Any]:
    """Return the sentence of the choice, and a row, a curve and a sentence per candidate."""
    return {
        "sentence": choice.sentence,
        "answer": choice.answer,
        "probability": _plain(choice.probability),
        "chosen": choice.n_clusters,
        "n_rows": len(choice.rows),
        "candidates": [
            {
                **{
                    name: value if isinstance(value, str) else _plain(value)
                    for name, value in row._asdict().items()
                    if name != "n_clusters"
                },
                "n_clusters": row.n_clusters,
                "sentence": _sentence(row),
                "cdf": [round(float(value), 4) for value in choice.cdf[row.n_clusters]],
            }
            for row in choice.table
        ],
    }


def _sentence(row: KRow) -> str:
    return (
        f"{row.n_clusters} clusters: {row.why}; score {number(row.score)}, from a gain of "
        f"{number(row.gain)} less {number(row.border_cost)} for the borders; the smallest cluster has "
        f"{percent(row.smallest)} of the objects."
    )


def _plain(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None
