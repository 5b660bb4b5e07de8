"""How messages name an option: as a parameter in Python, as a flag in the command."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Spelling = Callable[[str, Any], str]
NO_VALUE: Any = object()


def _as_parameter(name: str, value: Any) -> str:
    return name if value is NO_VALUE else f"{name}={value!r}"


_spelling: ContextVar[Spelling] = ContextVar("spelling", default=_as_parameter)


def option(name: str, value: Any = NO_VALUE) -> str:
    """Return an option, and a value for it, as users would write it where they are."""
    return _spelling.get()(name, value)


@contextmanager
def options_spelled(spelling: Spelling) -> Iterator[None]:
    """Let messages spell options in another way, such as the flags of a command."""
    token = _spelling.set(spelling)
    try:
        yield
    finally:
        _spelling.reset(token)
