"""Files appear whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consilience.exceptions import InvalidInputError


@contextmanager
def atomic_path(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary name beside `path`; rename it when the block ends, remove it when it fails.

    Raises
    ------
    InvalidInputError
        If `path` exists and `overwrite` is False, or its folder does not exist.
    """
    target = Path(path)
    if target.is_dir():
        raise InvalidInputError(f"{target} is a folder; a file name is needed.")
    if target.exists() and not overwrite:
        raise InvalidInputError(
            f"{target} exists already; choose another name or pass overwrite=True."
        )
    if not target.parent.is_dir():
        raise InvalidInputError(f"The folder {target.parent} of {target.name} does not exist.")
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes a private file; give it the mode that open() would have given.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
