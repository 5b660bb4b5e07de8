"""Which column names the objects.

The one that is asked for; else the one in which pandas stored an index without repeats; else the first
column that is called id, index or row, or ends in _id or Id,
or is first in a header and has no name; else the first column if it is text and no value occurs twice.
Text means that not even half of the cells are meant as numbers (65,361.86, $5 and true among them), so
that a wrong cell in a column of numbers is reported as an error.
"""

import re
from typing import Any, Literal

import numpy as np

from consilience._utils._option import option
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.tables._cells import mostly_numbers
from consilience.tables._guard import unguarded
from consilience.tables._source import Source

_NAMES = ("id", "ids", "index", "row", "rowname", "obs_id")
_ENDING = re.compile(r"([_\s.-]id|[a-z]I[dD])$")


def is_id_name(name: str) -> bool:
    """Say whether a column of this name usually holds ids."""
    name = name.strip()
    return name.lower() in _NAMES or _ENDING.search(name) is not None


def find_id_column(
    source: Source, wanted: str | Literal[False] | None, first_batch: Any
) -> str | None:
    """Return the name of the id column; None if there is none, or none is wanted."""
    if wanted is False:
        return None
    if isinstance(wanted, str):
        require_columns(source, [wanted], "id")
        return wanted
    if source.index is not None:
        column = first_batch.column(source.names.index(source.index))
        return source.index if _is_distinct(column) else None
    for name in source.names:
        if is_id_name(name):
            return name
    if len(source.names) > 1 and _is_distinct_text(source, first_batch.column(0)):
        return source.names[0]
    return None


def _is_distinct(column: Any) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.null_count:
        return False
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        return int(pc.count_distinct(column).as_py()) == len(column)
    except pa.ArrowNotImplementedError:  # lists and the like are no ids
        return False


def _is_distinct_text(source: Source, column: Any) -> bool:
    """Say whether a column is text, none missing, none twice, as far as can be seen."""
    import pyarrow as pa

    if column.null_count or not len(column):
        return False
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    if source.is_text and mostly_numbers(column):
        return False
    return _is_distinct(column)


def require_columns(source: Source, wanted: Any, parameter: str) -> None:
    """Say which column a file does not have, which a parameter names."""
    for name in wanted:
        if name not in source.names:
            shown = ", ".join(source.names[:12]) + (", ..." if len(source.names) > 12 else "")
            raise InvalidInputError(
                f"{source.path} has no column {name!r} ({option(parameter)}); its columns are {shown}."
            )


def check_ids(ids: Array, rows: Array, source: Source, name: str) -> None:
    """Refuse ids that are missing or occur twice; `rows` counts from 0."""
    way_out = f"name another column with {option('id')}, or say {option('id', value=False)}"
    first: dict[Any, int] = {}
    for place, key in zip(rows.tolist(), ids.tolist(), strict=True):
        if key is None:
            raise InvalidInputError(
                f"{source.path}, data row {place + 1}, column {name!r}: the id is missing; {way_out}."
            )
        if key in first:
            raise InvalidInputError(
                f"{source.path}, data row {place + 1}, column {name!r}: the id {key!r} is also that of "
                f"data row {first[key] + 1}; ids must be distinct: {way_out}."
            )
        first[key] = place


def as_text(column: Any, where: str, *, is_guarded: bool = False) -> Array:
    """Return the cells of an id or label column as text, None where missing.

    With `is_guarded` the apostrophes in front of formulas are taken away, which text files may have.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        column = column.cast(pa.string())
    except pa.ArrowException:
        raise InvalidInputError(
            f"{where} holds {column.type}, which cannot be read as ids or labels; leave it out with "
            f"{option('drop')}, or name another column."
        ) from None
    cells = pc.utf8_trim_whitespace(column).to_pylist()
    if is_guarded:
        cells = [None if cell is None else unguarded(cell) for cell in cells]
    return np.array(cells, dtype=object)
