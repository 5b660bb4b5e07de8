"""Generators by the names that commands use."""

import re
from collections.abc import Mapping
from typing import Any

from consilience._utils._extensions import Extensions
from consilience._utils._words import known_name
from consilience.exceptions import InvalidParameterError
from consilience.generate._base import EnsembleGenerator

# Where other packages register their generators.
GROUP = "consilience.generators"
# Of no use without parameters, or for data that are no numbers.
_NOT_BY_NAME = ("ClustererPool", "CategoricalColumns")


def generators(*, extensions: bool = True) -> dict[str, type[EnsembleGenerator]]:
    """Return every generator by the name that commands use: RandomProjection is "random-projection".

    Parameters
    ----------
    extensions : bool, default True
        Whether the generators that other packages register are included; broken ones are left out.
    """
    return {**_of_the_house(), **(EXTENSIONS.all() if extensions else {})}


def generator_named(name: str) -> type[EnsembleGenerator]:
    """Return the generator that is meant; case, hyphens and underscores do not matter."""
    found = _find(name)
    if found is None:
        names = ", ".join(generator_names())
        raise InvalidParameterError(f"There is no generator {name!r}; there are {names}.")
    return found


def is_generator_name(name: str) -> bool:
    """Say whether a generator has this name; an extension that cannot be used is an error."""
    return _find(name) is not None


def generator_names() -> list[str]:
    """Return the names of all generators; no other package is imported."""
    return [*_of_the_house(), *EXTENSIONS.names()]


def _find(name: str) -> type[EnsembleGenerator] | None:
    kinds = _of_the_house()
    known = known_name(name, kinds)
    return EXTENSIONS.named(name) if known is None else kinds[known]


def _of_the_house() -> dict[str, type[EnsembleGenerator]]:
    from consilience import generate

    found = {}
    for name in generate.__all__:
        kind = getattr(generate, name)
        is_generator = isinstance(kind, type) and issubclass(kind, EnsembleGenerator)
        if is_generator and kind is not EnsembleGenerator and name not in _NOT_BY_NAME:
            found[_kebab(name)] = kind
    return found


def _kebab(name: str) -> str:
    name = name.replace("KMeans", "Kmeans").replace("PCA", "Pca").replace("LAC", "Lac")
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def _declared() -> dict[str, type[Any]]:
    return {"parameters": Mapping}


EXTENSIONS = Extensions(GROUP, lambda: EnsembleGenerator, _of_the_house, _declared)
