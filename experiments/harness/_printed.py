"""Tables as the papers print them."""

import csv
from pathlib import Path
from typing import Any


def printed(folder: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of experiments/<folder>/printed/<name>.csv; what looks like a number is one."""
    path = Path(__file__).parents[1] / folder / "printed" / f"{name}.csv"
    with path.open(newline="") as file:
        return [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def _number(text: str) -> str | int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
