"""NMFC: consensus by non-negative matrix factorisation."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.pairwise._symmetric_factors import SymmetricFactors
from consilience.ensemble import Ensemble


class NMFC(ConsensusFunction):
    """Consensus by non-negative matrix factorisation.

    The share of members that put two objects together is a similarity. It is approximated by a product
    of non-negative memberships, so that objects that share clusters are similar. Memberships may be
    fractions; every object then joins the cluster with its largest membership.

    Seeks Q >= 0 (n, K), near-orthonormal columns, and B >= 0 (K, K), diagonal, with small
    |S - Q B Q'|^2, where S_ij is the share of the members that put i and j together.

    Parameters
    ----------
    max_iter : int, default 500
        Maximum number of iterations.
    tol : float, default 1e-5
        Stop when the relative change of the objective is at most this.
    random_state : int, generator or None
        Draws the k-means++ starts of the first clustering.

    Attributes
    ----------
    objective_, history_ : float, list of float
        |S - Q B Q'|^2, at the end and after every round. It decreases at first and may increase later,
        because the update also makes the columns of Q nearly orthonormal, which increases the error.

    See Also
    --------
    WC : Learns the weights of the members as well.
    KMCF : Gives the starting labels.

    Notes
    -----
    O(n r K) a round, one sweep; S is never formed: S Q = H (H' Q) / r, and |S|^2 is the sum of the
    squared overlaps of base clusters over r^2. Starts from the best of ten k-means runs on the rows of
    H. Soft members contribute the products of their memberships to S. A member that does not label one
    of two objects does not put them together (S is divided by the number of all members).

    References
    ----------
    [li2007]_

    Examples
    --------
    >>> from consilience.consensus import NMFC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> NMFC(n_clusters=2, random_state=0).fit_predict(votes).tolist()
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
        max_iter: int = 500,
        tol: float = 1e-5,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        layout = ensemble.layout
        counted = ensemble.counted_weights
        columns = (counted / counted.sum())[layout.member_of]
        square = columns @ np.square(ensemble.incidence.gram(), dtype=np.float64) @ columns
        factors = SymmetricFactors.of(ensemble, n_clusters, rng)
        settled = factors.settle(columns, float(square), max_iter=self.max_iter, tol=self.tol)
        return Outcome(
            labels=factors.labels(),
            objective=settled.history[-1],
            history=settled.history,
            n_iter=len(settled.history),
            converged=settled.converged,
        )
