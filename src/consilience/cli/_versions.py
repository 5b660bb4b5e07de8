"""`consilience --version`: the versions and the platform, for bug reports."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import click

from consilience import __version__

# Packages that decide results or errors; those of the extras are named if they are installed.
REQUIRED = (
    "numpy scipy scikit-learn numba llvmlite narwhals pyarrow joblib threadpoolctl click "
    "jinja2 rich"
)
_OPTIONAL = "anndata dask distributed igraph leidenalg matplotlib mtkahypar pandas polars pymetis"


def installed(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed; nothing is imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def described() -> str:
    """Return versions and settings; the first line is the name and the version alone."""
    from consilience._utils._config import thread_count

    required = [f"{package} {installed(package) or 'missing'}" for package in REQUIRED.split()]
    optional = [
        f"{package} {installed(package)}" for package in _OPTIONAL.split() if installed(package)
    ]
    # Our kernels do not use Numba's threads; its layer only matters for other packages.
    layer = os.environ.get("NUMBA_THREADING_LAYER", "default")
    cache = os.environ.get("NUMBA_CACHE_DIR", "beside the package")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines = [
        f"consilience, version {__version__}",
        f"{python} on {platform.platform()}, {platform.machine()}; output in {sys.stdout.encoding}",
        f"{thread_count()} threads on {os.cpu_count()} cores",
        f"Numba: threading layer {layer}, cache {cache}",
        f"Packages: {', '.join(required)}",
        f"Optional packages: {', '.join(optional) or 'none'}",
    ]
    return "\n".join(lines)


def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the versions and stop."""
    if wanted and not ctx.resilient_parsing:
        click.echo(described())
        ctx.exit()
