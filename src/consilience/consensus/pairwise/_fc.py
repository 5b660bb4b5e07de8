"""FC: furthest consensus."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.ensemble import Ensemble
from consilience.incidence.internals import TIE_TOLERANCE
from consilience.partition import PairSimilarity


class FC(ConsensusFunction):
    """Furthest consensus.

    The two objects that the fewest members put together become centres, then, until there are K, the
    object that is least similar to all centres; every object joins the centre it is most similar to.

    The similarity S_ik of objects is the summed weight of the members that put i and k together, over
    the weight of all members. A new centre has the smallest max over the centres k of S_ik.


    See Also
    --------
    HAC : Uses all pairs, so a few outliers matter less.
    IPC : Compares with whole clusters instead of single centres.

    Notes
    -----
    O(q r) time for q distinct rows if some pair has similarity 0, which is usual, because the search
    for the first pair stops there; O(q^2 r) in the worst case; then O(K q r). Memory O(q r). Ties, of
    which there are many: the first pair in the order of the objects, the first object, the earliest
    centre.

    Fast, but its centres are outliers: with noisy members they do not represent clusters.

    A missing label agrees with no label. Identical objects are nevertheless treated as identical: none
    of them becomes a second centre, and a centre belongs to its own cluster. Objects of weight 0
    cannot become centres.

    References
    ----------
    [nguyen2007]_, section 3.1; [gionis2007]_

    Examples
    --------
    >>> from consilience.consensus import FC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> FC(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {"n_clusters": Integer(1)}
    capabilities: ClassVar[Capabilities] = Capabilities(soft=False, cost="quadratic")

    def __init__(self, n_clusters: int = 8) -> None:
        self.n_clusters = n_clusters

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        profiles = ensemble.profiles()
        distinct = profiles.ensemble
        candidates = np.flatnonzero(profiles.multiplicity > 0)
        if n_clusters == 1 or len(candidates) == 1:
            return Outcome(np.zeros(ensemble.n_samples, dtype=np.int32))
        weights = distinct.column_weights
        pairs = PairSimilarity(distinct, weights)
        nearest = np.full(distinct.n_samples, -np.inf)
        labels = np.zeros(distinct.n_samples, dtype=np.int32)
        centres = furthest_pair(pairs, candidates, floor=_shared_by_all(distinct))
        for k in range(min(n_clusters, len(candidates))):
            if k >= len(centres):
                centres.append(int(candidates[_first_smallest(nearest[candidates])]))
            similarity = pairs.row(centres[k]) / pairs.total
            similarity[centres[k]] = np.inf
            nearer = similarity > nearest + TIE_TOLERANCE
            nearest[nearer] = similarity[nearer]
            labels[nearer] = k
        return Outcome(labels[profiles.inverse])


def furthest_pair(pairs: PairSimilarity, candidates: Array, *, floor: float) -> list[int]:
    """Return the least similar pair of candidates; stop at the first pair with similarity `floor`."""
    slack = TIE_TOLERANCE * pairs.total
    least, pair = np.inf, [-1, -1]
    for position, i in enumerate(candidates[:-1]):
        others = candidates[position + 1 :]
        shared = pairs.row(int(i), start=int(i) + 1)[others - i - 1]
        place = _first_smallest(shared / pairs.total)
        if shared[place] < least - slack:
            least, pair = float(shared[place]), [int(i), int(others[place])]
        if least <= floor + slack:
            break
    return pair


def _shared_by_all(ensemble: Ensemble) -> float:
    """Weight of the members that have a single cluster: a lower bound of all similarities."""
    constant = (ensemble.n_clusters == 1) & (ensemble.n_observed == ensemble.n_samples)
    return float(ensemble.weights[constant].sum())


def _first_smallest(values: Array) -> int:
    return int(np.argmax(values <= values.min() + TIE_TOLERANCE))
