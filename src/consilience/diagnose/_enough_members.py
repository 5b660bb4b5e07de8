"""How many members are enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from consilience._utils._declare import (
    Declaration,
    Integer,
    Integers,
    Optional,
    Real,
    check_parameters,
)
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction
from consilience.diagnose._reruns import (
    FUNCTION_PARAMETERS,
    agreement,
    consensus_labels,
    counted_members,
    rerun,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError

_DEFAULT_SIZES = 12
# Below this ARI two consensus partitions have little in common, however flat the curve.
_POOR = 0.5
_PARAMETERS: dict[str, Declaration] = {
    "sizes": Optional(Integers(1)),
    "n_repeats": Integer(2),
    "tolerance": Real(0),
    **FUNCTION_PARAMETERS,
}


@dataclass(frozen=True, eq=False)
class EnoughMembers:
    """The curve of agreement against the number of members, and where it becomes flat.

    n_members         members of the ensemble that count
    sizes             (s,) numbers of members m, ascending
    agreement         (s, repeats) ARI between the consensus of m members and that of m others; NaN where
                      the two know no object in common
    mean              (s,) its mean over the repeats
    standard_error    (s,) of this mean
    fitted            (s,) the non-decreasing curve nearest to the mean, to which the rule is applied
    with_full         (s, repeats) ARI of such a consensus with that of all members, mean of the two
    mean_with_full    (s,) its mean; the members are part of all, so that it grows towards 1 by itself
    remaining_gain    (s,) fitted at the last size minus fitted here
    tolerance         what counts as flat
    enough            smallest size whose remaining gain is below the tolerance; None if that is the last
                      and the curve may still rise
    """

    n_members: int
    sizes: Array
    agreement: Array
    mean: Array
    standard_error: Array
    fitted: Array
    with_full: Array
    mean_with_full: Array
    remaining_gain: Array
    tolerance: float
    enough: int | None

    def __str__(self) -> str:
        last = int(self.sizes[-1])
        if self.enough is None:
            return (
                f"{last} of {self.n_members} members may not be enough: the agreement of disjoint draws "
                f"is an ARI of {self.mean[-1]:.3f} at {last} members and still grows by "
                f"{self.remaining_gain[-2]:.3f} from {self.sizes[-2]}."
            )
        mean = float(self.mean[self.sizes == self.enough][0])
        doubt = ", which is poor" if mean < _POOR else ""
        verb = "are" if self.enough > 1 else "is"
        return (
            f"{self.enough} of {self.n_members} members {verb} enough: disjoint draws of this "
            f"size agree at a mean ARI of {mean:.3f}{doubt}, and more members, tried up to {last}, add "
            f"less than {self.tolerance:g}."
        )


def enough_members(
    ensemble: Any,
    function: ConsensusFunction,
    *,
    sizes: Sequence[int] | None = None,
    n_repeats: int = 10,
    tolerance: float = 0.02,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> EnoughMembers:
    """Find the number of members from which on more of them change little.

    Two consensus partitions of m members each, none in common, agree better if there are more
    members. Where the curve of their agreement becomes flat, more members do not improve the consensus.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members, at least 4 that count.
    function : ConsensusFunction
        The function to run, unfitted.
    sizes : sequence of int or None, default None
        Numbers of members to try, two or more, up to half of them, since the two draws are disjoint;
        None: about a dozen from 1 to half, in equal ratios.
    n_repeats : int, default 10
        Pairs of draws per size, at least 2.
    tolerance : float, default 0.02
        Gain in ARI that is not worth more members.
    random_state : int, generator or None, default None
        Decides the draws, and gives the function its seeds unless it has one.
    n_jobs : int or None, default None
        Pairs of draws made in parallel; see joblib. Results do not depend on it.
    verbose : int or None, default None
        None: a progress bar on a terminal; 0: none; 1: always.

    Returns
    -------
    EnoughMembers
        The curve, its standard errors, and the answer.

    See Also
    --------
    stability : By cluster and by object.
    select_members : Which members to keep.

    Notes
    -----
    The stopping rule: a non-decreasing curve C is fitted to the means by least squares (isotonic
    regression), since in expectation more members do not agree worse. The answer is the smallest size m
    with C(last size) - C(m) < tolerance; as C does not decrease, no later size has more to gain. The
    last size passes trivially; if it is the only one there is no answer, for the curve may go on
    rising, unless 1 - C(last size) < tolerance: then there is nothing left to gain.

    The cost is 2 n_repeats fits per size and one fit on all members. Partitions are compared on the
    objects that both draws label. Members of weight 0 and those without labels are not drawn. A flat
    curve says that more members of the same kind do not help, not that the consensus is right.

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> from consilience.datasets import make_planted_ensemble
    >>> from consilience.diagnose import enough_members
    >>> ensemble, _ = make_planted_ensemble(100, 24, 3, noise=0.15, random_state=0)
    >>> curve = enough_members(ensemble, IPC(3), n_repeats=3, random_state=0)
    >>> curve.sizes.tolist(), curve.enough
    ([1, 2, 3, 4, 5, 6, 8, 10, 12], 6)
    """
    check_parameters("enough_members", _PARAMETERS, locals())
    ensemble = Ensemble.from_labels(ensemble)
    n_members = len(counted_members(ensemble))
    tried = _read_sizes(sizes, n_members)
    first, *streams = spawn(random_state, 1 + len(tried) * n_repeats)
    full = consensus_labels(function, ensemble, first)
    tasks = [
        partial(_draw_twice, function, ensemble, full, int(size), stream)
        for size, stream in zip(np.repeat(tried, n_repeats), streams, strict=True)
    ]
    runs = rerun(tasks, "enough_members", n_jobs=n_jobs, verbose=verbose)
    figures = np.array(runs).reshape(len(tried), n_repeats, 2)
    return _summary(n_members, tried, figures[..., 0], figures[..., 1], float(tolerance))


def _read_sizes(sizes: Sequence[int] | None, n_members: int) -> Array:
    largest = n_members // 2
    if n_members < 4:
        raise InvalidInputError(
            "enough_members: the ensemble must have at least 4 members that know something and have a "
            f"weight above 0; got {n_members}."
        )
    if sizes is None:
        return np.unique(np.round(np.geomspace(1, largest, _DEFAULT_SIZES)).astype(int))
    tried = np.unique(np.asarray(sizes, dtype=int))
    if len(tried) < 2 or tried[-1] > largest:
        raise InvalidParameterError(
            f"enough_members: sizes must hold at least two different integers from 1 to {largest}, half "
            f"of the {n_members} members, since two draws are disjoint; got {sizes!r}."
        )
    return tried


def _draw_twice(
    function: ConsensusFunction,
    ensemble: Ensemble,
    full: Array,
    size: int,
    stream: np.random.Generator,
) -> tuple[float, float]:
    """Return the agreement of two disjoint draws, and their mean agreement with everything."""
    drawn = stream.permutation(counted_members(ensemble))[: 2 * size]
    one, two = (
        consensus_labels(function, ensemble.select(np.sort(half)), stream)
        for half in (drawn[:size], drawn[size:])
    )
    return agreement(one, two), (agreement(one, full) + agreement(two, full)) / 2


def _summary(
    n_members: int, sizes: Array, between: Array, with_full: Array, tolerance: float
) -> EnoughMembers:
    from sklearn.isotonic import isotonic_regression

    n_known = np.isfinite(between).sum(axis=1)
    mean, error = _mean_and_error(between)
    usable = np.flatnonzero(n_known)
    fitted = np.full(len(sizes), np.nan)
    gain, enough = fitted, None
    if len(usable):
        fitted[usable] = isotonic_regression(mean[usable], sample_weight=n_known[usable])
        last = usable[-1]
        gain = fitted[last] - fitted
        flat = np.flatnonzero(gain < tolerance)
        first = flat[0] if len(flat) else last
        if first < last or 1 - fitted[last] < tolerance:
            enough = int(sizes[first])
    return EnoughMembers(
        n_members=n_members,
        sizes=sizes,
        agreement=between,
        mean=mean,
        standard_error=error,
        fitted=fitted,
        with_full=with_full,
        mean_with_full=_mean_and_error(with_full)[0],
        remaining_gain=gain,
        tolerance=tolerance,
        enough=enough,
    )


def _mean_and_error(table: Array) -> tuple[Array, Array]:
    """Mean of every row and its standard error, over the entries that are known."""
    known = np.ma.masked_invalid(table)
    error = np.ma.sqrt(known.var(axis=1, ddof=1) / known.count(axis=1))
    return known.mean(axis=1).filled(np.nan), error.filled(np.nan)
