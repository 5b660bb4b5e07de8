"""Packages that only some functions need: asked for by name, imported inside the function."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from consilience.exceptions import MissingExtraError


def is_available(package: str) -> bool:
    """Say whether a package could be imported, without importing it."""
    return find_spec(package) is not None


def require(package: str, *, extra: str, owner: str) -> ModuleType:
    """Import an optional package, or say which extra brings it."""
    if not is_available(package):
        raise MissingExtraError(
            f"{owner} needs the package {package}, which is not installed; "
            f"pip install consilience[{extra}] brings it."
        )
    return import_module(package)
