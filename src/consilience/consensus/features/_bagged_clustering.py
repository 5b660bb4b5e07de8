"""Bagged clustering: the centres of all members are clustered."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy.cluster.hierarchy import linkage as scipy_linkage

from consilience._utils._declare import Choice, DataArray, Declaration, Integer, Optional
from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.clusterers.internals import Points, nearest
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._constraints import Constraints
from consilience.consensus._problem import Problem
from consilience.consensus.features._centres import centres_of
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.partition import Dendrogram


class BaggedClustering(ConsensusFunction):
    """Bagged clustering: a hierarchical clustering of the centres of all members.

    The centres of all base clusters are points in the space of the features. They are many, and lie
    where the data are dense, so a hierarchical clustering of the centres stands for one of the data. A
    group of centres may be long or bent, although every base cluster is round. Objects follow their
    centres: every object joins the group of the nearest of all centres, if the data are given, or the
    group that most of its own centres are in, one centre of each member.

    Parameters
    ----------
    linkage : {"average", "single", "complete", "ward"}, default "average"
        Distance of groups of centres; the distance of centres is Euclidean.
    features : array (n, d) or None, default None
        The data, in the units of the centres: objects join the nearest centre, as in the paper. None:
        they join by votes, and labels are sufficient.

    Attributes
    ----------
    meta_clusters_ : array (t,)
        The group of every base cluster of the members whose weight is not 0.
    linkage_matrix_ : array (t - 1, 4)
        Merges of the centres, lowest first, as `scipy.cluster.hierarchy` writes and draws them.

    See Also
    --------
    Labelling : Also uses the centres, by their distances within every member.
    MCLA, CBGF : Group base clusters by the objects they share; no centres are needed.
    consilience.generate.Subsample : Members from bootstrap samples, ``fraction=1.0, replace=True``.

    Notes
    -----
    Needs the centres of the clusters, which generators attach to their ``ensemble_``; attach others by
    ``Ensemble.with_cluster_tables(centres=...)``. All members must use the same features in the same
    units: centres in random projections or in subsets of the features cannot be compared, even if they
    have the same number of columns.

    O(t^2 d) time and 8 t^2 bytes for t centres, then O(n t d) for nearest centres or O(n r) for votes.
    Centres count once, whatever the sizes and weights of their clusters; weights of members and soft
    memberships count in the votes. Ties: the first group. A missing label does not vote.

    References
    ----------
    [leisch1999]_

    Examples
    --------
    Two rings, cut into arcs by every member of k-means, and put together again.

    >>> from sklearn.datasets import make_circles
    >>> from consilience.consensus import BaggedClustering
    >>> from consilience.generate import Subsample
    >>> from consilience.metrics import ari
    >>> X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
    >>> members = Subsample(n_members=20, n_clusters=20, fraction=1.0, replace=True, random_state=0)
    >>> ensemble = members.fit(X).ensemble_
    >>> model = BaggedClustering(2, linkage="single", features=X).fit(ensemble)
    >>> round(ari(model.labels_, y), 2)
    1.0
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "linkage": Choice("average", "single", "complete", "ward"),
        "features": Optional(DataArray()),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(needs=("centres",))

    object_parameters: ClassVar[tuple[str, ...]] = ("features",)

    def __init__(
        self, n_clusters: int = 8, *, linkage: str = "average", features: Array | None = None
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.features = features

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        if self.features is None:
            return super()._reduce(ensemble, n_clusters, constraints)
        # Objects with the same labels may have different features.
        return Problem.of_all_objects(ensemble, constraints)

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        centres = _in_one_space(centres_of(ensemble, "BaggedClustering"), ensemble)
        merges = self._merges(centres)
        groups = Dendrogram(merges).cut_into(n_clusters)
        found = {"meta_clusters_": groups, "linkage_matrix_": merges}
        if self.features is not None:
            X = self._checked_features(ensemble.n_samples, centres.shape[1])
            return Outcome(groups[nearest(Points.of(X), centres)], attributes=found)
        joined = groups[:, None] == np.arange(groups.max() + 1)
        table = ensemble.column_weights[:, None] * joined
        return Outcome(ensemble.incidence.argmax(table).labels, attributes=found)

    def _merges(self, centres: Array) -> Array:
        if len(centres) == 1:
            return np.empty((0, 4))
        require_memory(
            8 * len(centres) ** 2,
            f"The distances of {len(centres)} centres",
            "Give fewer members, or members with fewer clusters.",
        )
        return np.asarray(scipy_linkage(centres, method=self.linkage))

    def _checked_features(self, n_samples: int, n_columns: int) -> Array:
        assert self.features is not None  # noqa: S101 - asked before
        if self.features.shape != (n_samples, n_columns) or not np.isfinite(self.features).all():
            raise InvalidInputError(
                f"BaggedClustering: features must have a row of finite numbers for each of the "
                f"{n_samples} objects and the {n_columns} columns of the centres; got shape "
                f"{self.features.shape}. Pass the data that the members were made from."
            )
        return self.features.astype(np.float64)


def _in_one_space(centres: list[Array], ensemble: Ensemble) -> Array:
    """Stack the centres of all members; refuse different numbers of features."""
    known = [j for j, rows in enumerate(centres) if len(rows)]
    first = centres[known[0]].shape[1]
    for j in known:
        if centres[j].shape[1] != first:
            raise InvalidInputError(
                "BaggedClustering needs the centres of all members in the same features; "
                f"{ensemble.names[known[0]]!r} has {first} and {ensemble.names[j]!r} has "
                f"{centres[j].shape[1]}. Make the members from the same columns."
            )
    return np.concatenate([centres[j] for j in known])
