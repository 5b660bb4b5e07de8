"""The views that were tried, and the one that was chosen."""

import math
from typing import Any

from consilience.compose import ViewChoice


def describe_views(choice: ViewChoice) -> dict[str, Any] | None:
    """Return the sentence and a row for every view; None if there was nothing to choose from."""
    if len(choice.table) < 2:
        return None
    return {
        "sentence": choice.sentence,
        "n_rows": choice.n_rows,
        "rows": [
            {name: _plain(value) for name, value in view._asdict().items()} for view in choice.table
        ],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
