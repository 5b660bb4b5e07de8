"""The number of clusters from clusterings alone: what both halves of the members find."""

from collections.abc import Sequence

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._candidates import Candidates
from consilience.answer._k_choice import KChoice, Tried, make_table
from consilience.answer._members import DENSITY, NAMED, Kind, with_tree
from consilience.answer._score import gains
from consilience.answer._words import CLUSTERS, ONE, UNSURE, doubts_about_answer
from consilience.ensemble import Ensemble

# With fewer members the number cannot be found.
_FEWEST_MEMBERS = 4
# Ways to cut the members in half, and orders of the objects of one half that are compared.
_N_SPLITS, _N_ORDERS = 4, 99
# Halves that share more than by chance in at least this share of orders, and the share of their
# information that they have in common where the answer is sure.
_CHANCE, _LEAST_SHARED = 0.01, 0.3
# Numbers that are tried.
_MOST = 30
# The two halves take the place of kinds.
_HALVES = (NAMED, DENSITY)


def choose_from_labels(
    ensemble: Ensemble,
    numbers: Sequence[int] | None,
    least_size: float | None,
    max_samples: int,
    rng: np.random.Generator,
    verbose: int | None = 0,
) -> KChoice:
    """Choose."""
    raise NotImplementedError
