"""Selection of members."""

from typing import Any

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real, Seed, check_parameters
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.diagnose._members import member_agreement
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.partition import njw_dense

_TIE = 1e-12
_RESTARTS, _ROUNDS = 10, 100
_PARAMETERS: dict[str, Declaration] = {
    "n_members": Integer(1),
    "method": Choice("joint", "cluster"),
    "balance": Real(0, 1),
    "random_state": Seed(),
}


def select_members(
    ensemble: Any,
    n_members: int,
    *,
    method: str = "joint",
    balance: float = 0.5,
    random_state: RandomState = None,
) -> Array:
    """Choose members that are good and different.

    A part of the members often gives a better consensus than all of them, if it keeps the good ones and
    drops repetitions. What is good is judged by the ensemble itself: the quality of a member is its mean
    NMI with the others, the diversity of a pair 1 - NMI.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members to choose from.
    n_members : int
        How many to choose.
    method : {"joint", "cluster"}, default "joint"
        "joint" starts from the best member and adds, one at a time, the one that makes balance * (mean
        quality) + (1 - balance) * (mean diversity of pairs) of the chosen largest. "cluster" groups the
        members by spectral clustering of their NMI matrix and takes the best of every group.
    balance : float, default 0.5
        Share of quality in "joint", from 0 to 1.
    random_state : int, generator or None, default None
        Starts of the k-means of "cluster".

    Returns
    -------
    array of int
        Positions of the chosen members, for `Ensemble.select`; "joint" in the order of choice, "cluster"
        ascending.

    See Also
    --------
    member_weights : Keep all members, by weight.
    member_report : Redundant and outlying members by name.
    diversity_quality : How good and how different the members are, before and after.

    Notes
    -----
    O(n r^2) for the NMI matrix. Members of weight 0 and those without labels are never chosen. Ties
    go to the member that comes first. Pairs of members that share no object are treated as an average
    pair. If the members fall into fewer groups than asked, the best of the others fill up. The
    paper sums over the chosen; means keep the two terms comparable at every size. Soft members are
    compared by their most likely labels.

    References
    ----------
    [fern2008]_

    Examples
    --------
    >>> from consilience.diagnose import select_members
    >>> members = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1]]
    >>> select_members(members, 2, balance=0.8).tolist()
    [0, 2]
    """
    check_parameters("select_members", _PARAMETERS, locals())
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    candidates = np.flatnonzero(agreement.counted)
    if n_members > len(candidates):
        raise InvalidParameterError(
            f"select_members: n_members must be an integer from 1 to {len(candidates)}, the number of "
            f"members that count; got {n_members}."
        )
    quality = agreement.known_quality()[candidates]
    nmi = agreement.known_nmi()[np.ix_(candidates, candidates)]
    if method == "joint":
        chosen = _jointly(quality, nmi, n_members, balance)
    else:
        rng = np.random.default_rng(seed_sequence(random_state))
        chosen = _best_of_groups(quality, nmi, n_members, rng)
    return np.asarray(candidates[chosen])


def _jointly(quality: Array, nmi: Array, n_members: int, balance: float) -> Array:
    """Greedy choice by the joint criterion, O(r) a step from sums that are kept."""
    chosen = [_first_best(quality)]
    free = np.ones(len(quality), dtype=bool)
    good, apart, to_chosen = 0.0, 0.0, np.zeros(len(quality))
    while len(chosen) < n_members:
        last = chosen[-1]
        free[last] = False
        good += quality[last]
        apart += to_chosen[last]
        to_chosen += 1 - nmi[last]
        size = len(chosen) + 1
        mean_diversity = (apart + to_chosen) / (size * (size - 1) / 2)
        criterion = balance * (good + quality) / size + (1 - balance) * mean_diversity
        chosen.append(_first_best(np.where(free, criterion, -np.inf)))
    return np.array(chosen)


def _best_of_groups(quality: Array, nmi: Array, n_members: int, rng: np.random.Generator) -> Array:
    """Cluster and select: the best member of every group."""
    groups = np.arange(len(quality))
    if n_members < len(quality):
        groups = njw_dense(nmi, n_members, n_init=_RESTARTS, max_iter=_ROUNDS, rng=rng).labels
    chosen = [
        _first_best(np.where(groups == group, quality, -np.inf)) for group in np.unique(groups)
    ]
    while len(chosen) < n_members:
        rest = quality.copy()
        rest[chosen] = -np.inf
        chosen.append(_first_best(rest))
    return np.sort(chosen)


def _first_best(values: Array) -> int:
    return int(np.argmax(values >= values.max() - _TIE))
