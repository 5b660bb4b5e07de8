"""Base class of partitioners, which cut graphs into K parts."""

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple, NoReturn, Self

import numpy as np

from consilience._utils._declare import Declaration, check_parameters
from consilience._utils._types import Array
from consilience.exceptions import UnsupportedInputError
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, Hypergraph, ObjectGraph
from consilience.partition._solution import Solution

Kind = Literal["objects", "bipartite", "clusters", "hypergraph"]
KINDS: tuple[Kind, ...] = ("objects", "bipartite", "clusters", "hypergraph")


class Partitioner:
    """Cut a graph into K parts; a subclass overrides `cut_...` for each kind of graph that it supports.

    Every method returns the result of each start of the search. `n_init` is the number of independent
    starts, `max_iter` the largest number of rounds of one start, in every partitioner that has them.
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {}
    # Whether parts have equal sizes. Object weights are then ignored.
    equal_parts: ClassVar[bool] = False
    cost: ClassVar[Literal["linear", "quadratic"]] = "linear"
    # Read by functions that compare equal parts with those without balance.
    imbalance: float = 0.0
    n_init: int = 10

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_parameters(type(self).__name__, self.parameters, vars(self))

    @classmethod
    def takes(cls, kind: Kind) -> bool:
        """Whether graphs of a kind can be cut."""
        return getattr(cls, f"cut_{kind}") is not getattr(Partitioner, f"cut_{kind}")

    def cut_objects(
        self, graph: ObjectGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Cut the graph of the similarities of objects."""
        self._refuse("objects", graph, n_clusters, rng)

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Cut the graph of objects and base clusters; labels are those of the objects."""
        self._refuse("bipartite", graph, n_clusters, rng)

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Cut the graph of the similarities of base clusters."""
        self._refuse("clusters", graph, n_clusters, rng)

    def cut_hypergraph(
        self, graph: Hypergraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Cut the hypergraph of base clusters; labels are those of the objects."""
        self._refuse("hypergraph", graph, n_clusters, rng)

    def _refuse(self, kind: Kind, *_: object) -> NoReturn:
        taken = ", ".join(known for known in KINDS if self.takes(known))
        raise UnsupportedInputError(
            f"{type(self).__name__} cannot cut a graph of the kind {kind!r}; it takes: {taken}."
        )


class SizeBounds(NamedTuple):
    """How much a part may hold: objects, or the summed weight of base clusters."""

    smallest: float
    largest: float

    @classmethod
    def of(cls, n_samples: int, n_clusters: int, imbalance: float) -> Self:
        """Strict sizes, floor or ceil of n / K, or up to (1 + imbalance) ceil(n / K)."""
        ceiling = -(-n_samples // n_clusters)
        if imbalance == 0:
            return cls(n_samples // n_clusters, ceiling)
        # The product may be slightly smaller than an integer because of rounding.
        largest = int((1 + imbalance) * ceiling * (1 + 1e-12))
        return cls(1, min(largest, n_samples - n_clusters + 1))

    @classmethod
    def of_share(cls, n_samples: int, n_clusters: int, imbalance: float) -> Self:
        """Up to (1 + imbalance) n / K objects, as hypergraph partitioners have it, or ceil(n / K)."""
        largest = int((1 + imbalance) * n_samples / n_clusters * (1 + 1e-12))
        ceiling = -(-n_samples // n_clusters)
        return cls(1, max(ceiling, largest))

    def hold(self, loads: Array) -> bool:
        """Whether all parts keep to the bounds."""
        return bool(loads.min() >= self.smallest and loads.max() <= self.largest)


class PartitionerChoice:
    """Names of partitioners with default parameters, or any partitioner for a kind of graph."""

    def __init__(self, kind: Kind, **named: Partitioner) -> None:
        self.kind = kind
        self.named = named

    @property
    def options(self) -> tuple[str, ...]:
        """Return the names."""
        return tuple(self.named)

    def accepts(self, value: object) -> bool:
        """Check that a partitioner supports the kind of graph."""
        if isinstance(value, str):
            return value in self.named
        return isinstance(value, Partitioner) and value.takes(self.kind)

    def resolve(self, value: str | Partitioner) -> Partitioner:
        """Return the partitioner for a name or an object."""
        return self.named[value] if isinstance(value, str) else value

    def __str__(self) -> str:
        names = ", ".join(repr(name) for name in self.named)
        return (
            f"one of {names}, or a partitioner of consilience.partition for graphs of the kind "
            f"{self.kind!r}"
        )
