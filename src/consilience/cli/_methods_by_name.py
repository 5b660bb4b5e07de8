"""Methods and their parameters by the names that people type."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from consilience.exceptions import InvalidParameterError


def make_method(
    kinds: Mapping[str, type[Any]], name: str, parameters: Sequence[str], **settings: Any
) -> Any:
    """Return an unfitted method; upper case, hyphens and underscores do not matter.

    `settings` the method does not know are left out; `parameters` it does not know are an error.
    """
    known = {_folded(key): kind for key, kind in kinds.items()}
    kind = known.get(_folded(name))
    if kind is None:
        raise InvalidParameterError(
            f"There is no method {name!r}; there are {', '.join(sorted(kinds))}."
        )
    method = kind()
    allowed = method.get_params(deep=False)
    given = dict(_read(text) for text in parameters)
    for key in given:
        if key not in allowed:
            raise InvalidParameterError(
                f"{kind.__name__} has no parameter {key!r} (--param); it has {', '.join(allowed)}."
            )
    chosen = {key: value for key, value in settings.items() if key in allowed and value is not None}
    return method.set_params(**{**chosen, **given})


def _folded(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


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
