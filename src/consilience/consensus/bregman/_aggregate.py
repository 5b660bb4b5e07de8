"""The aggregated connectivity matrix M of weighted members, without storing it."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._divergence import Divergence
from consilience.consensus.bregman._fixed_pairs import FixedPairs
from consilience.ensemble import Ensemble
from consilience.partition import SymmetricOperator, member_gram


class Evaluation(NamedTuple):
    """M at given weights.

    objective  sum_j w_j D(M, M_j)
    costs      (r,) D(M, M_j), up to a number that is the same for all members
    """

    objective: float
    costs: Array


class Aggregate(ABC):
    """M minimises sum_j w_j D(M, M_j) over all matrices; constrained pairs are fixed.

    M_j is 1 (`high`) where member j puts two objects together and 0 (`low`) elsewhere. The gradient of
    phi at M is the weighted mean of those at the M_j, entry by entry. A subclass implements the sums
    over all entries; entries of constrained pairs are corrected here.

    Weights are shares: they sum to one over the members that have labels.
    """

    def __init__(self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs) -> None:
        self.ensemble = ensemble
        self.divergence = divergence
        self.fixed = fixed

    @abstractmethod
    def _free(self, weights: Array) -> Evaluation:
        """Evaluate as if no pair were constrained."""

    @property
    @abstractmethod
    def _slopes(self) -> tuple[float, float]:
        """Return bounds on the derivative of an entry of M by the weighted agreement A."""

    def _free_change(self, weights: Array, previous: Array) -> float:
        """Return |M - M_previous|^2, or a bound of it, as if no pair were constrained.

        The bound by the largest slope is good enough where the slopes differ by a small factor only.
        """
        step = weights - previous
        return self._slopes[1] ** 2 * float(step @ self.gram @ step)

    @abstractmethod
    def operator(self, weights: Array) -> SymmetricOperator:
        """Return M on the scale from 0 to 1."""

    @cached_property
    def gram(self) -> Array:
        """Return G, the inner products of the M_j before smoothing."""
        return member_gram(self.ensemble.incidence)

    @property
    def n_matrices(self) -> int:
        """Return the number of matrices that are aggregated, r."""
        return self.ensemble.n_members

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the matrices, for messages."""
        return self.ensemble.names

    @property
    def n_pairs(self) -> float:
        """Return the number of entries of M, n^2, including the diagonal."""
        weight = self.ensemble.sample_weight
        return float(self.ensemble.n_samples if weight is None else weight.sum()) ** 2

    def evaluate(self, weights: Array) -> Evaluation:
        """Return the objective and the costs of the members at M."""
        free = self._free(weights)
        if not self.fixed:
            return free
        gradients = self._fixed_gradients
        bound = np.where(self.fixed.together, self.divergence.high, self.divergence.low)
        unbound = self._fixed_means(weights)
        count, phi = self.fixed.multiplicity, self.divergence.phi
        # sum_j w_j D(x, y_j) = phi(x) - x sum_j w_j phi'(y_j) + a constant of the pair.
        slope = gradients @ weights
        extra = phi(bound) - phi(unbound) - slope * (bound - unbound)
        return Evaluation(
            free.objective + float(count @ extra),
            free.costs - gradients.T @ (count * (bound - unbound)),
        )

    def settled(self, weights: Array, previous: Array, tolerance: float) -> bool:
        """Whether M has changed by at most the tolerance (Frobenius norm).

        The change of A is computed from G alone; M itself is compared only if the bounds are not
        sufficient.
        """
        step = weights - previous
        moved = float(step @ self.gram @ step)
        if self.fixed:
            moved -= float(self.fixed.multiplicity @ np.square(self.fixed.agreements @ step))
        slowest, fastest = self._slopes
        if slowest**2 * moved > tolerance**2 or fastest**2 * moved <= tolerance**2:
            return fastest**2 * moved <= tolerance**2
        change = self._free_change(weights, previous)
        if self.fixed:
            drift = self._fixed_means(weights) - self._fixed_means(previous)
            change -= float(self.fixed.multiplicity @ np.square(drift))
        return change <= tolerance**2

    @cached_property
    def _fixed_gradients(self) -> Array:
        """Gradients of the members at the constrained pairs, (P, r)."""
        low, high = self.divergence.low, self.divergence.high
        return np.asarray(self.divergence.gradient(low + (high - low) * self.fixed.agreements))

    def _fixed_means(self, weights: Array) -> Array:
        """Return the entries of M at the constrained pairs without the constraints."""
        return np.asarray(self.divergence.inverse_gradient(self._fixed_gradients @ weights))

    def _correction(self, weights: Array) -> Any:
        """Return the correction of M at the constrained pairs, scaled to [0, 1], as a sparse matrix."""
        low, high = self.divergence.low, self.divergence.high
        free = (self._fixed_means(weights) - low) / (high - low)
        return self.fixed.matrix(self.fixed.together - free)
