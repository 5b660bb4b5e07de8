"""Selection of members."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Optional,
    Real,
    Seed,
    check_parameters,
)
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.diagnose._member_agreement import MemberAgreement, member_agreement
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.partition import njw_dense

_TIE = 1e-12
_RESTARTS, _ROUNDS = 10, 100


@dataclass(frozen=True, eq=False)
class Selection:
    """Some members of an ensemble.

    positions     their positions, "joint" in the order of choice, else ascending
    ensemble      the ensemble of these members, in this order
    quality       (r,) mean NMI of every member of the whole ensemble with the others
    mean_quality  (whole, selected) mean quality
    mean_nmi      (whole, selected) mean NMI between two members; smaller is more diverse, NaN for one
    method        how they were chosen
    """

    positions: Array
    ensemble: Ensemble
    quality: Array
    mean_quality: tuple[float, float]
    mean_nmi: tuple[float, float]
    method: str

    def __str__(self) -> str:
        return (
            f"{len(self.positions)} of {len(self.quality)} members selected ({self.method}): mean NMI "
            f"with the other members {self.mean_quality[1]:.3f} against {self.mean_quality[0]:.3f} of "
            f"all, between two selected ones {self.mean_nmi[1]:.3f} against {self.mean_nmi[0]:.3f}."
        )


def select_members(
    ensemble: Any,
    n_members: int | None = None,
    *,
    method: str = "joint",
    balance: float = 0.5,
    random_state: RandomState = None,
) -> Selection:
    """Choose members that are good and different.

    A part of the members often gives a better consensus than all of them, if it keeps the good ones and
    drops repetitions. What is good is judged by the ensemble itself: the quality of a member is its mean
    NMI with the others, the diversity of a pair 1 - NMI.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members to choose from.
    n_members : int or None, default None
        How many to choose; needed by "joint" and "cluster", and not taken by "hull".
    method : {"joint", "cluster", "hull"}, default "joint"
        "joint" starts from the best member and adds, one at a time, the one that makes balance * (mean
        quality) + (1 - balance) * (mean diversity of pairs) of the chosen largest. "cluster" groups the
        members by spectral clustering of their NMI matrix and takes the best of every group. "hull"
        takes the members of the pairs on the convex hull of the cloud of pairs (mean quality, NMI), on
        its side of high quality and low NMI; its size follows from the data.
    balance : float, default 0.5
        Share of quality in "joint", from 0 to 1.
    random_state : int, generator or None, default None
        Starts of the k-means of "cluster".

    Returns
    -------
    Selection
        Positions and the ensemble of the chosen members.

    See Also
    --------
    member_weights : Keep all members, by weight.
    member_report : Redundant and outlying members by name.

    Notes
    -----
    O(n r^2) for the NMI matrix. Members of weight 0 and those without labels are never chosen. Ties
    go to the member that comes first; among pairs at the same point of the hull the first is taken.
    Pairs of members that share no object are treated as an average pair; on the hull they
    are left out. If the members fall into fewer groups than asked, the best of the others fill up. The
    paper sums over the chosen; means keep the two terms comparable at every size. Soft members are
    compared by their most likely labels.

    References
    ----------
    [fern2008]_

    Examples
    --------
    >>> from consilience.diagnose import select_members
    >>> members = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1]]
    >>> select_members(members, 2, balance=0.8).positions.tolist()
    [0, 2]
    """
    declared: dict[str, Declaration] = {
        "n_members": Optional(Integer(1)),
        "method": Choice("joint", "cluster", "hull"),
        "balance": Real(0),
        "random_state": Seed(),
    }
    given = {
        "n_members": n_members,
        "method": method,
        "balance": balance,
        "random_state": random_state,
    }
    check_parameters("select_members", declared, given)
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    candidates = np.flatnonzero(agreement.counted)
    _check_number(n_members, method, balance, len(candidates))
    quality = agreement.known_quality()[candidates]
    nmi = agreement.known_nmi()[np.ix_(candidates, candidates)]
    if method == "hull":
        known = np.isfinite(agreement.nmi[np.ix_(candidates, candidates)])
        chosen = _on_the_hull(quality, nmi, known)
    elif method == "joint":
        chosen = _jointly(quality, nmi, int(n_members or 1), balance)
    else:
        rng = np.random.default_rng(seed_sequence(random_state))
        chosen = _best_of_groups(quality, nmi, int(n_members or 1), rng)
    return _selection(ensemble, candidates[chosen], agreement, method)


def _check_number(n_members: int | None, method: str, balance: float, n_candidates: int) -> None:
    if balance > 1:
        raise InvalidParameterError(
            f"select_members: balance must be a number from 0 to 1; got {balance!r}."
        )
    if method == "hull" and n_members is not None:
        raise InvalidParameterError(
            "select_members: n_members must be None with method='hull', whose size follows from the "
            f"data; got {n_members}."
        )
    if method != "hull" and (n_members is None or n_members > n_candidates):
        raise InvalidParameterError(
            f"select_members: n_members must be an integer from 1 to {n_candidates}, the number of "
            f"members that count, with method={method!r}; got {n_members}."
        )


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
    if n_members == len(quality):
        return np.arange(n_members)
    chosen = []
    if n_members > 1:
        groups = njw_dense(nmi, n_members, n_init=_RESTARTS, max_iter=_ROUNDS, rng=rng).labels
        chosen = [
            _first_best(np.where(groups == group, quality, -np.inf)) for group in np.unique(groups)
        ]
    while len(chosen) < n_members:
        rest = quality.copy()
        rest[chosen] = -np.inf
        chosen.append(_first_best(rest))
    return np.sort(chosen)


def _on_the_hull(quality: Array, nmi: Array, known: Array) -> Array:
    """Members of the pairs on the hull's chain from the lowest NMI to the highest quality."""
    first, second = np.triu_indices(len(quality), 1)
    used = known[first, second]
    first, second = first[used], second[used]
    if not len(first):
        return np.array([_first_best(quality)])
    corners = facing_chain((quality[first] + quality[second]) / 2, nmi[first, second])
    return np.unique([first[corners], second[corners]])


def facing_chain(x: Array, y: Array) -> Array:
    """Return the vertices of the convex hull that face large x and small y.

    From the lowest point (of these, the rightmost) to the rightmost (of these, the lowest), turning
    left all the way (Andrew's monotone chain). Of points at one place the first stands for all.
    """
    order = np.lexsort((np.arange(len(x)), -x, y))
    chain: list[int] = [int(order[0])]
    for point in order[1:]:
        if x[point] <= x[chain[-1]] + _TIE:
            continue  # higher and not further right: behind what is there
        while len(chain) > 1 and _turn(x, y, chain[-2], chain[-1], int(point)) <= _TIE:
            chain.pop()
        chain.append(int(point))
    return np.array(chain)


def _turn(x: Array, y: Array, a: int, b: int, c: int) -> float:
    """Positive where the way a, b, c turns left."""
    return float((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))


def _first_best(values: Array) -> int:
    return int(np.argmax(values >= values.max() - _TIE))


def _selection(
    ensemble: Ensemble, positions: Array, agreement: MemberAgreement, method: str
) -> Selection:
    whole = np.flatnonzero(agreement.counted)
    quality = agreement.quality
    return Selection(
        positions=positions,
        ensemble=ensemble.select(positions),
        quality=quality,
        mean_quality=(_mean(quality[whole]), _mean(quality[positions])),
        mean_nmi=(_mean_of_pairs(agreement.nmi, whole), _mean_of_pairs(agreement.nmi, positions)),
        method=method,
    )


def _mean_of_pairs(nmi: Array, members: Array) -> float:
    return _mean(nmi[np.ix_(members, members)][np.triu_indices(len(members), 1)])


def _mean(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan
