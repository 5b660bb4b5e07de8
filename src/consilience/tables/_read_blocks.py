"""A table of numbers from a file that need not fit into memory."""

import os
from collections.abc import Iterator, Sequence
from typing import Literal

from consilience.tables._blocks import Block, open_blocks
from consilience.tables._roles import Request
from consilience.tables._source import open_source


def read_blocks(
    path: str | os.PathLike[str],
    *,
    id: str | Literal[False] | None = None,  # noqa: A002 - the word users know
    drop: Sequence[str] = (),
    label_column: str | None = None,
    missing: Literal["error", "drop"] = "error",
    header: bool | None = None,
    delimiter: str | None = None,
    representation: str | None = None,
) -> Iterator[Block]:
    r"""Read numbers a block of rows at a time.

    Parameters
    ----------
    path : path
        The file.
    id, drop, label_column, missing, header, delimiter, representation : optional
        As in `read_table`.

    Yields
    ------
    Block
        With `rows` (positions in the file), `values`, `ids` and `labels`.

    Notes
    -----
    Ids are not compared across blocks.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.tables import read_blocks
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "data.csv")
    ...     _ = file.write_text("x,y\n1,2\n3,4\n")
    ...     [block.values.sum() for block in read_blocks(file)]
    [np.float64(10.0)]
    """
    source = open_source(path, header=header, delimiter=delimiter, representation=representation)
    request = Request(id, tuple(drop), label_column)
    return open_blocks(source, request, missing, whole=False)[1]
