"""A virtual environment for every peer, kept under build/peers/environments."""

import json
import shutil
import subprocess
import sys

from .settings import BUILD, LOOKED_UP

INSTALL_SECONDS = 300
# Old releases of these would be compiled for minutes, and then fail.
WHEELS_ONLY = "numpy,scipy,scikit-learn,pandas,matplotlib"


def python_of(adapter):
    """The interpreter of a peer's environment, and how its install went: (path or None, note)."""
    if adapter.PACKAGE in ("consilience", "scikit-learn"):
        return sys.executable, ""
    folder = BUILD / "environments" / adapter.PACKAGE
    outcome = folder / "outcome.json"
    if not outcome.exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        outcome.write_text(json.dumps(_install_package(folder, adapter)))
    found = json.loads(outcome.read_text())
    python = str((folder / "bin" / "python").absolute()) if found["installed"] else None
    return python, found["note"]


def _install_package(folder, adapter):
    """As the package asks; failing that, without its pins and beside newer releases."""
    error = _install(folder, adapter.PACKAGE, *getattr(adapter, "BESIDE", ()))
    if error is None:
        return {"installed": True, "note": ""}
    loose = getattr(adapter, "LOOSE", None)
    if loose is None:
        return {"installed": False, "note": error}
    again = _install(folder, *loose) or _install(
        folder, "--no-deps", "--no-build-isolation", adapter.PACKAGE
    )
    if again is not None:
        return {"installed": False, "note": again}
    return {"installed": True, "note": f"without its pins, which fail: {error}"}


def _install(folder, *what):
    """None, or the first line that says what went wrong."""
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check"]
    command = [*pip, "--only-binary", WHEELS_ONLY, *what]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"not installed within {INSTALL_SECONDS} s"
    return None if done.returncode == 0 else first_error(done.stdout + done.stderr)


def first_error(text):
    """The line of pip's output that names the cause: the exception under a failed build, else ERROR."""
    lines = [line.strip() for line in text.splitlines()]
    for line in lines:
        name = line.partition(":")[0]
        if name.endswith("Error") and all(part.isidentifier() for part in name.split(".")):
            return line
    for line in lines:
        if "is deprecated, use" in line:
            return line
    errors = [line for line in lines if line.startswith("ERROR: No matching")]
    errors += [line for line in lines if line.lower().startswith("error:")]
    return errors[0] if errors else lines[-1]


def absent():
    """Names that were looked up: (name, error) of those that pip cannot find."""
    for name in LOOKED_UP:
        command = [sys.executable, "-m", "pip", "index", "versions", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            yield name, first_error(done.stdout + done.stderr)
        else:
            yield name, f"now on the index ({done.stdout.splitlines()[0]}): write an adapter"
