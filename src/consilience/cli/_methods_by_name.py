"""Methods and their parameters by the names that people type."""

import json
from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from consilience.exceptions import InvalidParameterError

# Parameters that have an option of their own, which must be used instead of --param.
_OPTIONS = {
    "n_clusters": "-k",
    "n_members": "--members",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    "verbose": "--quiet",
    "checkpoint": "--resume",
    "scaling": "--scaling",
}


def consensus_named(name: str) -> type[Any]:
    """Return the consensus function that is meant; case, hyphens and underscores do not matter."""
    from consilience.consensus.internals import function_named, function_names

    kind = function_named(name)
    if kind is None:
        raise InvalidParameterError(
            f"There is no method {name!r}; there are {', '.join(function_names())}."
        )
    return kind


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
        given[key] = value
    for key in given:
        if key in _OPTIONS:
            raise InvalidParameterError(
                f"{key!r} has an option of its own; use {_OPTIONS[key]} instead of --param."
            )
        if key not in allowed:
            raise InvalidParameterError(
                f"{kind.__name__} has no parameter {key!r} (--param); it has {', '.join(allowed)}."
            )
    chosen = {key: value for key, value in settings.items() if key in allowed and value is not None}
    return method.set_params(**{**chosen, **given})


def require_members(kind: type[Any]) -> None:
    """Refuse --members if the generator defines the number of members by another parameter."""
    typed = click.get_current_context().get_parameter_source("n_members")
    if "n_members" in kind().get_params(deep=False) or typed is not ParameterSource.COMMANDLINE:
        return
    raise InvalidParameterError(
        f"{kind.__name__} makes a member for every strength of its weights (inverse_h), so --members "
        "cannot be used with it; leave it out."
    )


def _read(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InvalidParameterError(f"--param takes NAME=VALUE, such as n_init=20; got {text!r}.")
    try:
        read = json.loads(value)
    except ValueError:
        read = value
    # JSON has no pairs, and ranges are pairs.
    return name.strip(), tuple(read) if isinstance(read, list) else read
