"""The kinds of members that are tried."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from consilience.generate._base import EnsembleGenerator
from consilience.generate._gaussian_mixtures import GaussianMixtures
from consilience.generate._kmeans_restarts import KMeansRestarts
from consilience.generate._landmark_spectral import LandmarkSpectral


class Kind(NamedTuple):
    """A kind of members.

    name        what views call it
    generator   a name, a generator object that keeps its parameters, or a class
    parameters  of a class
    scale_free  whether the scale of the columns does not matter
    """

    name: str
    generator: str | EnsembleGenerator | type[EnsembleGenerator]
    parameters: Mapping[str, Any]
    scale_free: bool


# What is tried by default: round clusters, curved ones, and clusters of their own shape and spread.
KINDS = (
    Kind("k-means", KMeansRestarts, {}, scale_free=False),
    Kind("local landmarks", LandmarkSpectral, {"kernel": "local"}, scale_free=False),
    Kind("global landmarks", LandmarkSpectral, {"kernel": "global"}, scale_free=False),
    Kind("mixture", GaussianMixtures, {"covariance": "full"}, scale_free=True),
    Kind("diagonal mixture", GaussianMixtures, {"covariance": "diagonal"}, scale_free=True),
)


def kinds_to_try(generator: str | EnsembleGenerator | None, *, first: bool) -> list[Kind]:
    """Return the kinds of members; what a user names is the only one.

    Mixtures do not depend on the scale of the columns, so the first scaling is enough for them.
    """
    if generator is not None:
        name = generator if isinstance(generator, str) else type(generator).__name__
        return [Kind(name, generator, {}, scale_free=False)]
    return [kind for kind in KINDS if first or not kind.scale_free]
