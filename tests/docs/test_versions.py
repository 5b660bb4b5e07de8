"""The list of versions behind the switcher, and the citation that is shown."""

import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs/_ext"


@pytest.fixture
def extension(monkeypatch):
    """Return a function that imports an extension of the documentation."""
    from importlib import import_module

    monkeypatch.setattr(sys, "path", [str(EXTENSIONS), *sys.path])
    return import_module


def test_versions_come_from_the_changelog(extension):
    entries = extension("versions").entries(
        "# Changelog\n\n## Unreleased\n\n## 1.2.0 (a day)\n### 9.9.9\n## 1.1.0\n", "https://host/en"
    )
    assert [entry["version"] for entry in entries] == ["latest", "v1.2.0", "v1.1.0"]
    assert [bool(entry.get("preferred")) for entry in entries] == [False, True, False]
    assert entries[2]["url"] == "https://host/en/v1.1.0/"


def test_there_is_a_switcher_only_where_the_address_is_known(extension, monkeypatch):
    versions = extension("versions")
    monkeypatch.delenv("READTHEDOCS_CANONICAL_URL", raising=False)
    assert versions.theme_options() == {}
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://host/en/v1.2.0/")
    monkeypatch.setenv("READTHEDOCS_VERSION", "v1.2.0")
    switcher = versions.theme_options()["switcher"]
    assert switcher["json_url"].startswith("https://host/en/latest/")
    assert switcher["version_match"] == "v1.2.0"


def test_the_software_can_be_cited(extension):
    text = "title: T\nabstract: What it is.\nversion: 1.2.3\ndate-released: 2026-11-16\n"
    assert extension("software_citation").bibtex(text + "authors:\n  - name: We\n") == (
        "@software{consilience,\n  author = {{We}},\n  title = {T: What it is},\n"
        "  version = {1.2.3},\n  year = {2026},\n}"
    )
