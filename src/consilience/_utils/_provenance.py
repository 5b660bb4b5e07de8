"""Where a result comes from: enough to repeat it."""

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

from consilience._utils._version import __version__

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@cache
def _versions() -> dict[str, str]:
    # Our own version comes from the code that runs, which need not be installed.
    ours = {"python": platform.python_version(), "consilience": __version__}
    return {**ours, **{name: version(name) for name in _PACKAGES}}


def provenance(**facts: object) -> Mapping[str, object]:
    """Return versions of what did the work, together with the given facts."""
    return {"versions": dict(_versions()), **facts}
