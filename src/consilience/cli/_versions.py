"""`consilience --version`: the versions and the platform, for bug reports."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from consilience import __version__

# Packages that decide results or errors; the extras are those of pyproject.toml.
_REQUIRED = (
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "llvmlite",
    "narwhals",
    "pyarrow",
    "joblib",
    "threadpoolctl",
    "click",
    "jinja2",
    "rich",
)
_OPTIONAL = (
    "anndata",
    "dask",
    "distributed",
    "hypothesis",
    "matplotlib",
    "mtkahypar",
    "pandas",
    "polars",
    "pymetis",
)


def installed(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed; nothing is imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def facts() -> dict[str, Any]:
    """Return versions and settings as text and numbers."""
    from consilience._utils._config import thread_count

    return {
        "consilience": __version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "processor": platform.machine(),
        "encoding": sys.stdout.encoding,
        "cores": os.cpu_count(),
        "threads": thread_count(),
        # Our kernels do not use Numba's threads; this setting only matters for other packages.
        "numba_threading_layer": os.environ.get("NUMBA_THREADING_LAYER", "default"),
        "numba_cache": os.environ.get("NUMBA_CACHE_DIR", "beside the package"),
        "required": {package: installed(package) for package in _REQUIRED},
        "optional": {package: installed(package) for package in _OPTIONAL},
    }


def as_text(found: dict[str, Any]) -> str:
    """Return the same for a person: the first line is the name and the version alone."""
    required = ", ".join(
        f"{name} {number or 'missing'}" for name, number in found["required"].items()
    )
    optional = ", ".join(f"{name} {number}" for name, number in found["optional"].items() if number)
    lines = [
        f"consilience, version {found['consilience']}",
        f"{found['implementation']} {found['python']} on {found['platform']}, {found['processor']}",
        f"{found['threads']} threads on {found['cores']} cores",
        f"Numba: threading layer {found['numba_threading_layer']}, cache {found['numba_cache']}",
        f"Packages: {required}",
        f"Optional packages: {optional or 'none'}",
    ]
    return "\n".join(lines)


def remember(ctx: click.Context, _: click.Parameter, as_json: bool) -> None:  # noqa: FBT001
    """Keep --json for `show`."""
    ctx.meta[__name__] = as_json


def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the versions and stop; with --json, before or after, as one JSON object."""
    if not wanted or ctx.resilient_parsing:
        return
    found = facts()
    if ctx.meta.get(__name__):
        import json

        click.echo(json.dumps(found))
    else:
        click.echo(as_text(found))
    ctx.exit()
