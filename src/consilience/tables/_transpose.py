"""Tables whose rows are features and whose columns are objects, as in gene expression."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._memory import require_memory
from consilience._utils._option import option
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError
from consilience.tables._roles import Roles
from consilience.tables._source import Source

if TYPE_CHECKING:
    from consilience.tables._read_table import Table


def require_transposable(source: Source, label_column: str | None) -> None:
    """Refuse what has no meaning if columns are the objects."""
    if label_column is not None:
        raise InvalidInputError(
            f"{source.path}: {option('label_column', label_column)} names a column, but with "
            f"{option('transpose', value=True)} every column is an object; leave it out, and compare "
            "with known classes by consilience compare."
        )
    if source.path.suffix.lower() == ".h5ad":
        raise InvalidInputError(
            f"{source.path}: the rows of an .h5ad file are the objects (obs) by definition; leave out "
            f"{option('transpose', value=True)}."
        )


def check_feature_names(names: Any, rows: Any, source: Source, column: str) -> None:
    """Refuse features without a name; a name may occur twice, as that of a gene with two probes."""
    for place, name in zip(rows.tolist(), names.tolist(), strict=True):
        if name is None:
            raise InvalidInputError(
                f"{source.path}, data row {place + 1}, column {column!r}: the name of the feature is "
                f"missing; name another column with {option('id')}, or say {option('id', value=False)}."
            )


def transposed(
    table: "Table", source: Source, roles: Roles, max_objects: int | None, rng: np.random.Generator
) -> "Table":
    """Turn columns into objects and rows into features; keep at most `max_objects` objects."""
    n_features, n_objects = table.values.shape
    objects = np.arange(n_objects)
    if max_objects is not None and max_objects < n_objects:
        objects = np.sort(rng.choice(n_objects, max_objects, replace=False))
    values = _turned(table.values, objects, source)
    if table.ids is None:
        features = tuple(f"row_{place + 1}" for place in table.rows.tolist())
    else:
        features = tuple(str(name) for name in table.ids)
    names = "no names" if roles.id_column is None else f"names from {roles.id_column!r}"
    shown = ", ".join(features[:6]) + (", ..." if n_features > 6 else "")
    verb = "column is the object" if n_objects == 1 else "columns are the objects"
    rows = f"{plural(n_features, 'row')} of features ({shown}; {names})"
    notes = [f"{source.path}: {source.kind}, {rows}, {n_objects} {verb}.", *source.notes]
    n_left_out = table.n_rows - n_features
    if n_left_out:
        left_out = f"{plural(n_left_out, 'feature')} with missing cells"
        notes.append(f"{source.path}: {left_out} {'is' if n_left_out == 1 else 'are'} left out.")
    if len(objects) < n_objects:
        sample = plural(len(objects), "object")
        notes.append(f"{source.path}: a random sample of {sample} is used.")
    return replace(
        table,
        values=values,
        columns=features,
        ids=np.array(roles.used, dtype=object)[objects],
        id_column=None,
        rows=objects,
        n_rows=n_objects,
        notes=tuple(notes),
    )


def _turned(values: Any, objects: Any, source: Source) -> Any:
    """Return rows as columns, in memory once more; sparse matrices stay sparse."""
    if hasattr(values, "tocsr"):
        return values.T.tocsr()[objects]
    n_bytes = values.shape[0] * len(objects) * values.dtype.itemsize
    require_memory(
        n_bytes, f"{source.path}, transposed,", f"Keep fewer columns ({option('drop')})."
    )
    return np.ascontiguousarray(values[:, objects].T)
