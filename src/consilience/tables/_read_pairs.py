"""What a user knows about pairs of objects: files of pairs, and of known classes."""

from collections.abc import Iterator, Sequence

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import as_text
from consilience.tables._source import open_source


def read_pairs(path: str, objects: Sequence[str]) -> tuple[Array, list[str]]:
    """Return pairs of positions among the objects, (m, 2), and what was decided, in sentences.

    The file has two columns with the names of objects.
    """
    place = {key: row for row, key in enumerate(objects)}
    notes: list[str] = []
    pairs = []
    for where, first, second in _rows(path, place, notes, both=True):
        if first is None or second is None:
            raise InvalidInputError(f"{where}: a cell is empty; a pair needs two objects.")
        found = [_object(key, where, place) for key in (first, second)]
        if found[0] == found[1]:
            raise InvalidInputError(f"{where}: {first!r} is paired with itself; name two objects.")
        pairs.append(found)
    return np.array(pairs, dtype=np.int64), notes


def read_classes(path: str, objects: Sequence[str]) -> tuple[Array, list[str]]:
    """Return the class of every object or None, and what was decided, in sentences.

    The file has two columns: the name of an object, and its class, which may be empty.
    """
    place = {key: row for row, key in enumerate(objects)}
    notes: list[str] = []
    classes = np.full(len(place), None, dtype=object)
    for where, key, given in _rows(path, place, notes, both=False):
        if key is None:
            raise InvalidInputError(f"{where}: the object is missing; a class needs one.")
        row = _object(key, where, place)
        if given is not None and classes[row] is not None and classes[row] != given:
            raise InvalidInputError(
                f"{where}: {key!r} has the class {given!r}, and {classes[row]!r} in an earlier line; "
                "give an object one class."
            )
        classes[row] = classes[row] if given is None else given
    return classes, notes


def _object(key: str, where: str, place: dict[str, int]) -> int:
    if key in place:
        return place[key]
    names = list(place)
    if names == [str(row) for row in range(1, len(names) + 1)]:
        allowed = f"rows are numbered from 1 to {len(names)}"
    else:
        allowed = f"objects are called {names[0]!r}, {names[-1]!r} and so on"
    raise InvalidInputError(
        f"{where}: there is no object {key!r} among those clustered; {allowed}."
    )


def _rows(
    path: str, place: dict[str, int], notes: list[str], *, both: bool
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield where every row stands and its two cells; None = empty.

    The first line of a text file is a header if it names no object, and this is noted.
    """
    source = open_source(path, header=False)
    if len(source.names) != 2:
        raise InvalidInputError(
            f"{path} has {len(source.names)} column{'s' * (len(source.names) != 1)}; two are needed, "
            f"{'the objects of a pair' if both else 'an object and its class'}."
        )
    rows: list[tuple[str | None, str | None]] = []
    for batch in source.batches()[1]:
        columns = [as_text(batch.column(j), source, source.names[j]).tolist() for j in (0, 1)]
        stripped = ([cell and (cell.strip() or None) for cell in column] for column in columns)
        rows += zip(*stripped, strict=True)
    # A first line is no header if it names an object, or a class that occurs below it.
    others = place if both else {row[1] for row in rows[1:]}
    is_header = source.is_text and rows[0][0] not in place and rows[0][1] not in others
    if is_header:
        shown = ", ".join(cell or "" for cell in rows[0])
        if len(rows) == 1:
            raise InvalidInputError(
                f"{path}: its only line ({shown}) names no object; at least one row is needed."
            )
        notes.append(f"{path}: the first line ({shown}) names no object, so it counts as a header.")
    word = "line" if source.is_text else "row"
    for number, (first, second) in enumerate(rows, 1):
        if number > 1 or not is_header:
            yield f"{path}, {word} {number}", first, second
