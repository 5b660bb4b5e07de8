"""The BibTeX entry of the software, made from CITATION.cff and shown by docs/cite.md."""

from pathlib import Path
from typing import Any

import yaml
from written import write_if_changed


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


def write_entry(app: Any, _: Any) -> None:
    """Write the entry into a file that the page includes."""
    docs = Path(app.srcdir)
    text = (docs.parent / "CITATION.cff").read_text(encoding="utf-8")
    write_if_changed(docs / "_software.bib", bibtex(text) + "\n")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("config-inited", write_entry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
