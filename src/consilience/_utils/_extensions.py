"""Estimators of other packages: found by their entry points, imported on demand."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from consilience._utils._words import known_name
from consilience.exceptions import BrokenExtensionError


@cache
def _registered(group: str) -> tuple[EntryPoint, ...]:
    """Read the entry points of a group once: looking through all installed packages takes time."""
    found = entry_points(group=group)
    return tuple(sorted(found, key=lambda entry: (entry.name, package_of(entry))))


def package_of(entry: EntryPoint) -> str:
    """Return name and version of the package that an entry point comes from."""
    if entry.dist is None:
        return f"the package of {entry.value}"
    return f"{entry.dist.name} {entry.dist.version}"


class Extensions:
    """The estimators that other packages register under one group of entry points.

    Parameters
    ----------
    group : str
        The group of entry points.
    base : callable
        Returns the class that an extension must inherit from; called only when one is loaded.
    own_names : callable
        Returns the names that belong to this package and cannot be taken.
    declared : callable
        Returns the class attributes that an extension must have, and what they must be.
    """

    def __init__(
        self,
        group: str,
        base: Callable[[], type[Any]],
        own_names: Callable[[], Iterable[str]],
        declared: Callable[[], dict[str, type[Any]]],
    ) -> None:
        self.group = group
        self._base = base
        self._own_names = own_names
        self._declared = declared
        self._loaded: dict[EntryPoint, type[Any] | str] = {}

    def names(self) -> list[str]:
        """Return the names that are registered and not rejected, without importing anything."""
        return [entry.name for entry in _registered(self.group) if self._refusal(entry) is None]

    def named(self, name: str) -> type[Any] | None:
        """Return the extension with a name; raise an error if it is broken or rejected."""
        wanted = [e for e in _registered(self.group) if known_name(name, [e.name]) is not None]
        return self._load(wanted[0]) if wanted else None

    def all(self) -> dict[str, type[Any]]:
        """Return every extension that works, by name."""
        return {entry.name: kind for entry, kind, _ in self._tried() if kind is not None}

    def packages(self) -> dict[str, str]:
        """Return the package that every working extension comes from, by the extension's name."""
        return {entry.name: package_of(entry) for entry, kind, _ in self._tried() if kind}

    def broken(self) -> list[str]:
        """Return a message for every extension that is broken or rejected."""
        return [sentence for _, _, sentence in self._tried() if sentence is not None]

    def _tried(self) -> Iterator[tuple[EntryPoint, type[Any] | None, str | None]]:
        for entry in _registered(self.group):
            try:
                yield entry, self._load(entry), None
            except BrokenExtensionError as error:
                yield entry, None, str(error)

    def _load(self, entry: EntryPoint) -> type[Any]:
        """Import an extension once; errors are cached and reported again."""
        if entry not in self._loaded:
            self._loaded[entry] = self._refusal(entry) or self._import(entry)
        found = self._loaded[entry]
        if isinstance(found, str):
            raise BrokenExtensionError(found)
        return found

    def _refusal(self, entry: EntryPoint) -> str | None:
        """Return the reason why the name of an extension cannot be used."""
        taken = known_name(entry.name, self._own_names())
        if taken is not None:
            return (
                f"The extension {entry.name!r} of {package_of(entry)} is refused, because "
                f"consilience has {taken} itself; its package must register another name."
            )
        others = [
            package_of(other)
            for other in _registered(self.group)
            if other != entry and known_name(entry.name, [other.name]) is not None
        ]
        if others:
            return (
                f"The extension {entry.name!r} of {package_of(entry)} is refused, because "
                f"{' and '.join(others)} has the same name; uninstall one of them."
            )
        return None

    def _import(self, entry: EntryPoint) -> type[Any] | str:
        """Return the class, or a sentence that names the package and the error."""
        where = f"The extension {entry.name!r} of {package_of(entry)}"
        try:
            found = entry.load()
        except Exception as error:  # noqa: BLE001 - foreign code may raise anything; it is reported
            return (
                f"{where} cannot be imported ({type(error).__name__}: {_in_one_line(error)}); "
                "repair or uninstall the package."
            )
        fault = self._fault(found)
        return found if fault is None else f"{where} cannot be used: {entry.value} {fault}."

    def _fault(self, found: Any) -> str | None:
        base = self._base()
        if not (isinstance(found, type) and issubclass(found, base)):
            return f"is not a subclass of {base.__name__}"
        if inspect.isabstract(found):
            missing = ", ".join(sorted(getattr(found, "__abstractmethods__", ())))
            return f"does not define {missing}"
        for name, kind in self._declared().items():
            if not isinstance(getattr(found, name, None), kind):
                return f"does not declare {name}"
        given = inspect.signature(found).parameters
        required = [name for name, one in given.items() if one.default is one.empty]
        if required:
            return f"has no default for {', '.join(required)}"
        declared: Iterable[str] = getattr(found, "parameters", ())
        unknown = [name for name in declared if name not in given]
        return f"declares {', '.join(unknown)}, which __init__ does not take" if unknown else None


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or "no message"
