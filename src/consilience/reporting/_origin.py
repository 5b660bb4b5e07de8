"""The origin of a result, and the command that repeats it."""

import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sklearn.base import clone

from consilience._utils._provenance import provenance
from consilience.answer import ConsensusClustering
from consilience.consensus import ConsensusFunction
from consilience.reporting._result import Result

# As long as a repr may get; scikit-learn cuts at 700.
_LONG = 100_000


def origin(result: Result, command: str | None) -> dict[str, Any]:
    """Return versions, parameters, hashes, the time, and the command."""
    made = getattr(result.estimator, "provenance_", None) or provenance()
    members = dict(result.ensemble.provenance)
    return {
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": _code(result) if command is None else command,
        "repeats": _repeats(result),
        "facts": {name: value for name, value in _facts(result, made, members) if value},
        "parameters": _flat(made.get("parameters")),
        "member_parameters": _flat(members.get("parameters")),
        "versions": _flat(made["versions"]),
    }


def _code(result: Result) -> str:
    estimator = result.estimator
    if estimator is None:
        return 'import consilience\nconsilience.report(ensemble, "report.html", labels=labels)'
    text = _written(estimator)
    if isinstance(estimator, ConsensusClustering):
        return (
            f"import consilience\nmodel = consilience.{text}.fit(X)\n"
            'consilience.report(model, "report.html", X=X)'
        )
    return (
        f"import consilience\nfrom consilience.consensus import {type(estimator).__name__}\n"
        f"function = {text}.fit(ensemble)\n"
        'consilience.report(function, "report.html", ensemble=ensemble)'
    )


class _Name:
    """A value that is written as the name of a variable."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def _functions(estimator: Any) -> list[ConsensusFunction]:
    """Return the consensus function, or the one inside ConsensusClustering if it was given."""
    inside = (estimator, getattr(estimator, "consensus", None))
    return [function for function in inside if isinstance(function, ConsensusFunction)]


def _written(estimator: Any) -> str:
    """Return the code that makes an estimator; data of objects are variables of the same name."""
    copied = clone(estimator)
    for function in _functions(copied):
        for name in function.parameters_of_objects():
            setattr(function, name, _Name(name))
    return str(copied.__repr__(N_CHAR_MAX=_LONG))


def _repeats(result: Result) -> str:
    if result.estimator is None:
        return "The labels were given; how they were made is not known here."
    names = [n for one in _functions(result.estimator) for n in one.parameters_of_objects()]
    given = f"Here {' and '.join(names)} must be what was given. " if names else ""
    parameters = result.estimator.get_params()
    if "random_state" not in parameters or isinstance(parameters["random_state"], int):
        return f"{given}With the same data and versions this gives the same result, bit for bit."
    return given + (
        "random_state was not a number, so a repetition may differ; pass a number to get the same "
        "result again."
    )


def _facts(
    result: Result, made: Mapping[str, object], members: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    made_by, function = str(made.get("estimator", "labels given")), _function(result)
    yield "Made by", made_by
    yield "Consensus function", function if function != made_by else ""
    yield "Members made by", str(members.get("generator", ""))
    yield "Objects", f"{result.ensemble.n_samples:,}"
    yield "Members", f"{result.ensemble.n_members:,}"
    yield "Hash of the members", result.ensemble.fingerprint
    yield "Hash of the data", str(members.get("data", ""))
    yield "Machine", f"{platform.system()} {platform.machine()}"


def _function(result: Result) -> str:
    if result.function is None:
        return ""
    return type(result.function).__name__


def _flat(parameters: Any) -> dict[str, str]:
    if not isinstance(parameters, Mapping):
        return {}
    return {str(name): str(value) for name, value in parameters.items()}
