"""The page of references, made from references.bib, and the role that points to one of them.

Docstrings cite ``[fern2004]_``; pages write ``{paper}`fern2004```. Both lead to the same entry.
"""

from pathlib import Path
from typing import Any

from pybtex.database import parse_file
from pybtex.plugin import find_plugin
from sphinx import addnodes
from sphinx.util.docutils import SphinxRole
from written import write_if_changed

HEAD = """
References
==========

Every paper that a docstring or a page cites.

"""


class PaperRole(SphinxRole):
    """A link to an entry of the page of references."""

    def run(self) -> tuple[list[Any], list[Any]]:
        """Return a reference that Sphinx resolves like one in a docstring."""
        from docutils import nodes

        reference = addnodes.pending_xref(
            self.rawtext,
            nodes.inline(text=f"[{self.text}]"),
            refdomain="citation",
            reftype="ref",
            reftarget=self.text,
            refwarn=True,
            support_smartquotes=False,
        )
        reference["refdoc"] = self.env.docname
        return [reference], []


def write_references(app: Any, _: Any) -> None:
    """Write references.rst, one citation per entry, in the order of the keys."""
    entries = parse_file(Path(app.srcdir).parent / "references.bib")
    style = find_plugin("pybtex.style.formatting", "unsrt")()
    backend = find_plugin("pybtex.backends", "plaintext")()
    written = {
        entry.key: entry.text.render(backend) for entry in style.format_bibliography(entries)
    }
    lines = [f".. [{key}] {written[key]}" for key in sorted(written)]
    write_if_changed(Path(app.srcdir) / "references.rst", HEAD.lstrip() + "\n".join(lines) + "\n")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("config-inited", write_references)
    app.add_role("paper", PaperRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
