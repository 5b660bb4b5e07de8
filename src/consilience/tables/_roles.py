"""What every column of a table is for."""

from typing import Any, Literal, NamedTuple

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._id_column import as_text, find_id_column, require_columns
from consilience.tables._source import Source


class Request(NamedTuple):
    """The arguments: the id column, columns to leave out, the label column."""

    id_column: str | Literal[False] | None
    drop: tuple[str, ...]
    label_column: str | None


class Roles(NamedTuple):
    """The roles that were found; `used` are the columns of numbers."""

    id_column: str | None
    label_column: str | None
    used: tuple[str, ...]


def column_roles(source: Source, request: Request, first_batch: Any) -> Roles:
    """Tell the columns of a table apart; its first rows help to find the ids."""
    require_columns(source, request.drop, "drop")
    if request.label_column is not None:
        require_columns(source, [request.label_column], "label_column")
    id_column = find_id_column(source, request.id_column, first_batch)
    if id_column in (*request.drop, request.label_column):
        id_column = None
    apart = {id_column, request.label_column, *request.drop}
    return Roles(id_column, request.label_column, _used(source, apart))


def matrix_roles(source: Source, request: Request) -> tuple[Roles, Array | None, Array | None]:
    """Do the same for a matrix, whose ids and labels stand beside it; return these too."""
    require_columns(source, request.drop, "drop")
    ids, id_column, labels = source.ids, "ids", None
    if request.id_column is False:
        ids = None
    elif request.id_column is not None:
        ids, id_column = _beside(source, request.id_column, "id"), request.id_column
    if request.label_column is not None:
        labels = _beside(source, request.label_column, "label_column")
    used = _used(source, set(request.drop))
    return Roles(None if ids is None else id_column, request.label_column, used), ids, labels


def _used(source: Source, apart: set[str | None]) -> tuple[str, ...]:
    used = tuple(name for name in source.names if name not in apart)
    if not used:
        raise InvalidInputError(
            f"{source.path} has no column of numbers left; its columns are "
            f"{', '.join(source.names[:12])}."
        )
    return used


def _beside(source: Source, name: str, parameter: str) -> Array:
    known = [] if source.annotations is None else source.annotations.column_names
    if name not in known:
        shown = f"those are {', '.join(known)}" if known else "it has none"
        raise InvalidInputError(
            f"{source.path} has no column {name!r} beside the numbers ({option(parameter)}); {shown}."
        )
    return as_text(source.annotations[name].combine_chunks(), f"{source.path}: column {name!r}")
