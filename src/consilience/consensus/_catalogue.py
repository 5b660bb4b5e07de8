"""All consensus functions, found by discovery."""

import dataclasses
import inspect
from typing import Any


def catalogue() -> dict[str, type[Any]]:
    """Return every public consensus function by name.

    Examples
    --------
    >>> from consilience.consensus import catalogue
    >>> catalogue()["IPC"].capabilities.cost
    'linear'
    """
    import consilience.consensus as room
    from consilience.consensus._base import ConsensusFunction

    return {
        name: member
        for name, member in sorted(vars(room).items())
        if inspect.isclass(member)
        and issubclass(member, ConsensusFunction)
        and not inspect.isabstract(member)
    }


def functions_that_take(capability: str) -> str:
    """Return the names of the functions that take something, for an error message."""
    return ", ".join(
        name
        for name, function in catalogue().items()
        if dataclasses.asdict(function.capabilities)[capability]
    )
