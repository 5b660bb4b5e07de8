"""Mt-KaHyPar through mtkahypar: a multilevel hypergraph partitioner; hMETIS is not open source."""

from functools import cache
from typing import Any

import numpy as np

from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.partition._metis import sparse_rows

# Mt-KaHyPar needs integer weights: others are scaled so that the largest becomes this.
_LARGEST_WEIGHT = 1_000_000


def kahypar_hypergraph(
    H: Incidence,
    edge_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    rng: np.random.Generator,
) -> Array:
    """Put objects into K parts so that few base clusters are cut.

    The deterministic preset ignores its seed, so the seed permutes the objects instead.
    """
    mtkahypar = require("mtkahypar", extra="hypergraph", owner="partitioner='hypergraph'")
    n_rows = H.n_rows
    if n_clusters == 1:
        return np.zeros(n_rows, dtype=np.int32)
    place = rng.permutation(n_rows)
    columns = sparse_rows(H).tocsc()
    pins = np.split(place[columns.indices], columns.indptr[1:-1])
    # A hyperedge with one object cannot be cut.
    used = np.flatnonzero(np.diff(columns.indptr) > 1)
    hyperedges = [pins[c].tolist() for c in used]
    machine = _machine(mtkahypar)
    context = machine.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
    context.logging = False
    context.set_partitioning_parameters(n_clusters, imbalance, mtkahypar.Objective.CUT)
    largest = max(
        -(-n_rows // n_clusters), int((1 + imbalance) * n_rows / n_clusters * (1 + 1e-12))
    )
    context.set_individual_target_block_weights([largest] * n_clusters)
    hypergraph = machine.create_hypergraph(
        context,
        n_rows,
        len(hyperedges),
        hyperedges,
        [1] * n_rows,
        _whole_weights(edge_weight[used]).tolist(),
    )
    labels = np.array(hypergraph.partition(context).get_partition(), dtype=np.int32)[place]
    return _fill_empty_parts(labels, n_clusters)


@cache
def _machine(mtkahypar: Any) -> Any:
    """Start the thread pool of Mt-KaHyPar once per process, with one thread."""
    return mtkahypar.initialize(1, print_warnings=False)


def _whole_weights(weight: Array) -> Array:
    if np.any(weight != np.rint(weight)):
        weight = np.maximum(np.rint(weight * (_LARGEST_WEIGHT / weight.max())), 1)
    whole: Array = weight.astype(np.int64)
    return whole


def _fill_empty_parts(labels: Array, n_clusters: int) -> Array:
    """Move an object of the largest part to every empty part, since only upper limits are enforced."""
    sizes = np.bincount(labels, minlength=n_clusters)
    for part in np.flatnonzero(sizes == 0):
        largest = int(sizes.argmax())
        labels[np.flatnonzero(labels == largest)[-1]] = part
        sizes[largest] -= 1
        sizes[part] = 1
    return labels
