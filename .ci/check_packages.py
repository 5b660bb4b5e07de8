"""Packages of the library import from each other only what they export.

    python .ci/check_packages.py

`consilience.metrics` may import `consilience.ensemble` and `consilience.ensemble.internals`, but not
`consilience.ensemble._storage`. `consilience._utils` and `consilience._kernels` are private as a
whole and may be used everywhere in the library.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "consilience"


def private_imports(path: Path) -> Iterator[str]:
    """Yield a sentence for each import of a private module, or private name, of another part."""
    own = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        package, *parts = node.module.split(".")
        if package != "consilience" or not parts or parts[0] == own or parts[0].startswith("_"):
            continue
        names = [*parts[1:], *(alias.name for alias in node.names)]
        if any(name.startswith("_") for name in names):
            place = f"{path.relative_to(ROOT.parents[1])}:{node.lineno}"
            yield (
                f"{place} imports from {node.module}; export what it needs from "
                f"consilience.{parts[0]} or from its internals."
            )


def main() -> None:
    """Exit with the sentences about what breaks the rule, if anything does."""
    found = [sentence for path in sorted(ROOT.rglob("*.py")) for sentence in private_imports(path)]
    sys.exit("\n".join(found) or None)


if __name__ == "__main__":
    main()
