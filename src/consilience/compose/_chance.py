"""The confidence that data without clusters give, clustered and combined in the same way."""

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array
from consilience.compose._kept_answer import KeptAnswer
from consilience.consensus import Concord, ConsensusFunction
from consilience.consensus.internals import mean_confidence
from consilience.diagnose import structureless_data
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning, InvalidParameterError
from consilience.generate import EnsembleGenerator

# Rows and members with which the level is found, and the least number of rows per cluster of a member.
_ROWS = 400
_MEMBERS = 10
_ROWS_PER_CLUSTER = 4
# Data sets without clusters.
_RUNS = 3


def structureless_confidence(
    rows: Any,
    generator: EnsembleGenerator,
    ensemble: Ensemble,
    function: ConsensusFunction,
    labels: Array,
    random_state: int,
) -> float:
    """Return the largest mean confidence on three normal data sets of the same mean and covariance.

    Ten members of the same kind are made of a few hundred such rows, and the same function combines them
    into as many clusters. The largest of three, because the view and the function of the real data were
    chosen, and levels differ. It is at least the confidence of votes that depend only on the
    sizes of the clusters found.

    Parameters
    ----------
    rows : array or sparse matrix (n, d)
        The data as the members saw them.
    generator, ensemble : generator, Ensemble
        What made the members, and the members.
    function : consensus function
        What combined them; Concord instead of an answer that was kept from the choice of k.
    labels : array (n,)
        The clusters that were found.
    random_state : int
        Seed of all random numbers.
    """
    shares = np.bincount(labels) / len(labels)
    maker = clone(generator)
    changes = {"n_members": min(_MEMBERS, ensemble.n_members), "verbose": 0, "checkpoint": None}
    known = maker.get_params(deep=False)
    maker.set_params(**{name: value for name, value in changes.items() if name in known})
    combine = Concord() if isinstance(function, KeptAnswer) else function.for_other_objects()
    combine.set_params(n_clusters=len(shares))
    n_rows = max(_ROWS, _ROWS_PER_CLUSTER * int(ensemble.n_clusters.max()))
    levels = []
    for stream in np.random.default_rng(random_state).spawn(_RUNS):
        if "random_state" in known:
            maker.set_params(random_state=int(stream.integers(2**31)))
        members = _members_without_clusters(maker, rows, n_rows, stream)
        levels.append(mean_confidence(combine, members))
    return max(*levels, float(np.square(shares).sum()))


def _members_without_clusters(
    maker: EnsembleGenerator, rows: Any, n_rows: int, rng: np.random.Generator
) -> Ensemble:
    """Make members of data without clusters; of more rows if these are too few for the generator."""
    with one_blas_thread():  # on a busy machine, threads make a small problem slower
        null = structureless_data(_sample(rows, n_rows, rng), rng)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConsilienceWarning)
            return maker.fit(null).ensemble_
    except InvalidParameterError:
        if n_rows >= rows.shape[0]:
            raise
        return _members_without_clusters(maker, rows, 2 * n_rows, rng)


def _sample(rows: Any, n_rows: int, rng: np.random.Generator) -> Array:
    if rows.shape[0] > n_rows:
        rows = rows[np.sort(rng.choice(rows.shape[0], n_rows, replace=False))]
    return np.asarray(rows.toarray() if sparse.issparse(rows) else rows)
