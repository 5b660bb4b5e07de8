"""A test that a file can be written, made before the computation."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from consilience._utils._option import option
from consilience.exceptions import InvalidInputError


def check_output(
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    inputs: Sequence[str | os.PathLike[str]] = (),
) -> None:
    """Refuse a file that exists, a folder that cannot be written to, or a file that is being read.

    Parameters
    ----------
    path : path
        Where a result is to go.
    overwrite : bool
        Whether an existing file may be replaced.
    inputs : sequence of paths
        Files that are read; none of them is ever replaced.
    """
    target = Path(path)
    if target.is_dir():
        raise InvalidInputError(f"{target} is a folder; a file name is needed.")
    for given in inputs:
        if target.exists() and Path(given).exists() and target.samefile(given):
            raise InvalidInputError(f"{target} is what is read; results need a file of their own.")
    if target.exists() and not overwrite:
        raise InvalidInputError(
            f"{target} exists already; choose another name, or replace it with "
            f"{option('overwrite', value=True)}."
        )
    if not target.parent.is_dir():
        raise InvalidInputError(f"The folder {target.parent} of {target.name} does not exist.")
    try:
        # Permission bits are not sufficient: a disk may be read-only, and root ignores them.
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".consilience-")
    except OSError as error:
        raise InvalidInputError(
            f"{target} cannot be written: {error.strerror or error}; choose another folder."
        ) from None
    os.close(handle)
    Path(name).unlink()
