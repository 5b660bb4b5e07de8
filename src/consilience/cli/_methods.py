"""The catalogue."""

from typing import Any

import click

from consilience._utils._words import known_name
from consilience.cli import _options as options
from consilience.cli._output import Output, table
from consilience.exceptions import BrokenExtensionWarning, InvalidParameterError, warn

_TAKES = {
    "missing": "missing labels",
    "soft": "soft members",
    "weights": "member weights",
    "sample_weight": "object weights",
    "constraints": "constraints",
}


@click.command(cls=options.Verb)
@click.option("--family", metavar="NAME", help="Only one family, e.g. graph.")
@options.speaking
def methods(*, family: str | None, output: Output) -> None:
    """List the consensus functions with what they take and need, and the generators.

    The table is made from what the methods declare about themselves. Cost says how time grows with the
    number of objects. Functions of the family "extension" come from other packages, which the remarks
    name.

    Examples
    --------
      consilience methods
      consilience methods --family graph
      consilience methods --json
    """
    from consilience.consensus import catalogue
    from consilience.consensus.internals import EXTENSIONS as FUNCTIONS
    from consilience.generate.internals import EXTENSIONS as GENERATORS
    from consilience.generate.internals import generators

    packages = {**FUNCTIONS.packages(), **GENERATORS.packages()}
    functions = {name: _facts(kind, packages.get(name)) for name, kind in catalogue().items()}
    makers = {
        name: _first_line(kind) + (f" (from {packages[name]})" if name in packages else "")
        for name, kind in generators().items()
    }
    for sentence in (*FUNCTIONS.broken(), *GENERATORS.broken()):
        warn(sentence, BrokenExtensionWarning)
    if family is not None:
        families = sorted({str(facts["family"]) for facts in functions.values()})
        known = known_name(family, families)
        if known is None:
            raise InvalidParameterError(
                f"There is no family {family!r}; there are {', '.join(families)}."
            )
        functions = {n: facts for n, facts in functions.items() if facts["family"] == known}
    rows = [
        (
            name,
            facts["family"],
            facts["cost"],
            ", ".join(words for key, words in _TAKES.items() if facts[key]),
            _remarks(facts),
        )
        for name, facts in sorted(functions.items(), key=lambda item: (item[1]["family"], item[0]))
    ]
    columns = dict.fromkeys(("consensus", "family", "cost", "takes", "remarks"), "left")
    lines = [table(columns, rows)]
    if family is None:
        lines += ["", table({"generator": "left", "what it does": "left"}, makers.items())]
    output.answer("\n".join(lines), {"consensus": functions, "generators": makers})


def _facts(kind: type[Any], package: str | None) -> dict[str, Any]:
    capabilities = kind.capabilities
    place = kind.__module__.removeprefix("consilience.consensus.").split(".")
    family = place[0] if len(place) > 1 else "several"
    return {
        "family": family if package is None else "extension",
        "package": package or "consilience",
        "about": _first_line(kind),
        "cost": capabilities.cost,
        **{key: getattr(capabilities, key) for key in (*_TAKES, "finds_n_clusters")},
        "needs": list(capabilities.needs),
    }


def _remarks(facts: dict[str, Any]) -> str:
    remarks = [f"needs {' and '.join(facts['needs'])}"] if facts["needs"] else []
    if facts["finds_n_clusters"]:
        remarks.append("finds k itself")
    if facts["family"] == "extension":
        remarks.append(f"from {facts['package']}")
    return "; ".join(remarks)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().split("\n")[0]
