"""Base class of GCA and GWCA."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Flag, Integer, Optional, Seed
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._constrained import ConstrainedFunction
from consilience.consensus._constraints import Constraints
from consilience.consensus._doubts import Doubt
from consilience.consensus._outcome import Outcome
from consilience.consensus._problem import Problem
from consilience.consensus.bregman._aggregate import Aggregate
from consilience.consensus.bregman._connectivity import Connectivities
from consilience.consensus.bregman._divergence import Divergence
from consilience.consensus.bregman._euclidean import Euclidean
from consilience.consensus.bregman._exponential import Exponential
from consilience.consensus.bregman._final_step import STEPS, final_labels
from consilience.consensus.bregman._fixed_pairs import FixedPairs
from consilience.consensus.bregman._itakura_saito import ItakuraSaito
from consilience.consensus.bregman._kullback_leibler import KullbackLeibler
from consilience.consensus.bregman._linear import LinearAggregate
from consilience.consensus.bregman._logistic import Logistic
from consilience.consensus.bregman._mixed import MixedLinear, MixedTiles
from consilience.consensus.bregman._polynomial import PolynomialAggregate
from consilience.consensus.bregman._tiled import HardTiles, SoftTiles
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError

DIVERGENCES: dict[str, type[Divergence]] = {
    "euclidean": Euclidean,
    "exponential": Exponential,
    "kl": KullbackLeibler,
    "itakura-saito": ItakuraSaito,
    "logistic": Logistic,
}


class DivergenceChoice:
    """A name, or a custom divergence object."""

    def accepts(self, value: object) -> bool:
        """Accept the names of the five divergences of the paper, or a Divergence."""
        return isinstance(value, Divergence) or (isinstance(value, str) and value in DIVERGENCES)

    def __str__(self) -> str:
        names = ", ".join(repr(name) for name in DIVERGENCES)
        return f"one of {names}, or a consilience.consensus.bregman.Divergence"


@dataclass
class Weighing:
    """Weights of the members, and how they were found; `attributes` by name for the fitted function."""

    weights: Array
    objective: float
    history: list[float] | None = None
    n_iter: int | None = None
    converged: bool = True
    attributes: Mapping[str, Any] = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)


class BregmanAggregation(ConstrainedFunction):
    """Aggregate the connectivity matrices of the members, then cluster the result."""

    object_parameters: ClassVar[tuple[str, ...]] = ("connectivities",)
    divergence: str | Divergence
    final: str
    degree: int | None
    connectivities: list[Any] | None
    n_init: int

    shared_parameters: ClassVar[dict[str, Declaration]] = {
        "n_clusters": Integer(1),
        "divergence": DivergenceChoice(),
        "final": Choice(*STEPS),
        "degree": Optional(Integer(1, 2)),
        "connectivities": Connectivities(),
        "conflicts": Choice("raise", "drop_cannot_link"),
        "enforce": Flag(),
        "n_init": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(constraints=True)

    @abstractmethod
    def _weigh(self, aggregate: Aggregate, masses: Array) -> Weighing:
        """Choose shares of the members that sum to one; `masses` are the weights as given."""

    def active_capabilities(self) -> Capabilities:
        is_linear = self.divergence == "euclidean" or isinstance(self.divergence, Euclidean)
        if is_linear or self.degree is not None:
            return self.capabilities
        # Entries of M that are no polynomial of the agreement are computed pair by pair.
        return replace(self.capabilities, cost="quadratic")

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        if self.connectivities is None:
            return super()._reduce(ensemble, n_clusters, constraints)
        # Objects with the same labels, and objects without any, differ in the given matrices.
        return Problem.of_all_objects(ensemble, constraints)

    def _consensus(  # type: ignore[override]
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,
        constraints: Constraints,
    ) -> Outcome:
        aggregate = self._aggregate(ensemble, FixedPairs.of(ensemble, constraints))
        n_members, n_others = ensemble.n_members, aggregate.n_matrices - ensemble.n_members
        # A member without labels joins no pair and must not count.
        masses = np.concatenate([ensemble.counted_weights, np.ones(n_others)])
        found = self._weigh(aggregate, masses)
        attributes = dict(found.attributes)
        if n_others:
            attributes["connectivity_weights_"] = found.weights[n_members:]
        if isinstance(aggregate, PolynomialAggregate):
            attributes["approximation_error_"] = aggregate.polynomial.error
        labels = final_labels(
            aggregate, found.weights, n_clusters, step=self.final, n_init=self.n_init, rng=rng
        )
        return Outcome(
            labels,
            found.objective,
            found.history,
            found.n_iter,
            found.converged,
            attributes=attributes,
            member_weights=found.weights[:n_members],
            doubts=found.doubts,
        )

    def _aggregate(self, ensemble: Ensemble, fixed: FixedPairs) -> Aggregate:
        given = self.divergence
        divergence = DIVERGENCES[given]() if isinstance(given, str) else given
        if self.connectivities is not None:
            return self._mixed(ensemble, divergence, fixed)
        if isinstance(divergence, Euclidean):
            return LinearAggregate(ensemble, divergence, fixed)
        if self.degree is not None:
            return PolynomialAggregate(ensemble, divergence, fixed, self.degree)
        tiles = SoftTiles if ensemble.is_soft else HardTiles
        return tiles(ensemble, divergence, fixed)

    def _mixed(self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs) -> Aggregate:
        if isinstance(divergence, Euclidean):
            return MixedLinear(ensemble, divergence, fixed, self.connectivities)
        if self.degree is not None:
            raise InvalidParameterError(
                f"{type(self).__name__}: degree={self.degree} works with members alone; with "
                'connectivities use degree=None, or divergence="euclidean".'
            )
        return MixedTiles(ensemble, divergence, fixed, self.connectivities)
