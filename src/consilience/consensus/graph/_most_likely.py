"""Composition of consensus clusters, counted by the most likely base clusters of their objects.

Posteriors of LAC are flat: every object has a small membership in every base cluster. Summed over many
objects these memberships hide the differences, so every object is counted in one base cluster per
member.
"""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.incidence import ArraySource, HardBlocks, Incidence

Array = np.ndarray[Any, Any]


def by_most_likely(
    labels: Array, n_clusters: int, ensemble: Ensemble, soft_shares: Array
) -> dict[str, Any]:
    """Return votes by most likely clusters, and feature weights if there are any, as attributes."""
    found: dict[str, Any] = {}
    if ensemble.is_soft:
        found["vote_table_"] = vote_shares(ensemble, labels, n_clusters, soft_shares)
    weights = consensus_feature_weights(ensemble, labels, n_clusters)
    if weights is not None:
        found["feature_weights_"] = weights
    return found


def vote_shares(ensemble: Ensemble, labels: Array, n_clusters: int, soft_shares: Array) -> Array:
    """Return P(consensus cluster | base cluster), (t, K).

    The share of the consensus cluster among the objects whose most likely cluster it is;
    `soft_shares` for a base cluster that is not the most likely one of any object.
    """
    counts = _count(ensemble, labels, n_clusters)
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Array = np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1), soft_shares)
    return shares


def consensus_feature_weights(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array | None:
    """Average the feature weights of the base clusters over the objects of every consensus cluster.

    f_k = sum_c m_kc phi_c / sum_c m_kc, with phi_c the weights of base cluster c and m_kc the number of
    objects of consensus cluster k that lie in c, times the weight of the member. Rows sum to one if
    those of the members do. Members without the table are left out; a consensus cluster without labels
    of the other members gets the mean over all objects.

    Returns (K, D), or None if the ensemble has no table "feature_weights".
    """
    table = ensemble.cluster_tables.get("feature_weights", ())
    known = [j for j, rows in enumerate(table) if rows is not None and ensemble.weights[j] > 0]
    if not known:
        return None
    tables = [rows for rows in (table[j] for j in known) if rows is not None]
    shapes = {rows.shape[1:] for rows in tables}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1:
        raise InvalidInputError(
            "The cluster table 'feature_weights' must have one row of weights per cluster, of the same "
            f"features in every member; got rows of shape {sorted(shapes)}."
        )
    members = ensemble.select(known)
    mass = _count(members, labels, n_clusters) * members.column_weights[:, None]
    mass = np.where(mass.sum(axis=0) > 0, mass, mass.sum(axis=1, keepdims=True))
    average: Array = mass.T @ np.concatenate(tables) / mass.sum(axis=0)[:, None]
    return average


def _count(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Count table (t, K) of the most likely labels; objects count by their weights."""
    if not ensemble.is_soft:
        return ensemble.incidence.count(labels, n_clusters)
    largest = int(ensemble.n_clusters.max(initial=0))
    codes = (ensemble.labels + 1).astype(np.min_scalar_type(largest))
    H = Incidence(ArraySource(codes), HardBlocks(ensemble.layout), ensemble.sample_weight)
    return H.count(labels, n_clusters)
