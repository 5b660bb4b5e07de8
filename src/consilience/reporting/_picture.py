"""How often objects go together: a picture of some, and the means between clusters of all."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.plot.internals import ClusterCounts, consensus_of_rows
from consilience.reporting._result import Result
from consilience.reporting._shown import sampled_objects, short_names
from consilience.reporting._words import rounded

PICTURE_OBJECTS = 400
# Letters for the names of all objects.
_ID_CHARACTERS = 60_000
# With more clusters the table is left out, because it would be unreadable.
TABLE_CLUSTERS = 30


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
    matrix, tree = consensus_of_rows(result.ensemble, rows)
    top = _top(matrix[np.triu_indices(len(rows), 1)])
    values = np.rint(np.minimum(matrix / top, 1.0) * 255).astype(np.uint8)
    leaves = np.argsort(tree.order)
    return {
        "n_shown": len(rows),
        "n_samples": result.n_samples,
        "n_pool": len(pool),
        "top": top,
        "values": base64.b64encode(values.tobytes()).decode("ascii"),
        "ids": short_names(id_of, rows, _ID_CHARACTERS),
        "cuts": list(_cuts(result, pool, places, leaves)),
    }


def _cuts(result: Result, pool: Array, places: Array, leaves: Array) -> Iterator[dict[str, Any]]:
    """Yield the cut of every k, the final clusters in their place.

    The sample is ordered by cluster, clusters and objects by their place in the tree.
    """
    others = {} if result.k_choice is None else result.k_choice.labels
    chosen_from = result.ensemble.take(pool) if len(others) > 1 else result.ensemble
    for k in sorted({*others, result.n_clusters}):
        final = k == result.n_clusters
        if final:
            labels, names, sizes = result.labels[pool], result.names, result.sizes
            means = result.block_means
        else:
            labels, sizes = others[k], np.bincount(others[k])
            names = tuple(str(cluster) for cluster in range(len(sizes)))
            means = ClusterCounts(chosen_from, labels, len(sizes)).block_means()
        labels = labels[places]
        present = np.unique(labels)
        middle = [leaves[labels == cluster].mean() for cluster in present]
        clusters = present[np.argsort(middle, kind="stable")]
        rank = np.zeros(len(names), dtype=np.int64)
        rank[clusters] = np.arange(len(clusters))
        table = np.sort(np.argsort(-sizes, kind="stable")[:TABLE_CLUSTERS])
        yield {
            "n_clusters": k,
            "final": final,
            "order": np.lexsort((leaves, rank[labels])).tolist(),
            "clusters": clusters.tolist(),
            "sizes": np.bincount(rank[labels], minlength=len(clusters)).tolist(),
            "names": {str(c): names[c] for c in np.union1d(clusters, table).tolist()},
            "table": table.tolist(),
            "means": [[rounded(means[a, b]) for b in table] for a in table],
        }


def _top(pairs: Array) -> float:
    """Return the value of the darkest colour: 1, or less where members are so fine that few reach it."""
    if not len(pairs):
        return 1.0
    high = float(np.quantile(pairs, 0.99))
    return 1.0 if high > 0.6 or high <= 0 else max(0.1, float(np.ceil(high * 10 - 1e-9) / 10))
