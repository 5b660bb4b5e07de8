"""Weights of the features in every consensus cluster, by one of three rules."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, DataArray, Declaration, Optional, Real
from consilience._utils._types import Array
from consilience.clusterers.internals import feature_weights
from consilience.consensus._base import ConsensusFunction
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import ArraySource, HardBlocks, Incidence
from consilience.metrics.internals import nmi_with_members


class FeatureWeighing(ConsensusFunction):
    """A function for members with weights of features, which its clusters get as well."""

    # "dispersion" needs features.
    object_parameters: ClassVar[tuple[str, ...]] = ("features", "feature_weights")
    feature_weights: str
    features: Array | None
    h: float

    feature_parameters: ClassVar[Mapping[str, Declaration]] = {
        "feature_weights": Choice("mean", "nearest", "dispersion"),
        "features": Optional(DataArray()),
        "h": Real(0),
    }

    def _check_capabilities(self, ensemble: Ensemble) -> None:
        super()._check_capabilities(ensemble)
        if self.feature_weights != "dispersion":
            return
        name = type(self).__name__
        if self.features is None:
            raise InvalidParameterError(
                f"{name}: feature_weights='dispersion' needs the data; give them as features, an array "
                "with a row for every object, or choose 'mean' or 'nearest'."
            )
        if len(self.features) != ensemble.n_samples or not np.isfinite(self.features).all():
            raise InvalidInputError(
                f"{name}: features must have a row of finite numbers for each of the "
                f"{ensemble.n_samples} objects; got shape {self.features.shape}. Pass the data that the "
                "members were made from."
            )

    def _attributes_of_labels(
        self, labels: Array, n_clusters: int, ensemble: Ensemble
    ) -> dict[str, Any]:
        found = super()._attributes_of_labels(labels, n_clusters, ensemble)
        if ensemble.is_soft:
            soft_shares = found["vote_table_"]
            found["vote_table_"] = vote_shares(ensemble, labels, n_clusters, soft_shares)
        weights = self._weights_of(ensemble, np.asarray(labels), n_clusters)
        return found if weights is None else {**found, "feature_weights_": weights}

    def _weights_of(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> Array | None:
        if self.feature_weights == "dispersion":
            assert self.features is not None  # noqa: S101 - checked before
            spread = _dispersions(self.features, labels, n_clusters, ensemble.sample_weight)
            return feature_weights(spread, float(self.h))
        members, tables = _members_with_weights(ensemble)
        if not tables:
            return None
        counts = count_most_likely(members, labels, n_clusters)
        average = _mean_weights(members, tables, counts)
        if self.feature_weights == "mean":
            return average
        return _weights_of_nearest(members, tables, counts, average)


def _members_with_weights(ensemble: Ensemble) -> tuple[Ensemble, list[Array]]:
    """Return the members that have feature weights, and these; the ensemble if none has."""
    table = ensemble.cluster_tables.get("feature_weights", ())
    known = [j for j, rows in enumerate(table) if rows is not None and ensemble.weights[j] > 0]
    if not known:
        return ensemble, []
    tables = [rows for rows in (table[j] for j in known) if rows is not None]
    shapes = {rows.shape[1:] for rows in tables}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1:
        raise InvalidInputError(
            "The cluster table 'feature_weights' must have one row of weights per cluster, of the same "
            f"features in every member; got rows of shape {sorted(shapes)}."
        )
    return ensemble.select(known), tables


def _mean_weights(members: Ensemble, tables: list[Array], counts: Array) -> Array:
    """Average the weights of the base clusters over the objects of every consensus cluster, (K, D).

    f_k = sum_c m_kc phi_c / sum_c m_kc, with phi_c the weights of base cluster c and m_kc the number of
    objects of consensus cluster k that lie in c, times the weight of the member. Rows sum to one if
    those of the members do. A consensus cluster without labels of these members gets the mean over all
    objects.
    """
    mass = counts * members.column_weights[:, None]
    mass = np.where(mass.sum(axis=0) > 0, mass, mass.sum(axis=1, keepdims=True))
    average: Array = mass.T @ np.concatenate(tables) / mass.sum(axis=0)[:, None]
    return average


def _weights_of_nearest(
    members: Ensemble, tables: list[Array], counts: Array, average: Array
) -> Array:
    """Return the weights of the member with the largest NMI, ties: the first, cluster by cluster.

    A consensus cluster takes those of the base cluster with most of its objects; the average if the
    member labels none of them.
    """
    layout = members.layout
    nearest = int(nmi_with_members(counts, layout).argmax())
    own = counts[layout.columns(nearest)]
    labelled = own.sum(axis=0)[:, None] > 0
    weights: Array = np.where(labelled, tables[nearest][own.argmax(axis=0)], average)
    return weights


def _dispersions(X: Array, labels: Array, n_clusters: int, weight: Array | None) -> Array:
    """Return the mean of (x_i - c_ki)^2 over the objects of every cluster, (K, D), c_k their mean."""
    spread = np.empty((n_clusters, X.shape[1]))
    for k in range(n_clusters):
        inside = labels == k
        share = None if weight is None or not weight[inside].any() else weight[inside]
        rows = X[inside].astype(np.float64)
        centre = np.average(rows, axis=0, weights=share)
        spread[k] = np.average(np.square(rows - centre), axis=0, weights=share)
    return spread


def vote_shares(ensemble: Ensemble, labels: Array, n_clusters: int, soft_shares: Array) -> Array:
    """Return P(consensus cluster | base cluster), (t, K).

    The share of the consensus cluster among the objects whose most likely cluster it is;
    `soft_shares` for a base cluster that is not the most likely one of any object.
    """
    counts = count_most_likely(ensemble, labels, n_clusters)
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Array = np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1), soft_shares)
    return shares


def count_most_likely(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Count table (t, K) of the most likely labels; objects count by their weights."""
    if not ensemble.is_soft:
        return ensemble.incidence.count(labels, n_clusters)
    largest = int(ensemble.n_clusters.max(initial=0))
    codes = (ensemble.labels + 1).astype(np.min_scalar_type(largest))
    H = Incidence(ArraySource(codes), HardBlocks(ensemble.layout), ensemble.sample_weight)
    return H.count(labels, n_clusters)
