"""LWCL: locally weighted cosine linkage."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Optional, Real
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus.pairwise._agglomeration import (
    LEAST_SAMPLES,
    MAX_SAMPLES,
    Agglomeration,
    Cut,
)
from consilience.ensemble import Ensemble
from consilience.metrics.internals import certainties
from consilience.partition import Dendrogram


class LWCL(Agglomeration):
    """Locally weighted cosine linkage.

    As in LWEA, base clusters that the other members do not split get a larger weight. The similarity
    of two objects is the cosine of their weighted base clusters instead of the sum, so that objects
    with only uncertain base clusters can be similar too. Average linkage of the cosines is cut at K
    clusters.

    With x_i the row i of H diag(w ECI), scaled to length one, the similarity of objects i and k is
    x_i' x_k. ECI(c) = exp(-E(c) / (theta r)), E(c) the entropy in bits of the labels that all r members
    give to the objects of c; w is the weight of the member of c.

    Parameters
    ----------
    theta : float, default 0.4
        Larger values make the weights decrease more slowly with the entropy.

    Attributes
    ----------
    linkage_matrix_
    profile_of_

    See Also
    --------
    LWEA : Weighted sums instead of cosines.
    LWGP : The same weights with spectral clustering.

    Notes
    -----
    O(q^2 r) time for q distinct rows, at most `max_samples` of them, and O(n r (r + K)) for the
    certainties and votes. Average linkage of inner products is linkage of mean vectors, so no n x n
    matrix is needed. Base clusters vote with their certainty, as in `consilience.metrics.confidence`.
    The sample is the same in every fit; small base clusters have a larger chance to be in it, balanced
    by weights. Repeated rows count as often as they occur; identical rows always get the same label.

    A missing label is a zero component in the cosine. Objects of weight 0 join the cluster they are
    most similar to on average. Ties are broken as in HAC.

    References
    ----------
    [huang2018]_ for the weights.

    Examples
    --------
    >>> from consilience.consensus import LWCL
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> LWCL(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "theta": Real(0.01),
        "max_samples": Optional(Integer(LEAST_SAMPLES)),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self, n_clusters: int = 8, *, theta: float = 0.4, max_samples: int | None = MAX_SAMPLES
    ) -> None:
        self.n_clusters = n_clusters
        self.theta = theta
        self.max_samples = max_samples

    @property
    def _unit(self) -> bool:
        return True

    def _column_weight(self, ensemble: Ensemble) -> Array:
        return np.square(certainties(ensemble, self.theta))

    def _vote_weight(self, ensemble: Ensemble) -> Array:
        return certainties(ensemble, self.theta)

    def _cut(
        self,
        dendrogram: Dendrogram,
        n_clusters: int | None,
        *,
        sampled: bool,  # noqa: ARG002 - K is given
    ) -> Cut:
        assert n_clusters is not None  # noqa: S101 - declared as an integer
        return Cut(dendrogram.cut_into(n_clusters))
