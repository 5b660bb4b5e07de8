"""One process at a time in a folder.

A file "lock" holds the id of the process that works there, and the operating system keeps it locked as
long as that process lives. A file that a dead process left behind is not locked, so the next process
takes it over, even if another process has the same id by now.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consilience.exceptions import InvalidInputError

_NAME = "lock"
# Windows hides the bytes that are locked from others, so the locked byte lies behind the process id.
_BYTE = 1024
_IN_USE = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


@contextmanager
def only_process(folder: Path) -> Iterator[None]:
    """Lock a folder; raise an error if another process or thread uses it."""
    file = folder / _NAME
    handle = _enter(file)
    try:
        yield
    finally:
        _leave(file, handle)


def _enter(file: Path) -> int:
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
        except OSError as error:
            owner = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            if error.errno not in _IN_USE:
                raise InvalidInputError(
                    f"checkpoint: {file} cannot be locked ({error.strerror}); choose a folder on "
                    "another disk."
                ) from None
            raise InvalidInputError(
                f"checkpoint: {file.parent} is in use by process {owner or 'unknown'}; wait until it "
                "ends, or choose another folder."
            ) from None
        # The previous owner may have removed the file after we opened it and before we locked it.
        if _is_same(file, handle):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            return handle
        os.close(handle)


def _leave(file: Path, handle: int) -> None:
    if os.name == "nt":  # an open file cannot be removed there
        os.close(handle)
        try:
            file.unlink(missing_ok=True)
        except PermissionError:
            return  # the next process has opened it, and removes it
        return
    file.unlink(missing_ok=True)
    os.close(handle)


def _is_same(file: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), file.stat())
    except FileNotFoundError:
        return False


if os.name == "nt":  # pragma: no cover - tested there
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
