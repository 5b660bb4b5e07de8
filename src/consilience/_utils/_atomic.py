"""Atomic writing of files."""

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consilience.exceptions import InvalidInputError

_NO_SPACE = re.compile(r"[Nn]o space left|errno = 28")


@contextmanager
def atomic_path(path: str | os.PathLike[str], *, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary name beside `path`; rename it when the block ends, remove it when it fails.

    Raises
    ------
    InvalidInputError
        If `path` exists and `overwrite` is False, or its folder does not exist.
    OSError
        If the disk is full or cannot be written; its `filename` is `path`, not the temporary name.
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
    with _naming(target):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=_prefix(target))
    os.close(handle)
    temporary = Path(name)
    try:
        with _naming(target):
            yield temporary
            # mkstemp makes a private file; give it the mode that open() would have given.
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    # The name is shortened, because the suffix could make it longer than the file system allows.
    return f".{target.name[:40]}."


@contextmanager
def _naming(target: Path) -> Iterator[None]:
    """Add the name of the requested file to errors of the operating system.

    Python omits the name if writing fails, and Arrow and HDF5 give the reason only as text.
    """
    try:
        yield
    except OSError as error:
        number = error.errno
        if number is None and _NO_SPACE.search(str(error)):
            number = errno.ENOSPC
        name = None if error.filename is None else Path(str(error.filename)).name
        if number is None or not (name is None or name.startswith((target.name, _prefix(target)))):
            raise
        raise OSError(number, os.strerror(number), str(target)) from None
