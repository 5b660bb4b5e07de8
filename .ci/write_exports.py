"""Put every consensus function into the lists of names of its family and of the package.

A function is written in one file; the two lists follow from it. `make format` runs this, and ruff then
puts the lines into their order. Names that stand there already are left alone.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path("src/consilience/consensus")


def functions_in(file: Path) -> list[str]:
    """Return the public classes of a file whose constructor takes a number of clusters."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and takes_k(node)
    ]


def takes_k(node: ast.ClassDef) -> bool:
    """Say whether n_clusters, with a default, is the one parameter that needs no keyword."""
    return any(
        isinstance(part, ast.FunctionDef)
        and part.name == "__init__"
        and [argument.arg for argument in part.args.args] == ["self", "n_clusters"]
        and len(part.args.defaults) == 1
        for part in node.body
    )


def with_name(text: str, module: str, name: str) -> str:
    """Return the text of an ``__init__.py`` that also imports a name and lists it."""
    imported = f"from {module} import {name}\n"
    place = text.index("\nfrom ") + 1
    text = text[:place] + imported + text[place:]
    return text.replace("__all__ = [", f'__all__ = ["{name}", ', 1)


def missing(root: Path) -> dict[Path, str]:
    """Return the new texts of all lists in which a function is missing."""
    changed: dict[Path, str] = {}
    for file in sorted((root / PACKAGE).glob("*/_*.py")):
        family = file.parent
        for name in functions_in(file):
            module = f"consilience.consensus.{family.name}"
            for target, source in (
                (family / "__init__.py", f"{module}.{file.stem}"),
                (root / PACKAGE / "__init__.py", module),
            ):
                text = changed.get(target, target.read_text(encoding="utf-8"))
                if f'"{name}"' not in text:
                    changed[target] = with_name(text, source, name)
    return changed


def main() -> None:
    """Write what is missing."""
    root = Path(__file__).parents[1] if len(sys.argv) == 1 else Path(sys.argv[1])
    for target, text in missing(root).items():
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
