"""Methods and their parameters by the names that people type."""

import json
from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from consilience._utils._words import listed
from consilience.cli._flags import flag
from consilience.cli._knowledge import Knowledge
from consilience.exceptions import InvalidParameterError

# Parameters that have an option of their own, which must be used instead of --param.
_WITH_OPTION = (
    "n_clusters",
    "n_members",
    "random_state",
    "n_jobs",
    "verbose",
    "checkpoint",
    "scaling",
)
# How words are written that JSON does not know.
_WORDS = {"True": True, "False": False, "None": None}


def make_function(
    name: str | None, parameters: Sequence[str], knowledge: Knowledge, **settings: Any
) -> Any:
    """Return an unfitted consensus function; without a name the default, which may need constraints."""
    from consilience.consensus.internals import function_named, function_names, functions_that_take

    if name is None:
        name = "gwca" if knowledge.files else "concord"
    kind = function_named(name)
    if kind is None:
        raise InvalidParameterError(
            f"There is no method {name!r}; there are {', '.join(function_names())}."
        )
    function = make_method(kind, parameters, **settings)
    if knowledge.files and not function.capabilities.constraints:
        raise InvalidParameterError(
            f"{kind.__name__} cannot use constraints; these can (--method): "
            f"{functions_that_take('constraints')}."
        )
    return function


def set_n_clusters(function: Any, n_clusters: int | None) -> None:
    """Set the number of clusters, or none if the function finds it."""
    from consilience.consensus import catalogue

    if n_clusters is None and not function.capabilities.finds_n_clusters:
        finders = [name for name, kind in catalogue().items() if kind.capabilities.finds_n_clusters]
        raise InvalidParameterError(
            f"{type(function).__name__} needs the number of clusters, -k; only {listed(finders)} find "
            "one themselves (--method)."
        )
    function.set_params(n_clusters=n_clusters)


def make_method(kind: type[Any], parameters: Sequence[str], **settings: Any) -> Any:
    """Return an unfitted method.

    `settings` the method does not know are left out; `parameters` it does not know are an error, and so
    are those that have an option of their own.
    """
    method = kind()
    allowed = method.get_params(deep=False)
    given: dict[str, Any] = {}
    for text in parameters:
        key, value = _read(text)
        if key in given:
            raise InvalidParameterError(f"--param {key} is given twice; give it once.")
        if key in _WITH_OPTION:
            raise InvalidParameterError(
                f"{key!r} has an option of its own; use {flag(key)} instead of --param."
            )
        if key not in allowed:
            known = [name for name in allowed if name not in _WITH_OPTION]
            raise InvalidParameterError(
                f"{kind.__name__} has no parameter {key!r} (--param); it has {', '.join(known)}."
            )
        given[key] = value
    chosen = {key: value for key, value in settings.items() if key in allowed and value is not None}
    return method.set_params(**chosen, **given)


def generator_of_members(name: str) -> type[Any]:
    """Return a generator; --members is refused if another parameter gives the number of members."""
    from consilience.generate.internals import generator_named

    kind: type[Any] = generator_named(name)
    typed = click.get_current_context().get_parameter_source("n_members")
    if typed is ParameterSource.COMMANDLINE and "n_members" not in kind().get_params(deep=False):
        raise InvalidParameterError(
            f"{kind.__name__} makes a member for every strength of its weights (inverse_h), so "
            "--members cannot be used with it; leave it out."
        )
    return kind


def _read(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InvalidParameterError(f"--param takes NAME=VALUE, such as n_init=20; got {text!r}.")
    try:
        read = json.loads(value)
    except ValueError:
        read = _WORDS.get(value, value)
    # JSON has no pairs, and ranges are pairs.
    return name.strip(), tuple(read) if isinstance(read, list) else read
