"""Where a result comes from: enough to repeat it."""

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
    # The code that runs knows its version; a source tree on the path has no installed metadata, and
    # metadata may belong to another copy.
    others = {name: _version(name, module) for name, module in _PACKAGES.items()}
    return {"python": platform.python_version(), "consilience": __version__, **others}


def _version(distribution: str, module: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(module), "__version__", "unknown"))


def provenance(**facts: object) -> Mapping[str, object]:
    """Return versions of what did the work, together with the given facts."""
    return {"versions": dict(_versions()), **facts}
