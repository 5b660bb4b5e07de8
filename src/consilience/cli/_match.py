"""Two files about the same objects, row for row."""

from typing import TYPE_CHECKING, Any

from consilience.exceptions import AmbiguousColumnError, InvalidInputError

if TYPE_CHECKING:
    from consilience._utils._types import Array
    from consilience.tables import Labels


def read_labelling(path: str, column: str | None, option: str, **how: Any) -> "Labels":
    """Read one column of labels; `option` names the column if it cannot be found."""
    from consilience.tables import read_labels

    try:
        return read_labels(path, column=column, **how)
    except AmbiguousColumnError as error:
        raise AmbiguousColumnError(f"{str(error).removesuffix('.')} with {option}.") from None


def match(
    first: tuple[str, Any, int], second: tuple[str, Any, int]
) -> "tuple[Array, Array, list[str]]":
    """Return the rows of both that belong together, and what to say about the others.

    Each side is a file, its ids or None, and its number of rows. By id if both have ids, else by row.
    """
    import numpy as np

    from consilience._utils._words import plural

    (path, ids, n_rows), (other, other_ids, n_other) = first, second
    if ids is None or other_ids is None:
        if n_rows != n_other:
            raise InvalidInputError(
                f"{path} has {plural(n_rows, 'row')} and {other} has {n_other}; without ids in both "
                "they cannot be matched. Name the id column with --id."
            )
        rows = np.arange(n_rows)
        notes = ["Matched row by row, since not both files have ids."]
        return rows, rows, notes
    from consilience.tables import align_ids

    aligned = align_ids((path, other), [np.asarray(ids), np.asarray(other_ids)])
    place = {key: row for row, key in enumerate(aligned.ids[1].tolist())}
    there = np.array([place.get(key, -1) for key in aligned.ids[0].tolist()])
    here = np.flatnonzero(there >= 0)
    notes = [] if aligned.matched is None else [aligned.matched]
    if len(here) < max(n_rows, n_other):
        verb = "is" if len(here) == 1 else "are"
        notes.append(
            f"{plural(len(here), 'object')} {verb} in both; {n_rows - len(here)} only in {path}, "
            f"{n_other - len(here)} only in {other}."
        )
    return here, there[here], notes
