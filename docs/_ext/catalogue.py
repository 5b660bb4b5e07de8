"""Tables made from what methods declare.

``{catalogue}`` has what consensus functions take, ``{generators}`` what generators do, and
``{parameters}`` what the parameters of a family may be. Functions of the family that have no heading on
the page are described there by their docstrings.
"""

import inspect
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

YES, NO = "✓", ""


def facts(kind: type[Any]) -> dict[str, str]:
    """Return one row of the catalogue, as Markdown."""
    takes = kind.capabilities
    place = kind.__module__.removeprefix("consilience.consensus.").split(".")
    return {
        "function": f"{{py:class}}`~consilience.consensus.{kind.__name__}`",
        "family": place[0] if len(place) > 1 else "above all",
        "idea": first_line(kind),
        "time": "n" if takes.cost == "linear" else "n²",
        "missing": YES if takes.missing else NO,
        "soft": YES if takes.soft else NO,
        "weights": YES if takes.weights else NO,
        "rows": YES if takes.sample_weight else NO,
        "constraints": YES if takes.constraints else NO,
        "equal": equal_parts(kind),
        "remarks": remarks(takes),
    }


def remarks(takes: Any) -> str:
    """Say what is special about a function."""
    needs = [f"needs {' and '.join(takes.needs)}"] if takes.needs else []
    return "; ".join([*needs, *["finds k"] * takes.finds_n_clusters])


def equal_parts(kind: type[Any]) -> str:
    """Say whether clusters come out with equal sizes: always, by default, as an option, or never."""
    if kind.__name__ == "HGPA":  # both of its partitioners bound the sizes
        return "always"
    choice = kind.parameters.get("partitioner")
    if choice is None or "balanced" not in choice.options:
        return NO
    default = inspect.signature(kind).parameters["partitioner"].default
    return "default" if default == "balanced" else "option"


def first_line(kind: type) -> str:
    """Return the first sentence of a docstring, without the name that the table has already."""
    line = (kind.__doc__ or "").strip().splitlines()[0]
    return line[0].upper() + line[1:]


HEADINGS = {
    "function": "function",
    "family": "family",
    "idea": "in one line",
    "time": "time",
    "missing": "missing labels",
    "soft": "soft members",
    "weights": "member weights",
    "rows": "object weights",
    "constraints": "constraints",
    "equal": "equal parts",
    "remarks": "remarks",
}
OF_A_FAMILY = ["function", "idea", "time", "missing", "soft", "rows", "equal", "remarks"]
OF_ALL = [key for key in HEADINGS if key != "idea"]


def markdown(headings: list[str], rows: list[list[str]]) -> str:
    """Write a table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


class Catalogue(SphinxDirective):
    """All consensus functions, or those of the family that is named."""

    optional_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        from consilience.consensus import catalogue

        rows = [facts(kind) for kind in catalogue(extensions=False).values()]
        columns = OF_ALL
        if self.arguments:
            rows = [row for row in rows if row["family"] == self.arguments[0]]
            columns = OF_A_FAMILY
            if not rows:
                raise self.error(f"No consensus function is in the family {self.arguments[0]!r}.")
        rows.sort(key=lambda row: (row["family"], row["function"]))
        cells = [[row[key] for key in columns] for row in rows]
        found = self.parse_text_to_nodes(markdown([HEADINGS[key] for key in columns], cells))
        for table in found:
            table["classes"].append("of-all" if columns is OF_ALL else "of-a-family")
        return found


class Generators(SphinxDirective):
    """All generators."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        from consilience import generate

        names = [name for name in generate.__all__ if name not in ("EnsembleGenerator", "Member")]
        rows = [
            [f"{{py:class}}`~consilience.generate.{name}`", first_line(getattr(generate, name))]
            for name in names
        ]
        return self.parse_text_to_nodes(markdown(["generator", "what it does"], rows))


class Parameters(SphinxDirective):
    """What the parameters of a family, or of all generators, may be, from their declarations."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table, and words for functions that the page does not describe."""
        kinds = methods_of(self.arguments[0])
        if not kinds:
            raise self.error(f"No method is in the family {self.arguments[0]!r}.")
        package = "generate" if self.arguments[0] == "generators" else "consensus"
        rows = [
            [f"{{py:class}}`~consilience.{package}.{kind.__name__}`" * first, *cells]
            for kind in kinds
            for first, cells in zip([True, *[False] * 50], parameter_rows(kind), strict=False)
        ]
        headings = ["method", "parameter", "may be", "default"]
        text = markdown(headings, rows)
        if package == "consensus":
            page = Path(self.env.doc2path(self.env.docname)).read_text(encoding="utf-8")
            text = "\n\n".join([*undescribed(kinds, page), text])
        return self.parse_text_to_nodes(text)


def methods_of(family: str) -> list[type[Any]]:
    """Return the consensus functions of a family, or all generators."""
    from consilience import generate
    from consilience.consensus import catalogue

    if family == "generators":
        names = [name for name in generate.__all__ if name not in ("EnsembleGenerator", "Member")]
        return [getattr(generate, name) for name in names]
    functions = catalogue(extensions=False).values()
    return [kind for kind in functions if facts(kind)["family"] == family]


def parameter_rows(kind: type[Any]) -> list[list[str]]:
    """Return name, allowed values and default of every parameter that is declared."""
    from consilience.generate._base import COMMON

    declared = {**COMMON, **kind.parameters}
    return [
        [f"`{name}`", escaped(str(declared[name])), f"`{parameter.default!r}`"]
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is not parameter.empty and name in declared
    ]


def escaped(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("_", "\\_")


def undescribed(kinds: list[type[Any]], page: str) -> list[str]:
    """Return the docstrings, up to their parameters, of functions without a heading on the page."""
    headings = set(re.findall(r"^#+ (\w+)", page, re.MULTILINE))
    return [
        f"**{kind.__name__}.** " + (inspect.getdoc(kind) or "").split("\nParameters\n")[0].strip()
        for kind in kinds
        if kind.__name__ not in headings
    ]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("catalogue", Catalogue)
    app.add_directive("generators", Generators)
    app.add_directive("parameters", Parameters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
