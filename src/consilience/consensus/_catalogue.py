"""Registry of all consensus functions, of this package and of other packages."""

import inspect
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from consilience._utils._extensions import Extensions
from consilience._utils._words import known_name

if TYPE_CHECKING:
    from consilience.consensus._base import ConsensusFunction


# Where other packages register their consensus functions.
GROUP = "consilience.consensus"


def catalogue(*, extensions: bool = True) -> "dict[str, type[ConsensusFunction]]":
    """Return every consensus function by name.

    Parameters
    ----------
    extensions : bool, default True
        Whether the functions that other packages register, see `consilience.extend`, are included.
        Those that are broken are left out; `consilience.extend.broken_extensions` says why.

    Examples
    --------
    >>> from consilience.consensus import catalogue
    >>> catalogue()["IPC"].capabilities.cost
    'linear'
    """
    found = _of_the_house()
    if extensions:
        found |= EXTENSIONS.all()
    return {name: found[name] for name in sorted(found)}


def function_named(name: str) -> "type[ConsensusFunction] | None":
    """Return the consensus function with this name; case, hyphens and underscores are ignored.

    Other packages are searched only if this package has no such function. An extension that cannot be
    used is an error.
    """
    functions = _of_the_house()
    known = known_name(name, functions)
    return EXTENSIONS.named(name) if known is None else functions[known]


def function_names() -> list[str]:
    """Return the names of all functions; no other package is imported."""
    return sorted([*_of_the_house(), *EXTENSIONS.names()])


def _of_the_house() -> "dict[str, type[ConsensusFunction]]":
    return {function.__name__: function for function in _concrete(_base())}


def _base() -> "type[ConsensusFunction]":
    from consilience.consensus._base import ConsensusFunction

    return ConsensusFunction


def _declared() -> dict[str, type[Any]]:
    from consilience.consensus._base import Capabilities

    return {"parameters": Mapping, "capabilities": Capabilities}


EXTENSIONS = Extensions(GROUP, _base, _of_the_house, _declared)


def functions_that_take(capability: str) -> str:
    """Return the names of the functions that have a capability, for an error message."""
    takers = (
        name for name, function in catalogue().items() if getattr(function.capabilities, capability)
    )
    return ", ".join(takers)


def functions_with_cost(cost: str) -> str:
    """Return the names of the functions of a cost class, for an error message."""
    return ", ".join(name for name, kind in catalogue().items() if kind.capabilities.cost == cost)


def _concrete(base: type[Any]) -> Iterator[type[Any]]:
    """Yield all subclasses; a family is found once it has been imported."""
    for function in base.__subclasses__():
        if function.__module__.startswith(__package__) and not inspect.isabstract(function):
            yield function
        yield from _concrete(function)
