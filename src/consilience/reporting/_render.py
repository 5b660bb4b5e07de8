"""From a summary to a page; all figures are in the summary, and none is computed here."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from consilience.answer.internals import SCALING_WORDS
from consilience.plot.internals import AMBIGUOUS, DARK_COLOURS, LIGHT_COLOURS
from consilience.reporting import _charts, _words
from consilience.reporting._features import LEAST_DIFFERENCE


def render(summary: Mapping[str, Any]) -> str:
    """Return the page of a summary, as `summarise` made it or read back from JSON.

    Scripts and styles are ours, written into the page and allowed by their hash; the policy of the
    page forbids everything else, and every request.
    """
    style = colour_rules() + _asset("report.css")
    script = _asset("report.js") + _asset("maps.js")
    candidates = [] if summary["choice"] is None else summary["choice"]["candidates"]
    data = {
        "picture": summary["picture"],
        "sentences": {str(row["n_clusters"]): row["sentence"] for row in candidates},
        "map": summary["map"],
        "n_colours": _charts.N_COLOURS,
    }
    page = _environment().get_template("report.html")
    return (
        page.render(
            summary=summary,
            data=data,
            style=Markup(style),  # noqa: S704 - a file of this package
            script=Markup(script),  # noqa: S704
            policy=_policy(style, script),
        )
        + "\n"
    )


def colour_rules() -> str:
    """Return the part of the style sheet with the colours of clusters: light, dark and on paper."""
    template = _environment().get_template("colours.css")
    return template.render(light=LIGHT_COLOURS, dark=DARK_COLOURS) + "\n"


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


@cache
def _asset(name: str) -> str:
    return files("consilience.reporting").joinpath("_assets", name).read_text(encoding="utf-8")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for word in ("count", "number", "figure", "percent", "probability", "plural"):
        environment.filters[word] = getattr(_words, word)
    environment.globals["charts"] = _charts
    environment.globals["ambiguous"] = AMBIGUOUS
    environment.globals["scalings"] = SCALING_WORDS
    environment.globals["least_difference"] = LEAST_DIFFERENCE
    return environment
