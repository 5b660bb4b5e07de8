"""Packages that are installed into a folder of their own, and processes that see this folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from calling import Said

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder with the wheel of examples/extension installed into it."""
    folder = tmp_path_factory.mktemp("extension")
    wheels, site = folder / "wheels", folder / "site"
    alone = ["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip"]
    source = str(ROOT / "examples/extension")
    build = [*pip, "wheel", *alone, "--no-build-isolation", "--wheel-dir", str(wheels), source]
    subprocess.run(build, check=True)  # noqa: S603 - our own interpreter and files
    (wheel,) = wheels.glob("*.whl")
    install = [*pip, "install", *alone, "--target", str(site), str(wheel)]
    subprocess.run(install, check=True)  # noqa: S603
    return site


@pytest.fixture
def run_with(tmp_path):
    """Run Python in a process with more folders on its path."""

    def run(folders, *arguments):
        path = [str(ROOT / "src"), *map(str, folders)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONWARNINGS": "error"}
        result = subprocess.run(  # noqa: S603 - our own interpreter and arguments
            [sys.executable, *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            check=False,
        )
        return Said(result.returncode, result.stdout, result.stderr)

    return run


@pytest.fixture
def installed(tmp_path):
    """Pretend to install a package: a module and the metadata that pip would write."""

    def install(package, entries, code, group="consilience.consensus"):
        site = tmp_path / f"site_{package}"
        facts = site / f"{package}-1.0.dist-info"
        facts.mkdir(parents=True)
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (facts / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        (site / f"{package}.py").write_text(code)
        return site

    return install
