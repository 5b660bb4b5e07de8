"""Consensus functions that start from labels that users give, for instance those of an earlier fit."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.incidence import Assigned, Incidence, label_sizes
from consilience.partition import (
    PLUS_PLUS,
    RANDOM_ROWS,
    SweptFeatures,
    lloyd,
    lloyd_from_all_starts,
)


class StartLabels:
    """A word for starts that the function makes itself, or an integer for every object."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def accepts(self, value: object) -> bool:
        """The number of objects is compared in `fit`."""
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, list | tuple):
            return bool(value) and all(isinstance(label, Integral) for label in value)
        # Arrays, columns of tables and dask arrays.
        return getattr(value, "ndim", 0) == 1 and getattr(value.dtype, "kind", "") in "iu"  # type: ignore[attr-defined]

    def __str__(self) -> str:
        words = ", ".join(repr(word) for word in self.words)
        return f"{words} or an array (n_samples,) of integers, -1 = unknown"


class StartedFunction(ConsensusFunction):
    """A consensus function with a parameter `init`, declared as `StartLabels`."""

    init: str | Array
    object_parameters: ClassVar[tuple[str, ...]] = ("init",)

    def active_capabilities(self) -> Capabilities:
        """Identical objects may have different labels to start from, and are then not merged."""
        if isinstance(self.init, str):
            return self.capabilities
        return replace(self.capabilities, profile_exact=False)

    @abstractmethod
    def _consensus_from(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> Outcome:
        """Combine the members, from the labels of rows; -1 = unknown."""

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        if isinstance(self.init, str):
            return super()._combine(problem, n_clusters, rng)
        assert n_clusters is not None  # noqa: S101 - a declared parameter
        labels = start_of_rows(problem, self, self.init, n_clusters)
        return self._consensus_from(problem.ensemble, labels, n_clusters)


def start_of_rows(
    problem: Problem, function: ConsensusFunction, given: Any, n_clusters: int
) -> Array:
    """Return the start of every row of the reduced ensemble, -1 = unknown; int32.

    n_clusters is smaller than the parameter of the function if there are too few distinct rows.
    """
    given = np.asarray(given).astype(np.int64)
    n_objects, wanted = problem.n_objects, int(function.n_clusters or n_clusters)
    lowest, highest = int(given.min(initial=0)), int(given.max(initial=-1))
    if len(given) != n_objects or lowest < -1 or not 0 <= highest < wanted:
        raise InvalidInputError(
            f"{type(function).__name__}: init must have a label from 0 to {wanted - 1}, or -1, for each "
            f"of the {n_objects} objects, and not -1 for all; got {len(given)} labels from {lowest} to "
            f"{highest}. Append -1, or labels by `predict`, for new objects."
        )
    rows = problem.of_rows(given.astype(np.int32))
    return np.where(rows < n_clusters, rows, np.int32(-1))


def count_known(H: Incidence, labels: Array, n_clusters: int) -> Assigned:
    """Return the count tables of the rows whose label is known, 0 to K - 1."""
    # Rows without a label are counted in a column of their own.
    known = np.where(labels >= 0, labels, np.int32(n_clusters))
    counts = H.count(known, n_clusters + 1)[:, :n_clusters]
    sizes = label_sizes(known, n_clusters + 1, H.row_weight)[:n_clusters]
    return Assigned(labels, counts, sizes, np.empty(0))


class SweptKMeans(StartedFunction):
    """Template: a subclass defines the features."""

    kmeans_parameters: ClassVar[Mapping[str, Declaration]] = {
        "init": StartLabels(PLUS_PLUS, RANDOM_ROWS),
        "n_init": Integer(1),
        "max_iter": Integer(1),
    }
    n_init: int
    max_iter: int

    @abstractmethod
    def _features(self, ensemble: Ensemble) -> tuple[SweptFeatures, dict[str, Any]]:
        """Return the features, and fitted attributes by name."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        features, attributes = self._features(ensemble)
        runs = lloyd_from_all_starts(
            features,
            n_clusters,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
            init=str(self.init),
        )
        return Outcome.of_all(runs, **attributes)

    def _consensus_from(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> Outcome:
        features, attributes = self._features(ensemble)
        centres = features.centres(count_known(features.H, labels, n_clusters))
        return Outcome.of_all([lloyd(features, centres, self.max_iter)], **attributes)
