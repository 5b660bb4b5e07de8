"""Tables made from what methods declare: ``{catalogue}`` of consensus functions, ``{generators}``."""

import inspect
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


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("catalogue", Catalogue)
    app.add_directive("generators", Generators)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
