"""Write a file only where it changes something, so that Sphinx reads again only what is new."""

from pathlib import Path


def write_if_changed(path: Path, text: str) -> None:
    """Write text, and make the folder if need be."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
