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
from consilience.reporting import _words
from consilience.reporting._charts import (
    cdf_chart,
    cloud_chart,
    confidence_chart,
    pac_chart,
)
from consilience.reporting._colours import N_COLOURS, colour_rules, mark
from consilience.reporting._defining_features import LEAST_DIFFERENCE
from consilience.reporting._map_chart import map_chart


def render(summary: Mapping[str, Any]) -> str:
    """Return the page of a summary, as `summarise` made it or read back from JSON.

    Scripts and styles are ours, written into the page and allowed by their hash; the policy of the
    page forbids everything else, and every request.
    """
    style = colour_rules() + _asset("report.css")
    script = _asset("report.js") + _asset("maps.js")
    choice, picture = summary["choice"], summary["picture"]
    now = next(place for place, cut in enumerate(picture["cuts"]) if cut["final"])
    page = (
        _environment()
        .get_template("report.html")
        .render(
            summary=summary,
            choice=choice,
            picture=picture,
            now=now,
            cut=picture["cuts"][now],
            style=Markup(style),  # noqa: S704 - a file of this package
            script=Markup(script),  # noqa: S704
            policy=_policy(style, script),
            data={
                "picture": picture,
                "sentences": _sentences(choice),
                "map": summary["map"],
                "n_colours": N_COLOURS,
            },
            maps=[(one, map_chart(summary["map"], one)) for one in summary["map"]["maps"]],
            charts=_charts(summary, picture["cuts"][now]["n_clusters"]),
        )
    )
    return page + "\n"


def _charts(summary: Mapping[str, Any], now: int) -> dict[str, Markup]:
    charts = {"confidence": confidence_chart(summary["confidence"])}
    if summary["choice"] is not None and summary["choice"]["candidates"]:
        charts["cdf"] = cdf_chart(summary["choice"], now)
        charts["pac"] = pac_chart(summary["choice"], now)
    if summary["members"]["pairs"]:
        charts["cloud"] = cloud_chart(summary["members"]["pairs"])
    return charts


def _sentences(choice: Mapping[str, Any] | None) -> dict[str, str]:
    if choice is None:
        return {}
    return {str(row["n_clusters"]): row["sentence"] for row in choice["candidates"]}


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
    environment.filters["mark"] = mark
    environment.globals["scalings"] = SCALING_WORDS
    environment.globals["least_difference"] = LEAST_DIFFERENCE
    return environment
