"""Results in a CSV file: rows with a key; of two rows with the same key the later one counts."""

import csv
from pathlib import Path


class Records:
    """A CSV file that grows by appending, so that a run that is stopped loses little.

    Parameters
    ----------
    path : path
        The file; made by the first row.
    key, values : list of str
        Names of the columns that say what a row is about, and of the others.
    """

    def __init__(self, path, key, values):
        self.path = Path(path)
        self.key = key
        self.columns = [*key, *values]

    def read(self):
        """Return {key: row}, all text."""
        if not self.path.exists():
            return {}
        with self.path.open(newline="") as file:
            rows = csv.DictReader(file)
            return {tuple(row[name] for name in self.key): row for row in rows}

    def append(self, rows):
        """Add rows, mappings from column to value; columns that are not there stay empty."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="")
            if new:
                writer.writeheader()
            writer.writerows(rows)

    def replace(self, rows):
        """Write these rows alone."""
        self.path.unlink(missing_ok=True)
        self.append(rows)
