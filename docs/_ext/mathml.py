"""Formulas as MathML, which every browser draws by itself: no script, no network."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def visit_math(writer: Any, node: nodes.Element) -> None:
    """Write a formula inside a line."""
    writer.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def visit_display(writer: Any, node: nodes.Element) -> None:
    """Write a formula on a line of its own."""
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_display, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
