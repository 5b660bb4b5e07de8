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

    How often two objects lie together is a similarity. A clustering explains it if it is the product
    of memberships: objects that share clusters are similar. The best such product is sought with
    memberships that may be fractions; every object then joins the cluster it belongs to most.

    Seeks Q >= 0 (n, K), near-orthonormal columns, and B >= 0 (K, K), diagonal, with small
    |S - Q B Q'|^2, where S_ij is the share of the members that put i and j together.

    Parameters
    ----------
    max_iter : int, default 500
        Most rounds.
    tol : float, default 1e-5
        Stop when the objective changes by at most this share of itself.
    random_state : int, generator or None
        Draws the k-means++ starts of the first clustering.

    Attributes
    ----------
    objective_, history_ : float, list of float
        |S - Q B Q'|^2, at the end and after every round. It falls at first, and may rise later: the
        rule also draws the columns of Q towards orthonormal ones, which costs accuracy.

    See Also
    --------
    WC : Learns the weights of the members as well.
    KMCF : Where it starts from.

    Notes
    -----
    O(n r K) a round, one sweep; S is never formed: S Q = H (H' Q) / r, and |S|^2 is the sum of the
    squared overlaps of base clusters over r^2. Starts from the best of ten k-means runs on the rows of
    H. Soft members enter S by the product of their memberships. A member that misses one of two objects
    does not put them together (S is divided by all members).

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
