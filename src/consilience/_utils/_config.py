"""Settings of the process: how much memory, how many threads, and which engine is used."""

import os
from dataclasses import dataclass, replace
from importlib import import_module

from consilience.exceptions import EngineWarning, InvalidParameterError, warn


@dataclass(frozen=True)
class Config:
    """The settings; `None` means a default that depends on the machine."""

    memory_limit: int | None = None
    n_threads: int | None = None
    engine: str = "cpu"


_current = Config()
_UNSET = object()


def set_config(
    *, memory_limit: object = _UNSET, n_threads: object = _UNSET, engine: object = _UNSET
) -> Config:
    """Change settings of this process and return the previous ones.

    Parameters
    ----------
    memory_limit : int or None
        Maximum number of bytes that one step may allocate; a step that needs more raises an error.
        None, the default, means half of the memory that is free when the step starts.
    n_threads : int or None
        Number of threads for row blocks. None, the default, means every core that this process may
        use. Results do not depend on it.
    engine : {"cpu", "cuda"}
        Where sweeps over hard labels run: threads, the default, or one NVIDIA GPU (extra `cuda`). A
        small kernel tests the GPU; if it fails, a warning says why and the engine stays "cpu".
        Consensus labels do not depend on it.

    Examples
    --------
    >>> import consilience
    >>> previous = consilience.set_config(n_threads=1)
    >>> consilience.get_config().n_threads
    1
    >>> _ = consilience.set_config(n_threads=previous.n_threads)
    """
    global _current  # noqa: PLW0603 - the one piece of process-wide state
    previous = _current
    if memory_limit is not _UNSET:
        _current = replace(_current, memory_limit=_positive("memory_limit", memory_limit))
    if n_threads is not _UNSET:
        _current = replace(_current, n_threads=_positive("n_threads", n_threads))
    if engine is not _UNSET:
        _current = replace(_current, engine=_usable(engine))
    return previous


def get_config() -> Config:
    """Return the settings of this process."""
    return _current


def thread_count() -> int:
    """Return the number of threads for row blocks."""
    if _current.n_threads is not None:
        return _current.n_threads
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _usable(engine: object) -> str:
    """Return the engine if it can be used, else "cpu" with a warning."""
    if engine not in ("cpu", "cuda"):
        raise InvalidParameterError(
            f"set_config: engine must be 'cpu' or 'cuda'; got {engine!r}.", parameter="engine"
        )
    if engine == "cuda":
        # Imported by name, because it is far above this module, and it brings numba.
        reason = import_module("consilience.gpu").problem()
        if reason is not None:
            warn(
                f'set_config: engine="cuda" cannot be used ({reason}), so everything runs on threads. '
                "It needs an NVIDIA GPU and pip install consilience[cuda].",
                EngineWarning,
            )
            return "cpu"
    return str(engine)


def _positive(name: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidParameterError(
            f"set_config: {name} must be a positive integer or None; got {value!r}.",
            parameter=name,
        )
    return value
