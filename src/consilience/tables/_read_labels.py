"""One labelling from a file."""

import os
from dataclasses import dataclass
from typing import Literal

from consilience._utils._types import Array
from consilience.exceptions import AmbiguousColumnError
from consilience.tables._read_label_table import CONFIDENCE, read_label_table
from consilience.tables._source import open_source

_USUAL = ("consensus", "cluster", "clusters", "label", "labels", "class", "truth", "target")


@dataclass(frozen=True, eq=False)
class Labels:
    """A labelling and the objects it belongs to.

    labels  (n,) whole numbers, -1 = missing, or text, None = missing
    ids     (n,) names of the objects, or None
    column  where the labels come from
    notes   what was found and decided, in sentences
    """

    labels: Array
    ids: Array | None
    column: str
    notes: tuple[str, ...]


def read_labels(
    path: str | os.PathLike[str],
    *,
    column: str | None = None,
    id: str | Literal[False] | None = None,  # noqa: A002 - the word users know
    header: bool | None = None,
    delimiter: str | None = None,
) -> Labels:
    r"""Read one column of labels, and the ids beside it.

    Parameters
    ----------
    path : path
        The file, in any format of `read_label_table`.
    column : str, optional
        The column; default the only one besides ids and confidence, else the one called consensus,
        cluster, label, class, truth or target.
    id : str, False or None
        The column that names the objects, found as by `read_table`; False: none.
    header, delimiter : optional
        As in `read_table`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     _ = file.write_text("id,cluster,confidence\nx,0,0.9\ny,1,0.8\n")
    ...     labels = read_labels(file)
    >>> labels.labels.tolist(), labels.ids.tolist(), labels.column
    ([0, 1], ['x', 'y'], 'cluster')
    """
    if column is None:
        source = open_source(path, header=header, delimiter=delimiter)
        known = source.names if source.annotations is None else source.annotations.column_names
        chosen = [name for name in known if name.lower() in _USUAL]
        column = chosen[0] if chosen else None
    table = read_label_table(
        path,
        id=id,
        columns=None if column is None else [column],
        header=header,
        delimiter=delimiter,
    )
    names = [name for name in table.labels if name not in CONFIDENCE]
    if len(names) != 1:
        raise AmbiguousColumnError(
            f"{path} has {len(names)} columns that could be labels ({', '.join(names[:8])}); name one."
        )
    return Labels(table.labels[names[0]], table.ids, names[0], table.notes)
