"""What a file is and what its columns are called; its rows are read later, in batches."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from consilience.exceptions import InvalidInputError

TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".dat")
_SPREADSHEETS = (".xls", ".xlsx", ".xlsm", ".ods", ".numbers")


@dataclass(frozen=True, eq=False)
class Source:
    """A file whose format and columns are known, and whose rows are read later.

    path           the file
    names          its columns
    kind           what it is, in words
    batches        yields Arrow record batches, each with all columns in the order of `names`
    is_text        whether cells are text as it stands in the file, so that numbers must be found
    decimal_comma  whether a comma in a number may be its decimal point
    array          the numbers themselves, where a file holds a matrix; `names` are its columns then
    ids            names of the objects, where the format has a place for them
    annotations    further columns beside a matrix, as an Arrow table
    index          the column in which pandas stored the index of a frame, if it did
    notes          what else was found
    """

    path: Path
    names: tuple[str, ...]
    kind: str
    batches: Callable[[], Iterator[Any]]
    is_text: bool = False
    decimal_comma: bool = False
    array: Any = None
    ids: Any = None
    annotations: Any = None
    index: str | None = None
    notes: tuple[str, ...] = field(default=())

    def places(self, names: Iterable[str]) -> list[int]:
        """Return where columns stand; in one pass, since there may be many."""
        place = {name: j for j, name in enumerate(self.names)}
        return [place[name] for name in names]


def open_source(
    path: str | os.PathLike[str],
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    representation: str | None = None,
) -> Source:
    """Find out what a file is, by its suffix; anything unknown is read as delimited text."""
    file = Path(path)
    require_file(file)
    suffixes = [suffix.lower() for suffix in file.suffixes]
    last = suffixes[-1] if suffixes else ""
    if last in _SPREADSHEETS:
        raise InvalidInputError(
            f"{file} is a spreadsheet; save the sheet as CSV and give that file instead."
        )
    if last in (".parquet", ".pq"):
        from consilience.tables._parquet import open_parquet

        return open_parquet(file)
    if last in (".npy", ".npz"):
        from consilience.tables._arrays import open_arrays

        return open_arrays(file)
    if last == ".h5ad":
        from consilience.tables._h5ad import open_h5ad

        return open_h5ad(file, representation)
    from consilience.tables._delimited import open_delimited

    return open_delimited(file, header=header, delimiter=delimiter)


def require_file(file: Path) -> None:
    """Refuse a path that does not exist or is not a file."""
    if file.is_dir():
        raise InvalidInputError(f"{file} is a folder; a file is needed.")
    if not file.exists():
        raise InvalidInputError(f"There is no file {file}.")
    if file.is_file() and file.stat().st_size == 0:
        raise InvalidInputError(f"{file} is empty; a table with at least one row is needed.")


def distinct_names(names: list[str], file: Path) -> tuple[str, ...]:
    """Give columns without a name one by their position, and refuse names that occur twice."""
    result = [" ".join(name.split()) or f"column_{place}" for place, name in enumerate(names, 1)]
    require_distinct(result, file)
    return tuple(result)


def require_distinct(names: Sequence[str], file: Path) -> None:
    """Refuse names that occur twice."""
    seen = set()
    for place, name in enumerate(names, 1):
        if name in seen:
            raise InvalidInputError(
                f"{file} has two columns called {name!r} (the second is column {place}); give every "
                "column a name of its own."
            )
        seen.add(name)
