"""Take the empty line off the end of examples: doctest needs it before the fence, readers do not."""

from typing import Any

from docutils import nodes


def shorten(_: Any, tree: nodes.document) -> None:
    """Strip the end of every literal block."""
    for block in tree.findall(nodes.literal_block):
        text = block.astext().rstrip()
        block.children = [nodes.Text(text)]
        block.rawsource = text


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("doctree-read", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
