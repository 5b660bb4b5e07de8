"""A consensus function by name, fitted to an ensemble."""

from collections.abc import Sequence
from typing import Any

from consilience._utils._words import listed
from consilience.cli._knowledge import Knowledge
from consilience.cli._options import Running
from consilience.cli._output import Output
from consilience.exceptions import InvalidParameterError

# The default consensus functions: without constraints, and with constraints.
_DEFAULT, _CONSTRAINED = "concord", "gwca"
_NO_KNOWLEDGE = Knowledge()


def run_consensus(
    ensemble: Any,
    name: str | None,
    n_clusters: int | None,
    parameters: Sequence[str],
    running: Running,
    output: Output,
    knowledge: Knowledge = _NO_KNOWLEDGE,
) -> Any:
    """Return the fitted function; a number of clusters is needed unless it finds one."""
    from consilience.cli._methods_by_name import consensus_named, make_method
    from consilience.consensus import catalogue

    function = make_method(
        consensus_named((_CONSTRAINED if knowledge.files else _DEFAULT) if name is None else name),
        parameters,
        n_clusters=n_clusters,
        random_state=running.random_state,
        verbose=output.verbose,
    )
    require_constraints(function, knowledge)
    if n_clusters is None:
        if not function.capabilities.finds_n_clusters:
            finders = [
                key for key, kind in catalogue().items() if kind.capabilities.finds_n_clusters
            ]
            raise InvalidParameterError(
                f"{type(function).__name__} needs the number of clusters, -k; only "
                f"{listed(finders)} find one themselves (--method)."
            )
        function.set_params(n_clusters=None)
    if not knowledge.files:
        return function.fit(ensemble)
    names = range(1, ensemble.n_samples + 1) if ensemble.ids is None else ensemble.ids
    known = knowledge.read(names, function, n_clusters, output)
    return function.fit(ensemble, **known.for_ids(ensemble.ids))


def require_constraints(function: Any, knowledge: Knowledge) -> None:
    """Refuse constraints that the function cannot use, and name functions that can."""
    if knowledge.files and not function.capabilities.constraints:
        from consilience.consensus.internals import functions_that_take

        raise InvalidParameterError(
            f"{type(function).__name__} cannot use constraints; these can (--method): "
            f"{functions_that_take('constraints')}."
        )
