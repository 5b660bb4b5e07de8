"""Weights of members by their quality and their diversity."""

from typing import Any

import numpy as np

from consilience._utils._declare import Real, check_parameters
from consilience._utils._types import Array
from consilience.diagnose._member_agreement import MemberAgreement, member_agreement, voiced_mean
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError

# A member without any agreement gets this fraction of the best quality, so that weights are positive.
_LEAST = 0.01
# Two members can be copies only if they share so many of the objects of the one that knows fewer.
COPIED_SHARE = 0.9


def member_weights(ensemble: Any, *, threshold: float = 0.95) -> Array:
    """Compute weights: larger for members that agree with others, smaller for near copies.

    A member that agrees with many others is likely to be right. A copy of another member is no further
    evidence, so copies together have the weight of one member.

    Parameters
    ----------
    ensemble : Ensemble or array-like of labels
        The members.
    threshold : float, default 0.95
        NMI from which on two members begin to be copies, below 1.

    Returns
    -------
    array (r,)
        Positive weights of mean 1, for `Ensemble.with_weights`; 0 where the ensemble has weight 0, and
        1 for a member that knows nothing (no weight matters there). Neither counts in the mean.

    See Also
    --------
    select_members : Leave members out instead.
    member_report : Name the copies.

    Notes
    -----
    With s_jl = max(0, (NMI_jl - threshold) / (1 - threshold)), how far l is a copy of j (s_jj = 1)::

        c_j = sum over l of s_jl                                    copies of j, itself included
        q_j = mean over l of NMI_jl, weighted by (1 - s_jl) / c_l   quality: others, copies as one
        w_j proportional to q_j / c_j

    In q_j the members l also count by the weight they have and by the objects shared. An ensemble of
    copies gets equal weights. Members that share less than 90 % of the objects of the one that knows
    fewer are not copies: s_jl = 0. Members of quality below 1 % of the best, such as those of a single
    cluster, are raised to 1 %; if no two members agree, all q_j are 1. O(n r^2). Soft members are
    compared by their most likely labels.

    Examples
    --------
    >>> from consilience.diagnose import member_weights
    >>> members = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]
    >>> member_weights(members).round(2).tolist()
    [0.77, 0.77, 1.03, 1.44]
    """
    check_parameters("member_weights", {"threshold": Real(0)}, {"threshold": threshold})
    if threshold >= 1:
        raise InvalidParameterError(
            f"member_weights: threshold must be a number from 0 to below 1; got {threshold!r}."
        )
    ensemble = Ensemble.from_labels(ensemble)
    agreement = member_agreement(ensemble)
    copied = _copied(agreement, threshold)
    n_copies = copied.sum(axis=1)
    voices = (1 - copied) * agreement.shared * (ensemble.weights * agreement.counted / n_copies)
    np.fill_diagonal(voices, 0.0)
    quality = _filled(voiced_mean(agreement.nmi, voices), agreement)
    weights = np.maximum(quality, _LEAST * quality[agreement.counted].max()) / n_copies
    weights /= weights[agreement.counted].mean()
    return np.where(agreement.counted, weights, np.where(ensemble.weights > 0, 1.0, 0.0))


def can_be_copies(agreement: MemberAgreement) -> Array:
    """Say which pairs know so much in common that they can be copies, (r, r)."""
    known = np.diagonal(agreement.shared)
    smaller = np.minimum(known[:, None], known)
    possible = (agreement.shared > 0) & (agreement.shared >= COPIED_SHARE * smaller)
    return np.asarray(possible & agreement.counted[:, None] & agreement.counted)


def _copied(agreement: MemberAgreement, threshold: float) -> Array:
    nearness = np.maximum(agreement.known_nmi() - threshold, 0) / (1 - threshold)
    copied = np.where(can_be_copies(agreement), nearness, 0.0)
    np.fill_diagonal(copied, 1.0)
    return copied


def _filled(quality: Array, agreement: MemberAgreement) -> Array:
    """Members that only have copies get quality 1; members that share no objects get the mean."""
    only_copies = ~np.isfinite(quality) & np.isfinite(agreement.quality)
    quality = np.where(only_copies, 1.0, quality)
    known = quality[np.isfinite(quality) & agreement.counted]
    if not len(known) or known.max() <= 0:
        return np.ones(len(quality))
    return np.where(np.isfinite(quality), quality, known.mean())
