"""A table of results."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Table:
    """Rows as flat dictionaries; a printed value stands in the column "<x> (printed)" after ours, "<x>".

    Parameters
    ----------
    name : str
        The name of the CSV file, without its ending.
    title : str
        A line above the table.
    rows : list of dict
        Columns appear in the order in which they are first met; an absent value is an empty cell.
    note : str
        A sentence below the table.
    digits : int
        Digits after the point in Markdown; the CSV file has six.
    """

    name: str
    title: str
    rows: list[dict[str, Any]]
    note: str = ""
    digits: int = 3

    @property
    def columns(self) -> list[str]:
        """All columns."""
        return list(dict.fromkeys(column for row in self.rows for column in row))

    def to_markdown(self) -> str:
        """Return title, table and note."""
        columns = self.columns
        lines = [f"**{self.title}**", "", "| " + " | ".join(columns) + " |"]
        lines.append("|" + " --- |" * len(columns))
        for row in self.rows:
            cells = [_text(row.get(column), self.digits) for column in columns]
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def to_csv(self, path: Path) -> None:
        """Write the rows."""
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            for row in self.rows:
                writer.writerow([_text(row.get(column), 6) for column in self.columns])


def _text(value: Any, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):  # numpy's float64 is one
        return "" if math.isnan(value) else f"{value:.{digits}f}"
    return str(value)
