"""Shared code of CBGF and MCLA: the graph of base clusters, and the votes of their groups."""

from typing import Any

import numpy as np

from consilience._utils._declare import Choice
from consilience._utils._random import row_draws
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.incidence import on_cells, random_argmax_step

TIES = Choice("first", "random")


def jaccard(ensemble: Ensemble) -> Any:
    """Jaccard similarity of all base clusters, (t, t), from the overlaps N = H' H.

    Clusters of members that label different objects are compared on all of their objects; objects
    labelled by only one of the two members reduce the similarity. Sparse if most base clusters share
    no object.
    """
    H = ensemble.incidence
    return on_cells(H.overlaps().astype(np.float64), _share_of_union, H.sizes)


def _share_of_union(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    union = sizes + other_sizes - overlaps
    share: Array = overlaps / np.where(union > 0, union, 1.0)
    return share


def join_groups(ensemble: Ensemble, votes: Array, ties: str, rng: np.random.Generator) -> Array:
    """Return the group of every object with most votes, from the table of votes (t, K)."""
    H = ensemble.incidence
    if ties == "first":
        return H.argmax(votes).labels
    draws = row_draws(int(rng.integers(2**63)), 0, H.n_rows)
    labels: Array = H.sweep(votes, random_argmax_step, (draws,)).labels
    return labels
