"""Base class of immutable objects."""

from abc import ABC, abstractmethod
from typing import Any


class Frozen(ABC):
    """Immutable object: attributes cannot be set or deleted; it is pickled by its parts."""

    @abstractmethod
    def _fill(self, *args: Any, **parts: Any) -> None: ...

    @abstractmethod
    def _parts(self) -> dict[str, Any]: ...

    def __getstate__(self) -> dict[str, Any]:
        return self._parts()

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self._fill(**parts)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"An Ensemble does not change; {name!r} cannot be set. Use select, append, with_weights, ..."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"An Ensemble does not change; {name!r} cannot be deleted.")
