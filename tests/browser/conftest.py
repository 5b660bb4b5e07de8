"""A real browser, or a visible reason why there is none; in CI there has to be one."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

# Pictures stay here for whoever looks at a run.
PICTURES = Path(__file__).parents[2] / "build/browser"
# The report needs no network, no GPU and no shared memory, which small machines have little of.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def _without(reason):
    if os.environ.get("CI"):
        pytest.fail(f"{reason}; CI needs it: make browser")
    pytest.skip(f"{reason}; get it with: make browser")


@pytest.fixture(scope="module")
def browser():
    """Open Debian's Chromium through playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        _without("chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def pictures():
    """Return the folder of screenshots."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES


@pytest.fixture(scope="session")
def axe():
    """Return the script of axe-core, which finds what keeps people out."""
    found = find_spec("axe_playwright_python")
    if found is None:
        _without("axe-playwright-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")
