"""Votes together with the distances of objects in the space of their features."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._declare import DataArray, Declaration, Optional, Real
from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints
from consilience.consensus._problem import Problem
from consilience.consensus.voting._iteration import IterativeVoting
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, UnsupportedInputError
from consilience.incidence import Assigned, StepResult, argmax_step


class CompactVoting(IterativeVoting):
    """Iterative voting that may see the features: `features` and `compactness`.

    The squared distance of an object to the mean of a cluster is divided by the mean squared distance
    of all objects to the mean of all, so that it has no unit.
    """

    compact_parameters: ClassVar[Mapping[str, Declaration]] = {
        "features": Optional(DataArray()),
        "compactness": Real(0),
    }
    object_parameters: ClassVar[tuple[str, ...]] = (*IterativeVoting.object_parameters, "features")
    features: Array | None
    compactness: float

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        if self.features is None:
            return super()._reduce(ensemble, n_clusters, constraints)
        name = type(self).__name__
        if len(self.features) != ensemble.n_samples:
            raise InvalidInputError(
                f"{name}: features must have a row for each of the {ensemble.n_samples} objects; got "
                f"shape {self.features.shape}. Pass the data that the members were made from."
            )
        if not np.isfinite(np.square(self.features).sum()):
            raise InvalidInputError(
                f"{name}: features must be finite numbers whose squares can be added; got NaN, infinite "
                "or very large numbers. Replace or scale them."
            )
        if ensemble.has_missing and not ensemble.incidence.known().all():
            raise UnsupportedInputError(
                f"{name}: features need a label of some member for every object; leave objects without "
                "any label out, and label them by `predict`."
            )
        # Objects with the same labels may have different features.
        return Problem.of_all_objects(ensemble, constraints)

    def _places(self, ensemble: Ensemble) -> Array:
        """Return the features of the rows, centred, with mean squared length one."""
        assert self.features is not None  # noqa: S101 - asked before
        weight = ensemble.sample_weight
        X = self.features.astype(np.float64)
        X -= np.average(X, axis=0, weights=weight)
        spread = float(np.average(np.einsum("if,if->i", X, X), weights=weight))
        return X / np.sqrt(spread) if spread > 0 else X

    def _compact_choice(
        self, ensemble: Ensemble, state: Assigned, table: Array, factor: float, *, is_ratio: bool
    ) -> Assigned:
        """Assign objects by scores less the weighted distance to the means of the clusters.

        Scores are gathered from the table; if they are ratios, from its two halves.
        """
        X = self._places(ensemble)
        means = cluster_means(X, state, ensemble.sample_weight)
        step = partial(compact_step, means=means, factor=factor, is_ratio=is_ratio)
        rows = (np.asarray(state.labels), X)
        swept = ensemble.incidence.sweep(table, step, rows, n_labels=len(state.sizes))
        return swept.assigned()

    def _spread(self, ensemble: Ensemble, state: Assigned) -> float:
        """Return the sum of squared distances to the means of the clusters, objects by weight."""
        X, weight = self._places(ensemble), ensemble.sample_weight
        means = cluster_means(X, state, weight)
        squares = np.square(X - means[np.asarray(state.labels)]).sum(axis=1)
        return float(squares.sum() if weight is None else weight @ squares)


def cluster_means(X: Array, state: Assigned, weight: Array | None) -> Array:
    """Return the mean of every cluster, (K, d); that of all objects if it has no weight."""
    labels, n_rows = np.asarray(state.labels), len(X)
    values = np.ones(n_rows) if weight is None else weight.astype(np.float64)
    shape = (len(state.sizes), n_rows)
    sums = csr_array((values, (labels, np.arange(n_rows))), shape=shape) @ X
    return np.asarray(sums / np.where(state.sizes > 0, state.sizes, 1)[:, None])


def compact_step(
    scores: Array, current: Array, X: Array, *, means: Array, factor: float, is_ratio: bool
) -> StepResult:
    """Label every row by its largest score less its weighted squared distance."""
    if is_ratio:
        n_labels = len(means)
        agreed, possible = scores[:, :n_labels], scores[:, n_labels:]
        usable = possible > 1e-9
        scores = np.where(usable, agreed / np.where(usable, possible, 1.0), 0.0)
    # By differences, because the centred features may still be far from their means.
    distance = np.stack([np.square(X - mean).sum(axis=1) for mean in means], axis=1)
    return argmax_step(scores - factor * distance, current)
