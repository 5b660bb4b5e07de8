"""Limits on the sizes of balanced parts, and the starts of a search."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from consilience._utils._types import Array
from consilience.incidence.internals import ThreadExecutor

Start = TypeVar("Start")
Result = TypeVar("Result")


class SizeBounds(NamedTuple):
    """How many objects a part may hold."""

    smallest: int
    largest: int

    @classmethod
    def of(cls, n_samples: int, n_clusters: int, imbalance: float) -> "SizeBounds":
        """Strict sizes, floor or ceil of n / K, or up to (1 + imbalance) ceil(n / K)."""
        ceiling = -(-n_samples // n_clusters)
        if imbalance == 0:
            return cls(n_samples // n_clusters, ceiling)
        # The product may be slightly smaller than an integer because of rounding.
        largest = int((1 + imbalance) * ceiling * (1 + 1e-12))
        return cls(1, min(largest, n_samples - n_clusters + 1))


def random_labels(n_samples: int, n_clusters: int, stream: np.random.Generator) -> Array:
    """Draw parts of equal size."""
    return stream.permutation(np.arange(n_samples, dtype=np.int32) % n_clusters)


def run_starts(function: Callable[[Start], Result], starts: Sequence[Start]) -> list[Result]:
    """Run a search from several starts on the threads of this process; results in their order."""
    ranges = [(place, place + 1) for place in range(len(starts))]
    return list(ThreadExecutor().map(lambda rows: function(starts[rows[0]]), ranges))
