"""HAC, LWEA and LWCL: a dendrogram of distinct rows, and labels of all objects."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Optional, Real
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus.pairwise._sampled_rows import label_by_votes, sample_rows
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.metrics.internals import certainties
from consilience.partition import Dendrogram, incidence_linkage

# Default number of distinct rows up to which the linkage is exact; more rows are sampled.
MAX_SAMPLES = 4_000
# A sample of fewer rows does not represent the others.
LEAST_SAMPLES = 100
# Minimum number of sampled rows per requested cluster.
_ROWS_PER_CLUSTER = 10


class Cut(NamedTuple):
    """Labels of the leaves of a dendrogram, and attributes of the cut by name."""

    labels: Array
    attributes: Mapping[str, Any] = MappingProxyType({})


class Tree(NamedTuple):
    """A cut dendrogram.

    labels      (n,) of every row
    leaf_of     (n,) leaf of every row, -1 = not in the tree
    attributes  by name, for the fitted function
    """

    labels: Array
    leaf_of: Array
    attributes: Mapping[str, Any]

    def outcome(self) -> Outcome:
        """Return the result as an Outcome."""
        return Outcome(
            self.labels,
            attributes=self.attributes,
            row_attributes={"profile_of_": self.leaf_of},
        )


class Agglomeration(ConsensusFunction):
    """Cut a hierarchical clustering of the rows of H; a subclass defines the weights of base clusters.

    Up to `max_samples` distinct rows the linkage is exact. Beyond, a sample of rows is linked and cut,
    and all rows are labelled by the votes of their base clusters, in one sweep.
    """

    max_samples: int | None

    linkage: str = "average"
    missing: str = "apart"
    # Whether similarities are cosines.
    _unit: ClassVar[bool] = False

    @abstractmethod
    def _column_weight(self, ensemble: Ensemble) -> Array:
        """Return the weight of every base cluster in the similarity of two objects that share it."""

    def _vote_weight(self, ensemble: Ensemble) -> Array:
        """Return the weight of the vote of every base cluster for rows outside the sample."""
        return self._column_weight(ensemble)

    def _cut(self, dendrogram: Dendrogram, n_clusters: int | None, *, sampled: bool) -> Cut:  # noqa: ARG002
        """Cut the dendrogram; `sampled` if they are not all distinct rows."""
        assert n_clusters is not None  # noqa: S101 - declared as an integer
        return Cut(dendrogram.cut_into(n_clusters))

    def active_capabilities(self) -> Capabilities:
        if self.max_samples is None:
            return replace(self.capabilities, cost="quadratic")
        return self.capabilities

    def _consensus(
        self, ensemble: Ensemble, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        column_weight = self._column_weight(ensemble)
        if self._all_rows(ensemble):
            return self._tree(ensemble, column_weight, n_clusters, sampled=False).outcome()
        assert self.max_samples is not None  # noqa: S101 - else all rows are linked
        n_rows = min(
            max(self.max_samples, _ROWS_PER_CLUSTER * (n_clusters or 1)), ensemble.n_samples
        )
        sample = sample_rows(ensemble, n_rows, rng)
        tree = self._tree(sample.ensemble, column_weight, n_clusters, sampled=True)
        leaf_of = np.full(ensemble.n_samples, -1)
        leaf_of[sample.places] = tree.leaf_of
        labels = label_by_votes(ensemble, self._vote_weight(ensemble), sample, tree.labels)
        return tree._replace(labels=labels, leaf_of=leaf_of).outcome()

    def _all_rows(self, ensemble: Ensemble) -> bool:
        if self.max_samples is None or ensemble.n_samples <= self.max_samples:
            return True
        return not ensemble.is_soft and ensemble.n_profiles <= self.max_samples

    def _tree(
        self, ensemble: Ensemble, column_weight: Array, n_clusters: int | None, *, sampled: bool
    ) -> Tree:
        """Link the distinct rows of an ensemble in memory."""
        if ensemble.is_soft:
            row_weight, inverse = ensemble.sample_weight, np.arange(ensemble.n_samples)
            rows = ensemble
            counts = inverse >= 0 if row_weight is None else row_weight > 0
        else:
            # Identical rows must get the same label, so they are merged even if this saves no time.
            profiles = ensemble.profiles()
            rows, inverse = profiles.ensemble, profiles.inverse
            counts = profiles.multiplicity > 0
        # Objects of weight 0 must not change the dendrogram.
        leaves = rows if counts.all() else _only(rows, counts)
        dendrogram = incidence_linkage(
            leaves, column_weight, self.linkage, unit=self._unit, joint=self.missing == "ignored"
        )
        leaf_of = np.where(counts, np.cumsum(counts) - 1, -1)
        cut = self._cut(dendrogram, n_clusters, sampled=sampled)
        labels = cut.labels[leaf_of]
        if not counts.all():
            labels = np.where(counts, labels, most_similar(rows, labels, column_weight))
        attributes = {"linkage_matrix_": dendrogram.counting_leaves(), **cut.attributes}
        return Tree(labels[inverse], leaf_of[inverse], attributes)


def _only(rows: Ensemble, chosen: Array) -> Ensemble:
    """Select rows and keep all base clusters, so that the weights of base clusters remain aligned."""
    weight = None if rows.sample_weight is None else rows.sample_weight[chosen]
    return rows.with_rows(rows.incidence.stored_rows(chosen), weight)


def most_similar(
    ensemble: Ensemble, labels: Array, column_weight: Array, n_clusters: int | None = None
) -> Array:
    """Return the cluster to which every row is most similar on average; of the first few if given."""
    sizes = np.bincount(labels, weights=ensemble.sample_weight)
    counts = ensemble.incidence.count(labels, len(sizes))
    table = column_weight[:, None] * counts / np.where(sizes > 0, sizes, 1)
    return ensemble.incidence.argmax(np.ascontiguousarray(table[:, :n_clusters])).labels


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

    _unit: ClassVar[bool] = True

    def _column_weight(self, ensemble: Ensemble) -> Array:
        return np.square(certainties(ensemble, self.theta))

    def _vote_weight(self, ensemble: Ensemble) -> Array:
        return certainties(ensemble, self.theta)
