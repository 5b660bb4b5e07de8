"""BEST: the best of the members."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Optional
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus._criteria import Criterion, CriterionFunction, Judge, JudgedFunction
from consilience.ensemble import Ensemble, start_from_member
from consilience.metrics import best_member, consensus_rand

# Values that differ by less, relative to max(1, |largest|), are ties.
_TIE = 1e-12
# Criteria that are computed from the overlaps of all members.
_PAIRWISE = ("rand", "anmi")


class BEST(JudgedFunction):
    """The member that agrees best with all members.

    The simplest consensus and a baseline for all others: no new partition is made. Its mean Rand
    distance to the members is at most 2 (1 - 1/r) times that of the best possible partition.

    Parameters
    ----------
    n_clusters : int or None, default None
        Consider only members with this many clusters; None considers all. If no member has this
        number, the clusters of the best member are merged or split.
    criterion : name or callable, default "rand"
        "rand": smallest mean Rand distance to the members; "anmi": largest mean NMI; "confidence",
        "information" or "combined", as in `Supra`; or the largest ``criterion(labels, ensemble)``, such
        as `consilience.metrics.KnownClasses`. Ties: the first member.

    Attributes
    ----------
    labels_ : array (n,)
        The member's clustering, 0, 1, ... by first appearance.
    member_ : str
        Its name.
    objective_ : float
        Its consensus Rand distance; its criterion if that is neither "rand" nor "anmi".
    uses_classes_

    See Also
    --------
    consilience.metrics.best_member : The choice alone.

    Notes
    -----
    O(n r^2) for the overlaps of all members. Objects that the member does not label join the cluster
    whose most frequent labels are nearest to theirs.

    References
    ----------
    [nguyen2007]_, section 3.6

    Examples
    --------
    >>> from consilience.consensus import BEST
    >>> BEST().fit([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).member_
    'member_0'
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Optional(Integer(1)),
        "criterion": Criterion(*_PAIRWISE),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(finds_n_clusters=True)

    def __init__(
        self, n_clusters: int | None = None, *, criterion: str | CriterionFunction = "rand"
    ) -> None:
        self.n_clusters = n_clusters
        self.criterion = criterion

    def _consensus(  # type: ignore[override]
        self,
        ensemble: Ensemble,
        n_clusters: int | None,
        rng: np.random.Generator,  # noqa: ARG002
        judge: Judge,
    ) -> Outcome:
        fitting = (
            ensemble.n_clusters > 0 if n_clusters is None else ensemble.n_clusters == n_clusters
        )
        among = np.flatnonzero(fitting) if fitting.any() else None

        def clustering(member: int) -> Array:
            kept = int(ensemble.n_clusters[member]) if n_clusters is None else n_clusters
            return start_from_member(ensemble, member, kept)

        if self.criterion in _PAIRWISE:
            member = best_member(ensemble, criterion=self.criterion, among=among)
            labels = clustering(member)
            objective = consensus_rand(labels, ensemble)
        else:
            candidates = np.flatnonzero(ensemble.n_clusters) if among is None else among
            values = np.array([judge(clustering(int(member))) for member in candidates])
            objective = float(values.max())
            near = objective - _TIE * max(1.0, abs(objective))
            member = int(candidates[np.argmax(values >= near)])
            labels = clustering(member)
        return Outcome(labels, objective=objective, attributes={"member_": ensemble.names[member]})
