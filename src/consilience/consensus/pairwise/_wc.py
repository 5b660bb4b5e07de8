"""WC: weighted consensus clustering."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._doubts import COLLAPSED_WEIGHTS, Doubt
from consilience.consensus._outcome import Outcome
from consilience.consensus.pairwise._symmetric_factors import SymmetricFactors
from consilience.ensemble import Ensemble
from consilience.partition import member_gram, minimise_on_simplex

# Iterations of the factorisation between two updates of the weights, and its tolerance; the total is
# the maximum of NMFC.
_FACTOR_ROUNDS = 10
_FACTOR_TOLERANCE = 1e-5
# A member with more than this share of the weight determines the result alone.
_COLLAPSED = 0.95


class WC(ConsensusFunction):
    """Weighted consensus clustering: members that fit the consensus get larger weights.

    Redundant or poor members should count less. The weights of the members and a factorisation of
    their weighted co-association are updated alternately, so that their difference becomes small.

    Seeks weights w, not negative with sum one, and Q >= 0 (n, K), B >= 0 diagonal, with small
    |sum_j w_j M_j - Q B Q'|^2, where M_j marks the pairs of objects that member j puts together.

    Parameters
    ----------
    max_iter : int, default 50
        Maximum number of updates of the weights.
    tol : float, default 1e-6
        Stop when the weights change by less than this (Euclidean length).
    random_state : int, generator or None
        Draws the k-means++ starts of the first clustering.

    Attributes
    ----------
    weights_ : array (r,)
        The weights found.
    objective_, history_ : float, list of float
        |sum_j w_j M_j - Q B Q'|^2, at the end and after every change of the weights. Updates of the
        weights never increase it; the factorisation may (see NMFC).
    n_iter_ : int
        Number of updates of the weights.

    See Also
    --------
    NMFC : The same with the weights as given.

    Notes
    -----
    O(n r^2) for the overlaps of all base clusters, then O(n r K) per iteration of the factorisation.
    At most ten iterations follow each update of the weights; they continue from the last factors. The
    weights solve a quadratic program in r variables without the objects. Given member weights are the
    start of the search; members of weight 0 are ignored. A member that does not label one of two
    objects does not put them together. Soft members contribute the products of their memberships to
    M_j.

    A single member with at most K clusters is a product Q B Q' itself and brings the objective to
    zero. With such members, a search until convergence therefore gives one of them all the weight and
    returns its partition, with a warning. Stop early (`max_iter` of 1 to 5) to keep several members.

    References
    ----------
    [li2008]_; [li2007]_

    Examples
    --------
    >>> from consilience.consensus import WC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> WC(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(0),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        max_iter: int = 50,
        tol: float = 1e-6,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        layout = ensemble.layout
        gram = member_gram(ensemble.incidence)
        known = ensemble.n_clusters > 0
        weights = ensemble.weights * known / (ensemble.weights @ known)
        factors = SymmetricFactors.of(ensemble, n_clusters, rng)
        history: list[float] = []
        converged = False
        while not converged and len(history) < self.max_iter:
            factors.settle(
                weights[layout.member_of],
                float(weights @ gram @ weights),
                max_iter=_FACTOR_ROUNDS,
                tol=_FACTOR_TOLERANCE,
            )
            overlaps = layout.sum_by_member(factors.base_cluster_overlaps())
            following = np.zeros(len(weights))
            following[known] = minimise_on_simplex(
                gram[np.ix_(known, known)], overlaps[known], weights[known]
            )
            converged = bool(np.linalg.norm(following - weights) < self.tol)
            weights = following
            history.append(
                float(weights @ gram @ weights - 2 * weights @ overlaps + factors.square())
            )
        doubts = []
        if np.count_nonzero(known) > 1 and weights.max() > _COLLAPSED:
            sentence = (
                f"WC gave member {ensemble.names[int(weights.argmax())]!r} {weights.max():.0%} of the "
                "weight: its partition is the result. Stop earlier (max_iter of 1 to 5), or use NMFC."
            )
            clause = "one member has nearly all the weight"
            figures = {"largest_weight": float(weights.max())}
            doubts.append(Doubt(COLLAPSED_WEIGHTS, figures, sentence, clause))
        return Outcome(
            factors.labels(),
            history[-1],
            history,
            len(history),
            converged,
            member_weights=weights,
            doubts=doubts,
        )
