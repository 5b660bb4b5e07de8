"""CCSVD: cluster correspondence by singular value decomposition."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.ensemble import Ensemble
from consilience.partition import (
    ScaledIncidence,
    leading_vectors,
    row_kmeans,
    vote_table,
    written_rows,
)


class CCSVD(ConsensusFunction):
    """Cluster correspondence by singular value decomposition.

    Base clusters that share objects have similar directions in the space of the K leading singular
    vectors of H, which contains little noise. k-means groups them into K metaclusters in this space.
    Then every object joins the metacluster that holds most of its base clusters.

    Minimises the sum of squares sum_c s_c |y_c - m_k(c)|^2 over metaclusters k(c) and centres m_k, with
    s_c the size of base cluster c and y_c = sigma v_c its coordinates: H = U diag(sigma) V'.

    Parameters
    ----------
    n_clusters : int, default 8
        Metaclusters, and dimensions, K.
    n_init : int, default 10
        k-means++ starts.
    max_iter : int, default 300
        Maximum number of iterations of one start.

    Attributes
    ----------
    meta_clusters_ : array (t,)
        The metacluster of every base cluster.
    objective_ : float
        Sum of squares.
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    CCC, CCU : Compare base clusters by their overlaps as they are.
    KMCF : k-means on objects instead of base clusters.

    Notes
    -----
    O(n r^2) for the overlaps of all base clusters, O(t^3) for their eigenvectors, O(n r) for the vote.
    A member's weight multiplies its votes and its share in the decomposition, as if it were repeated.
    A missing label is one vote fewer. With fewer than K base clusters there are fewer metaclusters.

    References
    ----------
    [boulis2004]_; [nguyen2007]_, section 3.5

    Examples
    --------
    >>> from consilience.consensus import CCSVD
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> CCSVD(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        H = ensemble.incidence
        weights = ensemble.column_weights
        places = places_of_base_clusters(ensemble, n_clusters)
        found = row_kmeans(
            written_rows(places, weights * H.sizes)._replace(unit=False),
            min(n_clusters, ensemble.n_base_clusters),
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        labels = H.argmax(vote_table(found.labels, weights, n_clusters)).labels
        return Outcome.of(found._replace(labels=labels), meta_clusters_=found.labels)


def places_of_base_clusters(ensemble: Ensemble, n_dimensions: int) -> Array:
    """Return sigma_k v_ck for every base cluster c, (t, K).

    Weighting the columns of H scales the coordinates of a base cluster by the root of its weight.
    Repeating the member would not, so they are divided by the root.
    """
    H = ensemble.incidence
    root = np.sqrt(ensemble.column_weights)
    vectors = leading_vectors(ScaledIncidence(H, np.ones(H.n_rows), root), n_dimensions)
    places: Array = vectors.right * vectors.values / root[:, None]
    return places
