"""The BibTeX entry of the software, made from CITATION.cff."""

from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).parents[2] / "CITATION.cff"


def bibtex(text: str) -> str:
    """Return the entry for the fields of a CITATION.cff."""
    fields = yaml.safe_load(text)
    authors = " and ".join(
        f"{{{author['name']}}}"
        if "name" in author
        else f"{author['family-names']}, {author['given-names']}"
        for author in fields["authors"]
    )
    title = f"{fields['title']}: {fields['abstract'].rstrip('.')}"
    lines = [
        f"author = {{{authors}}}",
        f"title = {{{title}}}",
        f"version = {{{fields['version']}}}",
    ]
    if "date-released" in fields:
        lines.append(f"year = {{{str(fields['date-released'])[:4]}}}")
    if "doi" in fields:
        lines.append(f"doi = {{{fields['doi']}}}")
    return "@software{consilience,\n" + "".join(f"  {line},\n" for line in lines) + "}"


class SoftwareCitation(SphinxDirective):
    """Show the entry as a block that can be copied."""

    def run(self) -> list[Any]:
        """Return one block; the page is made again when the file changes."""
        self.env.note_dependency(str(FILE))
        entry = bibtex(FILE.read_text(encoding="utf-8"))
        return [nodes.literal_block(entry, entry, language="bibtex")]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("software-citation", SoftwareCitation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
