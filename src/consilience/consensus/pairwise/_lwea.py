"""LWEA: locally weighted evidence accumulation."""

from collections.abc import Mapping
from typing import ClassVar

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


class LWEA(Agglomeration):
    """Locally weighted evidence accumulation.

    Base clusters are weighted by their certainty. A base cluster that the other members do not split
    has a weight near 1; one that they split into many parts has a small weight. The similarity of two
    objects is the sum of the weights of the base clusters they share, and average linkage of these
    similarities is cut at K clusters.

    The similarity of objects i and k is the sum over the members j that put them together, into their
    cluster c, of w_j ECI(c), over the sum of all w_j. ECI(c) = exp(-E(c) / (theta r)), E(c) the
    entropy in bits of the labels that all r members give to the objects of c, w_j the weight of j.

    Parameters
    ----------
    theta : float, default 0.4
        Larger values make the weights decrease more slowly with the entropy; large values approach HAC.

    Attributes
    ----------
    linkage_matrix_
    profile_of_

    See Also
    --------
    HAC : All base clusters count the same.
    LWCL : Cosines instead of sums.
    consilience.metrics.cluster_uncertainty : The entropies E(c).

    Notes
    -----
    O(q^2 r) time for q distinct rows, at most `max_samples` of them, and O(n r (r + K)) for the
    certainties and votes. Memory is 4 q^2 bytes if this is within the memory limit, otherwise O(q t),
    with the same result. The sample is drawn as in LWCL. Repeated rows count as often as they occur;
    identical rows always get the same label, although their similarity may be below 1.

    A missing label agrees with no label, and entropies are taken over the objects that a member labels.
    Objects of weight 0 join the cluster they are most similar to on average. Ties are broken as in
    HAC.

    References
    ----------
    [huang2018]_

    Examples
    --------
    >>> from consilience.consensus import LWEA
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> LWEA(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "theta": Real(0.01),
        "max_samples": Optional(Integer(LEAST_SAMPLES)),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(soft=False)

    def __init__(
        self, n_clusters: int = 8, *, theta: float = 0.4, max_samples: int | None = MAX_SAMPLES
    ) -> None:
        self.n_clusters = n_clusters
        self.theta = theta
        self.max_samples = max_samples

    def _column_weight(self, ensemble: Ensemble) -> Array:
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
