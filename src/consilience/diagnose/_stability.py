"""Stability of a consensus under resampling."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.utils import _safe_indexing

from consilience._utils._declare import Declaration, Integer, Optional, Share, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction
from consilience.diagnose._members import mean_of_known
from consilience.diagnose._reruns import (
    FUNCTION_PARAMETERS,
    consensus_labels,
    counted_members,
    rerun,
    seeded,
    steps_of,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics.internals import ari_from_squares, squares, sums_between_members

_SHARE_OF_OBJECTS = 0.8
# Hennig: clusters that are found again below this mean Jaccard coefficient should not be trusted.
_DISSOLVED = 0.6
_PARAMETERS: dict[str, Declaration] = {
    "n_repeats": Integer(2),
    "fraction": Optional(Share()),
    **FUNCTION_PARAMETERS,
}


@dataclass(frozen=True, eq=False)
class Stability:
    """How far the consensus of resamples (b of them) is that of everything.

    labels             (n,) the consensus of everything, K clusters; -1 where nothing is known
    with_full          (b,) ARI of every run with it, on the objects that both label
    between_repeats    (b, b) ARI between runs
    mean, spread       mean and standard deviation of `with_full`
    mean_between       mean over the pairs of runs
    spread_between     standard deviation over the pairs of runs
    cluster_jaccard    (b, K) best Jaccard coefficient of every cluster in every run; NaN where the run
                       knows none of its objects
    cluster_stability  (K,) its mean over the runs; above 0.85 is very stable, below 0.6 doubtful
    object_stability   (n,) share of the runs that know an object in which it stays with its cluster;
                       NaN if no run knows it
    resampled          "members" or "objects"
    """

    labels: Array
    with_full: Array
    between_repeats: Array
    mean: float
    spread: float
    mean_between: float
    spread_between: float
    cluster_jaccard: Array
    cluster_stability: Array
    object_stability: Array
    resampled: str

    def __str__(self) -> str:
        least = float(np.nanmin(self.cluster_stability))
        worst = int(np.nanargmin(self.cluster_stability))
        verdict = ", too little to be trusted" if least < _DISSOLVED else ""
        return (
            f"{len(self.with_full)} runs on resampled {self.resampled} agree with the consensus at a "
            f"mean ARI of {self.mean:.3f} (standard deviation {self.spread:.3f}) and with each other at "
            f"{self.mean_between:.3f}; the least stable cluster is {worst} (mean Jaccard coefficient "
            f"{least:.3f}{verdict})."
        )


def stability(
    ensemble: Any,
    function: ConsensusFunction,
    X: Any = None,
    *,
    n_repeats: int = 50,
    fraction: float | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> Stability:
    """Repeat a consensus function on resamples and measure how much of the result stays the same.

    From an ensemble, the members are resampled: would other members of the same kind have led to the
    same consensus? From a generator and its data, the objects are: members are made anew from a part of
    the rows, so that all steps from data to consensus are repeated.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels, or a generator
        The members, or what makes them from X: a generator, or a pipeline that ends with one.
    function : ConsensusFunction
        The function to run, unfitted; fitted copies are not kept.
    X : array (n, d), sparse matrix, or data frame, optional
        The data, for a generator.
    n_repeats : int, default 50
        Resamples, at least 2.
    fraction : float or None, default None
        Fraction of the members or objects in a resample, drawn without repetition. None: as many members
        as there are, drawn with repetition (bootstrap); 0.8 of the objects.
    random_state : int, generator or None, default None
        Decides the resamples, and gives function and generator their seeds unless they have one; with a
        seed of their own every run uses that same one.
    n_jobs : int or None, default None
        Runs made in parallel; see joblib. Results do not depend on it.
    verbose : int or None, default None
        None: a progress bar on a terminal; 0: none; 1: always.

    Returns
    -------
    Stability
        Agreement of the runs with the whole and with each other, by cluster and by object.

    See Also
    --------
    enough_members : How the agreement grows with the number of members.

    Notes
    -----
    Costs n_repeats + 1 times the consensus (and the generation) and O(n b^2) for the b runs, whose
    labels are held in memory. Partitions are compared on the objects that both label: those in the
    resample of which some member knows something. Members of weight 0 and those without labels are
    not drawn.
    Generators keep no checkpoint here.

    Cluster stability is the mean over the runs of the largest Jaccard coefficient that any cluster of
    the run has with the cluster [hennig2007]_. For objects the clusters are matched one to one, so that
    an object of a cluster that was merged into another does not count as stable. A stable consensus
    may still be wrong.

    References
    ----------
    [hennig2007]_

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> from consilience.datasets import make_planted_ensemble
    >>> from consilience.diagnose import stability
    >>> ensemble, _ = make_planted_ensemble(100, 20, 3, noise=0.1, random_state=0)
    >>> result = stability(ensemble, IPC(n_clusters=3), n_repeats=10, random_state=0)
    >>> result.mean > 0.9, result.cluster_stability.shape
    (True, (3,))
    """
    check_parameters("stability", _PARAMETERS, locals())
    first, *streams = spawn(random_state, n_repeats + 1)
    from_data = hasattr(ensemble, "fit_transform")
    if from_data != (X is not None):
        raise InvalidInputError(
            "stability: pass an ensemble alone, or a generator together with X, the data it is to "
            f"cluster; got {type(ensemble).__name__} {'without' if X is None else 'with'} X."
        )
    if from_data:
        full = _consensus_of_rows(function, ensemble, X, first)
        run = partial(_resample_rows, function, ensemble, X, fraction or _SHARE_OF_OBJECTS)
    else:
        ensemble = Ensemble.from_labels(ensemble).with_ids(None)
        full = consensus_labels(function, ensemble, first)
        run = partial(_resample_members, function, ensemble, fraction)
    tasks = [partial(run, stream) for stream in streams]
    runs = rerun(tasks, "stability", n_jobs=n_jobs, verbose=verbose)
    return _summary(full, runs, "objects" if from_data else "members")


def _resample_members(
    function: ConsensusFunction,
    ensemble: Ensemble,
    share: float | None,
    stream: np.random.Generator,
) -> Array:
    candidates = counted_members(ensemble)
    size = len(candidates) if share is None else max(1, round(share * len(candidates)))
    drawn = np.sort(stream.choice(candidates, size, replace=share is None))
    return consensus_labels(function, _with_repeats(ensemble, drawn), stream)


def _with_repeats(ensemble: Ensemble, drawn: Array) -> Ensemble:
    """Keep the drawn members, a member drawn twice as two members: not every function takes weights."""
    members, times = np.unique(drawn, return_counts=True)
    resample = ensemble.select(members)
    for repeat in range(2, int(times.max()) + 1):
        again = ensemble.select(members[times >= repeat])
        names = [f"{name} #{repeat}" for name in again.names]
        resample = resample.append(again, names=names)
    return resample


def _resample_rows(
    function: ConsensusFunction, generator: Any, X: Any, share: float, stream: np.random.Generator
) -> Array:
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    rows = np.sort(stream.choice(n_samples, max(1, round(share * n_samples)), replace=False))
    labels = np.full(n_samples, -1, dtype=np.int32)
    labels[rows] = _consensus_of_rows(function, generator, _safe_indexing(X, rows), stream)
    return labels


def _consensus_of_rows(
    function: ConsensusFunction, generator: Any, X: Any, stream: np.random.Generator
) -> Array:
    """Generate members and combine them."""
    fitted = seeded(generator, stream)
    labels = fitted.fit_transform(X)
    members = getattr(steps_of(fitted)[-1], "ensemble_", labels)
    return consensus_labels(function, Ensemble.from_labels(members), stream)


def _summary(full: Array, runs: list[Array], resampled: str) -> Stability:
    found = [match_clusters(full, labels) for labels in runs]
    jaccard, n_stayed, n_known = (np.array(part) for part in zip(*found, strict=True))
    similarity = _pairwise_ari([full, *runs])
    with_full, between = similarity[0, 1:], similarity[1:, 1:]
    pairs = between[np.triu_indices(len(runs), 1)]
    return Stability(
        labels=full,
        with_full=with_full,
        between_repeats=between,
        mean=mean_of_known(with_full),
        spread=_spread(with_full),
        mean_between=mean_of_known(pairs),
        spread_between=_spread(pairs),
        cluster_jaccard=jaccard,
        cluster_stability=_ratio(np.nansum(jaccard, axis=0), np.isfinite(jaccard).sum(axis=0)),
        object_stability=_ratio(n_stayed.sum(axis=0), n_known.sum(axis=0)),
        resampled=resampled,
    )


def match_clusters(labels: Array, others: Array) -> tuple[Array, Array, Array]:
    """Look for the clusters of `labels`, 0 .. K-1, in another partition; -1 = not known.

    jaccard  (K,) largest Jaccard coefficient of every cluster with a cluster of the other partition, on
             the objects that both label; NaN if the other knows none of its objects
    stayed   (n,) whether an object is in the partner of its cluster, under the best one-to-one matching
    known    (n,) whether both partitions know the object
    """
    known = (labels >= 0) & (others >= 0)
    n_clusters, n_others = int(labels.max()) + 1, int(others.max()) + 1
    table = np.zeros((n_clusters, max(1, n_others)))
    np.add.at(table, (labels[known], others[known]), 1)
    sizes = table.sum(axis=1)
    jaccard = _ratio(table, sizes[:, None] + table.sum(axis=0) - table, 0.0)
    rows, columns = linear_sum_assignment(jaccard, maximize=True)
    partner = np.full(n_clusters, -1)
    partner[rows] = columns
    stayed = known & (others == partner[np.maximum(labels, 0)])
    return np.where(sizes > 0, jaccard.max(axis=1), np.nan), stayed, known


def _ratio(above: Array, below: Array, otherwise: float = np.nan) -> Array:
    return np.where(below > 0, above / np.maximum(below, 1), otherwise)


def _pairwise_ari(partitions: list[Array]) -> Array:
    """ARI of all pairs from one overlap matrix; NaN where two know no object in common."""
    sums = sums_between_members(Ensemble(np.column_stack(partitions)), squares)
    return np.where(sums.total > 0, ari_from_squares(*sums), np.nan)


def _spread(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else np.nan
