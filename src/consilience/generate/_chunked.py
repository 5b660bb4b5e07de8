"""Data in a dask array or frame: members are made on a sample, all rows are labelled chunk by chunk."""

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._random import seed_sequence
from consilience._utils._types import Array
from consilience.incidence import as_array, map_rows, rows_at

if TYPE_CHECKING:
    from consilience.generate._base import EnsembleGenerator


# Rows on which members are made.
SAMPLE_ROWS = 100_000
# Tells the stream of the sample from those of the members.
_SAMPLE = 2**31


def sample(X: Any, random_state: Any) -> tuple[Any, Array, Array]:
    """Return a dask array of the data, rows drawn by the seed alone, and their places, ascending."""
    array = as_array(X)
    n_samples = int(array.shape[0])
    entropy = seed_sequence(random_state).entropy
    rng = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(_SAMPLE,)))
    places = np.sort(rng.choice(n_samples, min(n_samples, SAMPLE_ROWS), replace=False))
    return array, rows_at(array, places), places


def label_chunks(generator: "EnsembleGenerator", X: Any) -> Any:
    """Return the labels of all rows as a dask array (n, r)."""
    return map_rows(Labeller(generator), X, width=len(generator.members_), dtype=np.int32)


class Labeller:
    """A fitted generator without the rows it was fitted on, to be sent to workers."""

    def __init__(self, generator: "EnsembleGenerator") -> None:
        light = copy.copy(generator)
        light.__dict__.pop("ensemble_", None)
        light.members_ = [
            replace(member, labels=member.labels[:0], memberships=None)
            for member in generator.members_
        ]
        given = {"n_jobs": 1, "verbose": 0}
        names = generator.get_params(deep=False)
        light.set_params(**{name: value for name, value in given.items() if name in names})
        self._generator = light

    def __call__(self, chunk: Array) -> Array:
        """Label the rows of a chunk."""
        return self._generator.transform(chunk)
