"""Provenance of a result: the information needed to repeat it."""

import platform
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from consilience._utils._version import __version__

# Distribution -> module.
_PACKAGES = {"numpy": "numpy", "scipy": "scipy", "scikit-learn": "sklearn", "numba": "numba"}


@cache
def _versions() -> dict[str, str]:
    # The version is read from the running code: a source tree on the path has no installed metadata,
    # or metadata of another copy.
    others = {name: _version(name, module) for name, module in _PACKAGES.items()}
    return {"python": platform.python_version(), "consilience": __version__, **others}


def _version(distribution: str, module: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(module), "__version__", "unknown"))


def provenance(**facts: object) -> Mapping[str, object]:
    """Return the versions of the packages in use, together with the given facts."""
    return {"versions": dict(_versions()), **facts}
