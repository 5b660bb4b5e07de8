"""HAC: hierarchical agglomerative clustering of the co-association."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Optional, Real
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.pairwise._agglomeration import (
    LEAST_SAMPLES,
    MAX_SAMPLES,
    Agglomeration,
    Cut,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.partition import Dendrogram


class HAC(Agglomeration):
    """Hierarchical agglomerative clustering of the co-association.

    Two objects are as similar as the share of members that put them together. Starting from single
    objects, the two most similar clusters are merged until one is left; the tree of merges is then
    cut. With average linkage this is known as CAL (co-association, average link); with the lifetime
    rule, and single or average linkage, as EAC (evidence accumulation clustering).

    The distance of objects is 1 - S_ik, S_ik the summed weight of the members that put i and k
    together over the weight of all members. Average linkage merges the clusters A and B with the
    smallest mean of 1 - S_ik over i in A, k in B; single linkage takes the smallest, complete linkage
    the largest instead of the mean.

    Parameters
    ----------
    n_clusters : int or None, default None
        Number of clusters, K. None: see `distance_threshold`.
    linkage : {"average", "single", "complete"}, default "average"
        Distance of clusters.
    missing : {"apart", "ignored"}, default "apart"
        A member that does not label both objects counts as one that puts them apart; or it is ignored,
        and S_ik is divided by the weight of the members that label both, 0 if there are none. Ignoring
        them suits members from samples, in which most labels may be missing.
    distance_threshold : float or None, default None
        Merge only clusters whose distance is below this; 0.5 with single linkage joins pairs that a
        majority joins. If this and `n_clusters` are None, K is the number of clusters with the longest
        lifetime: the largest gap between the heights of two successive merges; ties: the smallest K; K
        = 1 is not considered, nor one cluster per row if a sample is linked.

    Attributes
    ----------
    linkage_matrix_
    profile_of_
    lifetimes_ : dict of int -> float
        Lifetime of every number of clusters, if K was chosen by lifetimes.

    See Also
    --------
    LWEA : Gives more weight to base clusters that the members agree on.
    IPC : Also uses mean similarities to clusters, in time linear in n.
    consilience.metrics.consensus_rand : A criterion for a cut.

    Notes
    -----
    O(q^2 r) time for q distinct rows, at most `max_samples` of them, and O(n r K) for votes if they are
    a sample, which is drawn as in LWCL. Average and complete linkage store 4 q^2 bytes if this is
    within the memory limit. Otherwise average linkage runs in O(q t) memory with the same result, and
    complete linkage raises an error. Single linkage always runs in O(q r). Average linkage counts
    repeated rows as often as they occur; identical rows always get the same label.

    By default a missing label agrees with no label, and S is divided by the weight of all members, so
    objects with few labels are merged late. With ``missing="ignored"`` average linkage stores 8 q^2
    bytes, or raises an error. On members from bootstrap samples, ``Subsample(fraction=1.0,
    replace=True, left_out="missing")``, S is then BagClust2's: the share of the samples with both
    objects in which they are together. Objects of weight 0 join the cluster they are most similar to on
    average.

    Ties are common, because S has few distinct values, and they may be broken differently for another
    order of the objects. Similarities within 1e-9 are equal; the first pair of clusters is merged, a
    cluster being named by its first object. Single linkage breaks ties in the order in which a
    spanning tree grows from the first object, which matters only if the cut lies inside a group of
    equal heights.

    References
    ----------
    [fred2005]_; [nguyen2007]_, section 3.1; [azimi2007]_, section 4; [dudoit2003]_ (BagClust2)

    Examples
    --------
    >>> from consilience.consensus import HAC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> HAC(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    >>> consensus = HAC().fit(votes)
    >>> {k: round(lifetime, 2) for k, lifetime in consensus.lifetimes_.items()}
    {2: 0.56, 3: 0.33}
    >>> consensus.linkage_matrix_.round(2).tolist()
    [[0.0, 1.0, 0.33, 2.0], [2.0, 3.0, 0.89, 3.0]]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Optional(Integer(1)),
        "linkage": Choice("average", "single", "complete"),
        "missing": Choice("apart", "ignored"),
        "distance_threshold": Optional(Real(0)),
        "max_samples": Optional(Integer(LEAST_SAMPLES)),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(soft=False, finds_n_clusters=True)

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        linkage: str = "average",
        missing: str = "apart",
        distance_threshold: float | None = None,
        max_samples: int | None = MAX_SAMPLES,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.missing = missing
        self.distance_threshold = distance_threshold
        self.max_samples = max_samples

    def _consensus(
        self, ensemble: Ensemble, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        if self.n_clusters is not None and self.distance_threshold is not None:
            raise InvalidParameterError(
                "HAC: n_clusters and distance_threshold exclude each other; got "
                f"n_clusters={self.n_clusters} and distance_threshold={self.distance_threshold:g}. "
                "Leave one of them out (None).",
                parameter="n_clusters",
            )
        return super()._consensus(ensemble, n_clusters, rng)

    @property
    def _linkage(self) -> str:
        return self.linkage

    @property
    def _joint(self) -> bool:
        return self.missing == "ignored"

    def _column_weight(self, ensemble: Ensemble) -> Array:
        return ensemble.column_weights

    def _cut(self, dendrogram: Dendrogram, n_clusters: int | None, *, sampled: bool) -> Cut:
        if n_clusters is not None:
            return Cut(dendrogram.cut_into(n_clusters))
        if self.distance_threshold is not None:
            return Cut(dendrogram.cut_at(self.distance_threshold))
        # Rows outside the sample would have been merged below its lowest merge.
        lifetimes = dendrogram.lifetimes(include_all=not sampled)
        labels = dendrogram.cut_into(dendrogram.longest_lived(include_all=not sampled))
        return Cut(labels, {"lifetimes_": lifetimes})
