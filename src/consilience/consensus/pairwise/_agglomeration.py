"""Base class of HAC, LWEA and LWCL: a dendrogram of distinct rows, and labels of all objects."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.pairwise._sampled_rows import label_by_votes, sample_rows
from consilience.ensemble import Ensemble
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

    @property
    def _linkage(self) -> str:
        return "average"

    @property
    def _unit(self) -> bool:
        """Whether similarities are cosines."""
        return False

    @property
    def _joint(self) -> bool:
        """Whether similarities are divided by the weight of the members that label both objects."""
        return False

    @abstractmethod
    def _column_weight(self, ensemble: Ensemble) -> Array:
        """Return the weight of every base cluster in the similarity of two objects that share it."""

    def _vote_weight(self, ensemble: Ensemble) -> Array:
        """Return the weight of the vote of every base cluster for rows outside the sample."""
        return self._column_weight(ensemble)

    @abstractmethod
    def _cut(self, dendrogram: Dendrogram, n_clusters: int | None, *, sampled: bool) -> Cut:
        """Cut the dendrogram; `sampled` if they are not all distinct rows."""

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
            leaves, column_weight, self._linkage, unit=self._unit, joint=self._joint
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
