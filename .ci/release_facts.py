"""Compare a tag with the version, or print what the changelog says about this version.

python .ci/release_facts.py --tag v1.2.3   # fails unless version, CITATION.cff and changelog agree
python .ci/release_facts.py --notes        # the part of CHANGELOG.md about this version
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def version() -> str:
    """Return the version, from the one place where it is written."""
    text = (ROOT / "src/consilience/_utils/_version.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.M)[1]


def cited_version() -> str:
    """Return the version in CITATION.cff."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return re.search(r"^version: (.+)$", text, re.M)[1]


def notes() -> str | None:
    """Return the part of the changelog about this version, or None if there is none."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    named = {part.split()[0]: part.partition("\n")[2].strip() + "\n" for part in parts}
    return named.get(version())


def faults(tag: str) -> list[str]:
    """Return what keeps a tag from being released."""
    found = []
    if tag != f"v{version()}":
        found.append(f"The tag is {tag}, but src/consilience/_utils/_version.py says {version()}.")
    if cited_version() != version():
        found.append(f"CITATION.cff says {cited_version()}, not {version()}.")
    if notes() is None:
        found.append(f"CHANGELOG.md has no part '## {version()}'.")
    return found


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--tag")
    what.add_argument("--notes", action="store_true")
    arguments = parser.parse_args()
    if arguments.notes:
        sys.stdout.write(notes() or "")
        return 0 if notes() else 1
    found = faults(arguments.tag)
    sys.stderr.write("".join(f"{sentence}\n" for sentence in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
