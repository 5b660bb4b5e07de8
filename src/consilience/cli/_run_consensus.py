"""A consensus function by name, fitted to an ensemble."""

from collections.abc import Sequence
from typing import Any

from consilience.cli._options import Running
from consilience.exceptions import InvalidParameterError


def run_consensus(
    ensemble: Any, name: str, n_clusters: int | None, parameters: Sequence[str], running: Running
) -> Any:
    """Return the fitted function; a number of clusters is needed unless it finds one."""
    from consilience.cli._methods_by_name import make_method
    from consilience.consensus import catalogue

    function = make_method(
        catalogue(), name, parameters, n_clusters=n_clusters, random_state=running.random_state
    )
    if n_clusters is None and not any(text.startswith("n_clusters=") for text in parameters):
        if not function.capabilities.finds_n_clusters:
            finders = [
                key for key, kind in catalogue().items() if kind.capabilities.finds_n_clusters
            ]
            raise InvalidParameterError(
                f"{type(function).__name__} needs the number of clusters, -k; only "
                f"{' and '.join(finders)} find one themselves (--method)."
            )
        function.set_params(n_clusters=None)
    return function.fit(ensemble)
