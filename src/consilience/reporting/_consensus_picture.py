"""How often objects go together: a picture of some, and the means between clusters of all."""

import base64
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from consilience._utils._types import Array
from consilience.diagnose import ConsensusMatrix
from consilience.ensemble import Ensemble
from consilience.reporting._block_means import block_means
from consilience.reporting._result import Result
from consilience.reporting._sampled_objects import sampled_objects
from consilience.reporting._short_names import short_names

PICTURE_OBJECTS = 400
# Letters for the names of all objects.
_ID_CHARACTERS = 60_000
# With more clusters the table is left out, because it would be unreadable.
TABLE_CLUSTERS = 30


class _Candidate(NamedTuple):
    """Clusters to be shown: of the pool, with their sizes and block means."""

    n_clusters: int
    names: tuple[str, ...]
    labels: Array
    sizes: Array
    means: Array
    final: bool


def consensus_picture(
    result: Result, id_of: Callable[[int], str], rng: np.random.Generator
) -> dict[str, Any]:
    """Return the consensus matrix of a sample, and how every candidate k orders and cuts it.

    Values are bytes, 255 = `top`, row by row in base64. A cut has the order of the objects, the names
    and sample sizes of the clusters in that order, and the means between clusters; those of the final
    clusters are over all objects, those of other candidates over the objects on which k was chosen.
    """
    pool = np.arange(result.n_samples) if result.k_choice is None else result.k_choice.rows
    places = sampled_objects(result.labels[pool], PICTURE_OBJECTS, rng)
    rows = pool[places]
    sample = result.ensemble.take(rows)
    if sample.is_soft:
        sample = Ensemble(sample.labels, weights=sample.weights)
    pairs = ConsensusMatrix(sample).pairs
    top = _top(pairs)
    matrix = squareform(pairs)
    np.fill_diagonal(matrix, 1.0)
    values = np.rint(np.minimum(matrix / top, 1.0) * 255).astype(np.uint8)
    leaves = np.empty(len(rows), dtype=np.int64)
    leaves[_leaf_order(pairs, len(rows))] = np.arange(len(rows))
    return {
        "n_shown": len(rows),
        "n_samples": result.n_samples,
        "n_pool": len(pool),
        "top": top,
        "values": base64.b64encode(values.tobytes()).decode("ascii"),
        "ids": short_names([id_of(int(row)) for row in rows], _ID_CHARACTERS),
        "cuts": [_cut(candidate, places, leaves) for candidate in _candidates(result, pool)],
    }


def _candidates(result: Result, pool: Array) -> Iterator[_Candidate]:
    """Yield every k with its clusters on the pool, the final clusters in their place."""
    others = {} if result.k_choice is None else result.k_choice.labels
    chosen_from = result.ensemble.take(pool) if len(others) > 1 else result.ensemble
    for k in sorted({*others, result.n_clusters}):
        if k == result.n_clusters:
            labels, means = result.labels[pool], result.block_means
            yield _Candidate(k, result.names, labels, result.sizes, means, final=True)
        else:
            sizes = np.bincount(others[k])
            means = block_means(chosen_from, others[k], len(sizes))
            names = tuple(str(cluster) for cluster in range(len(sizes)))
            yield _Candidate(k, names, others[k], sizes, means, final=False)


def _cut(candidate: _Candidate, places: Array, leaves: Array) -> dict[str, Any]:
    """Order the sample by cluster, clusters and objects by their place in the tree."""
    labels, means = candidate.labels[places], candidate.means
    present = np.unique(labels)
    middle = [leaves[labels == cluster].mean() for cluster in present]
    clusters = present[np.argsort(middle, kind="stable")]
    rank = np.zeros(len(candidate.names), dtype=np.int64)
    rank[clusters] = np.arange(len(clusters))
    table = np.sort(np.argsort(-candidate.sizes, kind="stable")[:TABLE_CLUSTERS])
    return {
        "n_clusters": candidate.n_clusters,
        "final": candidate.final,
        "order": np.lexsort((leaves, rank[labels])).tolist(),
        "clusters": clusters.tolist(),
        "sizes": np.bincount(rank[labels], minlength=len(clusters)).tolist(),
        "names": {str(c): candidate.names[c] for c in np.union1d(clusters, table).tolist()},
        "table": table.tolist(),
        "means": [[_rounded(means[a, b]) for b in table] for a in table],
    }


def _rounded(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


def _leaf_order(pairs: Array, n_rows: int) -> Array:
    if n_rows < 3:
        return np.arange(n_rows)
    return np.asarray(leaves_list(linkage(np.maximum(1.0 - pairs, 0.0), "average")))


def _top(pairs: Array) -> float:
    """Return the value of the darkest colour: 1, or less where members are so fine that few reach it."""
    if not len(pairs):
        return 1.0
    high = float(np.quantile(pairs, 0.99))
    return 1.0 if high > 0.6 or high <= 0 else max(0.1, float(np.ceil(high * 10 - 1e-9) / 10))
