"""Generators and consensus functions by name or as objects."""

from typing import Any

import numpy as np
from sklearn.base import clone

from consilience.consensus import GWCA, Concord, ConsensusFunction
from consilience.consensus.internals import function_named, function_names
from consilience.exceptions import InvalidParameterError
from consilience.generate import EnsembleGenerator, GaussianMixtures, LACSweep
from consilience.generate.internals import (
    Kind,
    generator_named,
    generator_names,
    is_generator_name,
    most_components,
)

# Members see the data with at least as many clusters as wanted, up to this many.
_MOST_CLUSTERS = 60
# Members of mixtures have from K to so many times K components.
_MIXTURE_CLUSTERS = 3


class GeneratorChoice:
    """A name, a generator, or None for the default."""

    def accepts(self, value: object) -> bool:
        """Any generator object is accepted."""
        return (
            value is None
            or isinstance(value, EnsembleGenerator)
            or (isinstance(value, str) and is_generator_name(value))
        )

    def __str__(self) -> str:
        return "None, a generator, or one of " + ", ".join(map(repr, generator_names()))


class ConsensusChoice:
    """A name, a consensus function, or None for the default."""

    def accepts(self, value: object) -> bool:
        """Any consensus function is accepted."""
        return (
            value is None
            or isinstance(value, ConsensusFunction)
            or (isinstance(value, str) and function_named(value) is not None)
        )

    def __str__(self) -> str:
        return "None, a consensus function, or one of " + ", ".join(function_names())


def make_generator(
    kind: Kind,
    *,
    n_members: int,
    n_clusters: int,
    shape: tuple[int, int],
    common: dict[str, Any],
) -> EnsembleGenerator:
    """Return a generator ready to fit; what a user passed as an object keeps its parameters."""
    if isinstance(kind.generator, EnsembleGenerator):
        generator: EnsembleGenerator = clone(kind.generator)
        for name, value in common.items():
            if name in generator.get_params() and generator.get_params()[name] is None:
                generator.set_params(**{name: value})
        return generator
    make = generator_named(kind.generator) if isinstance(kind.generator, str) else kind.generator
    generator = make(**kind.parameters)
    known = generator.get_params()
    wanted: dict[str, Any] = {"n_members": n_members, **common}
    if "n_clusters" in known:
        wanted["n_clusters"] = _clusters_of_members(generator, n_clusters, shape)
    generator.set_params(**{name: value for name, value in wanted.items() if name in known})
    return generator


def _clusters_of_members(
    generator: EnsembleGenerator, n_clusters: int, shape: tuple[int, int]
) -> int | tuple[int, int]:
    if isinstance(generator, LACSweep):
        return n_clusters
    low, high = cluster_range(n_clusters, shape[0])
    if not isinstance(generator, GaussianMixtures):
        return low, high
    most = most_components(shape, generator.covariance)
    if n_clusters > most:
        raise InvalidParameterError(
            f"{shape[0]} rows are too few for mixtures of {n_clusters} components with "
            f"{generator.covariance} covariances of {shape[1]} columns."
        )
    return low, max(low, min(high, _MIXTURE_CLUSTERS * n_clusters, most))


def cluster_range(n_clusters: int, n_samples: int) -> tuple[int, int]:
    """Let members have from K to sqrt(n) clusters: coarse views and fine ones."""
    most = min(_MOST_CLUSTERS, int(np.sqrt(n_samples)), n_samples // 2)
    low = min(n_clusters, n_samples // 2 if n_samples > 3 else n_samples)
    return max(1, low), max(1, low, most)


def make_consensus(
    choice: str | ConsensusFunction | None,
    n_clusters: int,
    random_state: int,
    *,
    constrained: bool,
    verbose: int | None = None,
) -> ConsensusFunction:
    """Return a consensus function ready to fit; with constraints the default is GWCA."""
    if choice is None:
        function: ConsensusFunction = GWCA() if constrained else Concord()
    elif isinstance(choice, str):
        named = function_named(choice)
        assert named is not None  # noqa: S101 - checked with the parameters
        function = named()
    else:
        function = clone(choice)
    function.set_params(n_clusters=n_clusters)
    given = function.get_params()
    if "random_state" in given and given["random_state"] is None:
        function.set_params(random_state=random_state)
    if "verbose" in given and given["verbose"] is None:
        function.set_params(verbose=verbose)
    return function
