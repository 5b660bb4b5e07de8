"""Ask before allocating anything that grows faster than the label matrix."""

import os
from pathlib import Path

from consilience._utils._config import get_config
from consilience.exceptions import MemoryLimitError

# When the operating system does not tell how much is free.
_ASSUMED_FREE = 4 * 2**30


def available_memory() -> int:
    """Return the bytes that can still be allocated without swapping."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    names = getattr(os, "sysconf_names", {})
    if "SC_AVPHYS_PAGES" in names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _ASSUMED_FREE


def memory_limit() -> int:
    """Return the bytes that one step may allocate."""
    configured = get_config().memory_limit
    return available_memory() // 2 if configured is None else configured


def require_memory(n_bytes: int, what: str, way_out: str) -> None:
    """Raise if a step needs more than the limit; name the step, the bytes and the way out."""
    limit = memory_limit()
    if n_bytes > limit:
        raise MemoryLimitError(
            f"{what} needs {n_bytes / 2**30:.2f} GiB, more than the limit of "
            f"{limit / 2**30:.2f} GiB (consilience.set_config(memory_limit=...)). {way_out}"
        )
