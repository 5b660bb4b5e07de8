"""Plurality voting after relabelling."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from consilience._utils._declare import Declaration, Flag, Integer, Name, Optional
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.ensemble import Ensemble, start_from_member
from consilience.exceptions import InvalidParameterError
from consilience.incidence import StepResult
from consilience.metrics import best_member


class PluralityVoting(ConsensusFunction):
    """Relabel every member to match a reference, then let them vote.

    Cluster names mean nothing, so votes can only be counted after the members' clusters have been
    matched. Each member's clusters are matched one to one with those of a reference so that the
    overlap is largest (linear assignment); then every object gets the label with the most votes.

    The reference is the member that agrees best with all (BEST), merged or split to K clusters. With
    `iterate`, members are matched again to the mean of all, until the mean no longer changes: then the
    sum over members of |M - M_j|^2 is minimised, M the mean membership matrix, M_j the relabelled
    member.

    Parameters
    ----------
    iterate : bool, default False
        Match again to the mean membership, until it no longer changes (soft Euclidean consensus).
    reference : str, optional
        Name of the member to which the others are matched; default the one that agrees best with all.
    max_iter : int, default 100
        Maximum number of iterations of `iterate`.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Overlap of the matched clusters with the reference, as a share of all labels; with `iterate`,
        their overlap with the mean in every iteration, which never decreases.
    n_iter_ : int
        Rounds of matching.

    See Also
    --------
    IVC : Needs no matching.

    Notes
    -----
    O(n r + r K^3) a round. A member's surplus clusters, those without a partner, do not vote (a
    separate label would get only one vote). Ties go to the reference, else to the first label. Vote
    shares of the members are what `predict_proba` returns for the training rows, up to matching.

    References
    ----------
    [dudoit2003]_ (BagClust1: members from bootstrap samples, the reference from all data)

    Examples
    --------
    >>> from consilience.consensus import PluralityVoting
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> PluralityVoting(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "iterate": Flag(),
        "reference": Optional(Name()),
        "max_iter": Integer(1),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        iterate: bool = False,
        reference: str | None = None,
        max_iter: int = 100,
    ) -> None:
        self.n_clusters = n_clusters
        self.iterate = iterate
        self.reference = reference
        self.max_iter = max_iter

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Outcome:
        H = ensemble.incidence
        reference = start_from_member(ensemble, self._reference(ensemble), n_clusters)
        overlaps = H.count(reference, n_clusters)
        votes = _match(overlaps, ensemble)
        history, settled = [_agreement(votes, overlaps, ensemble)], True
        if self.iterate:
            votes, history, settled = self._match_to_the_mean(ensemble, votes)
        labels = H.argmax(votes, reference).labels
        return Outcome(labels, history[-1], history, len(history), settled)

    def _reference(self, ensemble: Ensemble) -> int:
        if self.reference is None:
            return best_member(ensemble)
        if self.reference not in ensemble.names:
            raise InvalidParameterError(
                f"PluralityVoting: reference must be a member with a weight above 0, one of "
                f"{list(ensemble.names)[:5]} ...; got {self.reference!r}."
            )
        return ensemble.names.index(self.reference)

    def _match_to_the_mean(
        self, ensemble: Ensemble, votes: Array
    ) -> tuple[Array, list[float], bool]:
        """Match members to the mean membership of all until the matching no longer changes."""
        H = ensemble.incidence
        observed = H.observed(ensemble.weights)
        history: list[float] = []
        while len(history) < self.max_iter:
            mean = H.sweep(votes, _share_step, (observed,)).scattered()
            following = _match(mean, ensemble)
            history.append(_agreement(following, mean, ensemble))
            if np.array_equal(following, votes):
                return votes, history, True
            votes = following
        return votes, history, False


def _match(overlaps: Array, ensemble: Ensemble) -> Array:
    """Return the (t, K) votes: w_j where a base cluster of member j has a partner."""
    votes = np.zeros(overlaps.shape)
    for j in range(ensemble.n_members):
        own = ensemble.layout.columns(j)
        rows, columns = linear_sum_assignment(overlaps[own], maximize=True)
        votes[own.start + rows, columns] = ensemble.weights[j]
    return votes


def _agreement(votes: Array, overlaps: Array, ensemble: Ensemble) -> float:
    known = ensemble.layout.sum_by_member(ensemble.incidence.sizes)
    return float((votes * overlaps).sum() / (ensemble.weights @ known))


def _share_step(votes: Array, observed: Array) -> StepResult:
    """Mean membership of every object over the members that label it."""
    return StepResult(memberships=votes / observed[:, None])
