"""Repeated runs of consensus functions and generators, with own seeds, in parallel, without warnings."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from consilience._utils._declare import Declaration, Integer, Jobs, Optional, Seed
from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari

Result = TypeVar("Result")


class _Function:
    """A consensus function, not fitted."""

    def accepts(self, value: object) -> bool:
        return isinstance(value, ConsensusFunction)

    def __str__(self) -> str:
        return "a consensus function such as IPC(n_clusters=3)"


# How runs are made; the same for everything that makes them.
RUN_PARAMETERS: dict[str, Declaration] = {
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
    "verbose": Optional(Integer(0)),
}
FUNCTION_PARAMETERS: dict[str, Declaration] = {"function": _Function(), **RUN_PARAMETERS}


def seeded(estimator: Any, stream: np.random.Generator) -> Any:
    """Return an unfitted copy with a seed of its own wherever none was given, and without a bar.

    What is inside a clusterer that a generator repeats is left alone: the generator seeds it. Copies
    keep no checkpoints, since these belong to one set of data.
    """
    copy = clone(estimator)
    for part in steps_of(copy):
        given = part.get_params(deep=False)
        if "random_state" in given and given["random_state"] is None:
            part.set_params(random_state=int(stream.integers(2**31 - 1)))
        if "checkpoint" in given:
            part.set_params(checkpoint=None)
        if "verbose" in given and given["verbose"] is None:
            part.set_params(verbose=0)
    return copy


def steps_of(estimator: Any) -> list[Any]:
    """Return the steps of a pipeline, or the estimator alone."""
    if not isinstance(estimator, Pipeline):
        return [estimator]
    return [step for _, step in estimator.steps if hasattr(step, "get_params")]


def counted_members(ensemble: Ensemble) -> Array:
    """Return the positions of the members that count: they know something and have a weight."""
    return np.flatnonzero((ensemble.n_clusters > 0) & (ensemble.weights > 0))


def consensus_labels(
    function: ConsensusFunction, ensemble: Ensemble, stream: np.random.Generator
) -> Array:
    """Fit a copy of the function; objects of which no member labels anything get -1."""
    fitted = seeded(function, stream).fit(ensemble)
    labels: Array = np.where(fitted.unlabelled_, -1, fitted.labels_).astype(np.int32)
    return labels


def agreement(labels_a: Array, labels_b: Array) -> float:
    """ARI on the objects that both label; NaN if there are none."""
    both = (labels_a >= 0) & (labels_b >= 0)
    return ari(labels_a[both], labels_b[both]) if both.any() else np.nan


def rerun(
    tasks: Sequence[Callable[[], Result]], title: str, *, n_jobs: int | None, verbose: int | None
) -> list[Result]:
    """Do all tasks without warnings; the run on all data gives the warnings.

    The filter is set here, around all threads, since it is global to the process.
    """
    from joblib import Parallel, delayed

    results = []
    with warnings.catch_warnings(), progress(title, len(tasks), verbose) as advance:
        warnings.simplefilter("ignore", ConsilienceWarning)
        workers = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        for result in workers(delayed(task)() for task in tasks):
            results.append(result)
            advance(1)
    return results
