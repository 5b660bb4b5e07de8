"""What was chosen from: the candidates for the number of clusters, and the views of the data."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from consilience.compose import ViewChoice
from consilience.diagnose import KChoice, KRow
from consilience.reporting._words import percent, probability

# Clusters from which the tree of merges is drawn.
_MOST_LEAVES = 20
_OF_A_MERGE = ("n_clusters", "first", "second", "p_value")


def describe_choice(choice: KChoice) -> dict[str, Any]:
    """Return the sentence of the choice, its tree, and a row, a curve and a sentence per candidate."""
    return {
        "sentence": choice.sentence,
        "answer": choice.answer,
        "chosen": choice.n_clusters,
        "alpha": choice.alpha,
        "n_rows": len(choice.rows),
        "of_view": _of_view(choice),
        "tree": _tree(choice),
        "candidates": [
            {
                **_plain(row._asdict()),
                "sentence": _sentence(row, choice),
                "cdf": [round(float(value), 4) for value in choice.cdf[row.n_clusters]],
            }
            for row in choice.table
        ],
    }


def _of_view(choice: KChoice) -> str | None:
    """Say whose clusters the tree has, if they need not be those that are returned; else None."""
    if choice.separated or not choice.view:
        return None
    return (
        f"The tree, the slider and the table are of one view of the data ({', '.join(choice.view)}). "
        "The clusters of this report have the same number, but come from members made for them, so that "
        "sizes and p-values can differ."
    )


def _sentence(row: KRow, choice: KChoice) -> str:
    border = (
        f"the border of every cluster is thin ({probability(row.seam)} for the weakest)"
        if row.seam <= choice.alpha
        else f"at least one cluster is not separated from the rest ({probability(row.seam)})"
    )
    return (
        f"{row.n_clusters} clusters: {border}; the views share {percent(row.agreement)} of the "
        f"information and disagree on {percent(row.pac)} of the pairs; the smallest cluster has "
        f"{percent(row.smallest)} of the objects."
    )


def _tree(choice: KChoice) -> dict[str, Any] | None:
    """Return the sizes of the clusters from which drawing begins, and the merges above them."""
    tree = choice.tree
    if tree is None or tree.n_leaves < 2:
        return None
    n_leaves = min(tree.n_leaves, max(_MOST_LEAVES, choice.n_clusters))
    return {
        "sizes": np.bincount(tree.labels_at(n_leaves)).tolist(),
        "merges": [
            _plain({name: getattr(merge, name) for name in _OF_A_MERGE})
            for merge in tree.merges[tree.n_leaves - n_leaves :]
        ],
    }


def describe_views(choice: ViewChoice) -> dict[str, Any] | None:
    """Return the sentence and a row for every view; None if there was nothing to choose from."""
    if len(choice.table) < 2:
        return None
    rows = [_plain(view._asdict()) for view in choice.table]
    return {"sentence": choice.sentence, "n_rows": choice.n_rows, "rows": rows}


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record for the summary: fractions with six digits, None for what is not known."""
    return {
        name: _six_digits(value) if isinstance(value, float) else value
        for name, value in record.items()
    }


def _six_digits(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None
