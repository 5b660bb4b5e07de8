"""The catalogue."""

from typing import Any

import click

from consilience.cli._options import speaking
from consilience.cli._output import Output, table
from consilience.cli._verb import Verb

_TAKES = {
    "missing": "missing labels",
    "soft": "soft members",
    "weights": "member weights",
    "sample_weight": "object weights",
    "constraints": "constraints",
}


@click.command(cls=Verb)
@click.option("--family", metavar="NAME", help="Only one family, e.g. graph.")
@speaking
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
    from consilience._utils._words import known_name
    from consilience.consensus import catalogue
    from consilience.consensus.internals import EXTENSIONS
    from consilience.exceptions import InvalidParameterError

    packages = EXTENSIONS.packages()
    functions = {name: _facts(kind, packages.get(name)) for name, kind in catalogue().items()}
    families = sorted({str(facts["family"]) for facts in functions.values()})
    if family is not None:
        known = known_name(family, families)
        if known is None:
            raise InvalidParameterError(
                f"There is no family {family!r}; there are {', '.join(families)}."
            )
        functions = {n: facts for n, facts in functions.items() if facts["family"] == known}
    columns = dict.fromkeys(("consensus", "family", "cost", "takes", "remarks"), "left")
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
    makers = _generators()
    _warn_of_broken_extensions()
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
    needs = [f"needs {' and '.join(facts['needs'])}"] if facts["needs"] else []
    origin = [f"from {facts['package']}"] if facts["family"] == "extension" else []
    return "; ".join([*needs, *["finds k itself"] * facts["finds_n_clusters"], *origin])


def _generators() -> dict[str, str]:
    """Return what every generator does, and the package of those that come from elsewhere."""
    from consilience.generate.internals import EXTENSIONS, generators

    packages = EXTENSIONS.packages()
    return {
        name: _first_line(kind) + (f" (from {packages[name]})" if name in packages else "")
        for name, kind in generators().items()
    }


def _warn_of_broken_extensions() -> None:
    from consilience.consensus.internals import EXTENSIONS as FUNCTIONS
    from consilience.exceptions import BrokenExtensionWarning, warn
    from consilience.generate.internals import EXTENSIONS as GENERATORS

    for sentence in (*FUNCTIONS.broken(), *GENERATORS.broken()):
        warn(sentence, BrokenExtensionWarning)


def _first_line(kind: type) -> str:
    return next(iter((kind.__doc__ or "").strip().splitlines()), "")
