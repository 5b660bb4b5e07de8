"""All consensus functions, found by discovery."""

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from consilience._utils._words import known_name

if TYPE_CHECKING:
    from consilience.consensus._base import ConsensusFunction


def catalogue() -> "dict[str, type[ConsensusFunction]]":
    """Return every consensus function of this package by name.

    Examples
    --------
    >>> from consilience.consensus import catalogue
    >>> catalogue()["IPC"].capabilities.cost
    'linear'
    """
    from consilience.consensus._base import ConsensusFunction

    found = {function.__name__: function for function in _concrete(ConsensusFunction)}
    return {name: found[name] for name in sorted(found)}


def function_named(name: str) -> "type[ConsensusFunction] | None":
    """Return the consensus function that is meant; case, hyphens and underscores do not matter."""
    functions = catalogue()
    known = known_name(name, functions)
    return None if known is None else functions[known]


def functions_that_take(capability: str) -> str:
    """Return the names of the functions that take something, for an error message."""
    takers = (
        name for name, function in catalogue().items() if getattr(function.capabilities, capability)
    )
    return ", ".join(takers)


def functions_with_cost(cost: str) -> str:
    """Return the names of the functions of a cost class, for an error message."""
    return ", ".join(name for name, kind in catalogue().items() if kind.capabilities.cost == cost)


def _concrete(base: type[Any]) -> Iterator[type[Any]]:
    """Walk the subclasses: families need not be imported here, they are known once imported."""
    for function in base.__subclasses__():
        if function.__module__.startswith(__package__) and not inspect.isabstract(function):
            yield function
        yield from _concrete(function)
