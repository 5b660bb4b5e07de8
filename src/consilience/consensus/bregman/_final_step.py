"""From the aggregated connectivity M to K clusters."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.consensus.bregman._aggregate import Aggregate
from consilience.consensus.bregman._linear import LowRankSimilarity
from consilience.exceptions import UnsupportedInputError
from consilience.partition import (
    EmbeddedRows,
    ScaledIncidence,
    leading_vectors,
    operator_kmeans,
    operator_linkage,
    row_kmeans,
    spectral_rows,
    yu_shi,
)

STEPS = ("spectral", "kmeans", "linkage")
_MAX_ITER = 300


def final_labels(
    aggregate: Aggregate,
    weights: Array,
    n_clusters: int,
    *,
    step: str,
    n_init: int,
    rng: np.random.Generator,
) -> Array:
    """Cluster the rows of M.

    Parameters
    ----------
    step : {"spectral", "kmeans", "linkage"}
        Yu and Shi's rotation of the leading eigenvectors; k-means on the rows of M; average linkage.
    n_init : int
        Starts of k-means.
    """
    operator = aggregate.operator(weights)
    if step == "linkage":
        if operator.row_weight is not None and np.any(operator.row_weight == 0):
            raise UnsupportedInputError(
                'final="linkage" needs a sample_weight above 0 for every object; leave objects of '
                'weight 0 out, or use final="spectral".'
            )
        return operator_linkage(operator).cut_into(n_clusters)
    # Without constrained pairs the Euclidean M is H diag(w) H', so sweeps over H are sufficient.
    factored = isinstance(operator, LowRankSimilarity) and operator.extra is None
    if step == "spectral":
        embed = _factored_vectors if factored else spectral_rows
        return yu_shi(embed(operator, n_clusters))
    if factored:
        rows = _factored_rows(operator)
        return row_kmeans(rows, n_clusters, n_init=n_init, max_iter=_MAX_ITER, rng=rng).labels
    return operator_kmeans(operator, n_clusters, n_init=n_init, max_iter=_MAX_ITER, rng=rng).labels


def _factored_vectors(operator: Any, n_clusters: int) -> EmbeddedRows:
    """Same result as `spectral_rows`; M is a Gram matrix of scaled H, so a (t, t) matrix suffices."""
    H, w = operator.H, operator.column_weight
    degree = H @ (w * H.sizes)
    scale = np.where(degree > 0, 1 / np.sqrt(np.where(degree > 0, degree, 1.0)), 0.0)
    scaled = ScaledIncidence(H, scale, np.sqrt(w))
    return EmbeddedRows(H, leading_vectors(scaled, n_clusters).table)


def _factored_rows(operator: Any) -> EmbeddedRows:
    """Return rows with the same distances as the rows of M: H W N^(1/2), N = H' H."""
    values, vectors = np.linalg.eigh(operator.H.gram())
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return EmbeddedRows(operator.H, operator.column_weight[:, None] * root, unit=False)
