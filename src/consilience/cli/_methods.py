"""The catalogue."""

from typing import Any

import click

from consilience.cli._options import speaking
from consilience.cli._verb import Verb
from consilience.cli._voice import Voice, table

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
def methods(*, family: str | None, voice: Voice) -> None:
    """List the consensus functions with what they take and need, and the generators.

    The table is made from what the methods declare about themselves. Cost says how time grows with the
    number of objects.

    Examples
    --------
      consilience methods
      consilience methods --family graph
      consilience methods --json
    """
    from consilience._utils._words import known_name
    from consilience.compose._parts import generators
    from consilience.consensus import catalogue
    from consilience.exceptions import InvalidParameterError

    functions = {name: _facts(kind) for name, kind in catalogue().items()}
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
    makers = {name: _first_line(kind) for name, kind in generators().items()}
    lines = [table(columns, rows)]
    if family is None:
        lines += ["", table({"generator": "left", "what it does": "left"}, makers.items())]
    voice.answer("\n".join(lines), {"consensus": functions, "generators": makers})


def _facts(kind: type[Any]) -> dict[str, Any]:
    capabilities = kind.capabilities
    place = kind.__module__.removeprefix("consilience.consensus.").split(".")
    return {
        "family": place[0] if len(place) > 1 else "several",
        "about": _first_line(kind),
        "cost": capabilities.cost,
        **{key: getattr(capabilities, key) for key in (*_TAKES, "finds_n_clusters")},
        "needs": list(capabilities.needs),
    }


def _remarks(facts: dict[str, Any]) -> str:
    needs = [f"needs {' and '.join(facts['needs'])}"] if facts["needs"] else []
    return "; ".join([*needs, *["finds k itself"] * facts["finds_n_clusters"]])


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
