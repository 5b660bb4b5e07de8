"""Papers: every key is cited, every citation has a key; the same for the paper about the library."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    "src/**/*.py",
    "docs/**/*.md",
    "examples/**/*.py",
    "experiments/**/*.py",
    "experiments/**/*.md",
)


def _entries(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    return dict(re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", text, re.M | re.S))


def _cited():
    found = set()
    for pattern in PAGES:
        for file in ROOT.glob(pattern):
            text = file.read_text(encoding="utf-8")
            found |= set(re.findall(r"\[([a-z]+\d{4})\]_", text))
            found |= set(re.findall(r"\{paper\}`(\w+)`", text))
    return found


def test_keys_and_citations_are_the_same():
    assert _cited() == set(_entries("references.bib"))
    paper = (ROOT / "paper/paper.md").read_text(encoding="utf-8").split("---")[2]
    assert set(re.findall(r"@([a-z]+\d{4})", paper)) == set(_entries("paper/paper.bib"))


def test_entries_of_both_lists_are_the_same():
    ours, paper = _entries("references.bib"), _entries("paper/paper.bib")
    for key in set(ours) & set(paper):
        assert ours[key] == paper[key], key


def test_entries_have_what_a_reader_needs():
    for key, text in {**_entries("references.bib"), **_entries("paper/paper.bib")}.items():
        fields = set(re.findall(r"^  (\w+)\s*=", text, re.M))
        assert {"author", "title", "year"} <= fields, key
        assert fields & {"journal", "booktitle", "institution", "publisher"}, key
        assert key.endswith(re.search(r"year\s*=\s*\{(\d+)\}", text)[1]), key
