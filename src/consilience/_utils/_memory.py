"""Check the memory limit before large allocations."""

import os
import sys
from pathlib import Path

from consilience._utils._config import get_config
from consilience.exceptions import MemoryLimitError

# Used if the operating system does not report the free memory.
_ASSUMED_FREE = 4 * 2**30
_MEMINFO = Path("/proc/meminfo")


def available_memory() -> int:
    """Return the bytes that can still be allocated without swapping."""
    if sys.platform == "win32":
        return _free_on_windows()
    if _MEMINFO.exists():
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    names = getattr(os, "sysconf_names", {})
    if "SC_AVPHYS_PAGES" in names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if "SC_PHYS_PAGES" in names:
        # macOS reports only the total memory; half of it is assumed to be in use.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return _ASSUMED_FREE


def _free_on_windows() -> int:
    """Return the free memory on Windows, read from the structure MEMORYSTATUSEX."""
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "free", "a", "b", "c", "d", "e")),
        ]

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - exists on Windows only
    if not kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        return _ASSUMED_FREE
    return int(status.free)


def memory_limit() -> int:
    """Return the bytes that one step may allocate."""
    configured = get_config().memory_limit
    return available_memory() // 2 if configured is None else configured


def require_memory(n_bytes: int, what: str, way_out: str) -> None:
    """Raise if a step needs more than the limit; the message has the step, the bytes and a solution."""
    limit = memory_limit()
    if n_bytes > limit:
        raise MemoryLimitError(
            f"{what} needs {n_bytes / 2**30:.2f} GiB, more than the limit of "
            f"{limit / 2**30:.2f} GiB (consilience.set_config(memory_limit=...)). {way_out}"
        )
