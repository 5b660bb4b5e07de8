"""Optional packages, which are imported inside the functions that need them."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from consilience.exceptions import MissingExtraError


def is_available(package: str) -> bool:
    """Whether a package is installed; does not import it."""
    return find_spec(package) is not None


def require(package: str, *, extra: str, owner: str) -> ModuleType:
    """Import an optional package; the error names the extra that installs it."""
    if not is_available(package):
        raise MissingExtraError(
            f"{owner} needs the package {package}, which is not installed; "
            f"pip install consilience[{extra}] brings it."
        )
    return import_module(package)
