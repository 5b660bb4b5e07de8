"""Mt-KaHyPar through mtkahypar: a multilevel hypergraph partitioner; hMETIS is not open source."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Real
from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.partition._graphs import Hypergraph, sparse_rows
from consilience.partition._partitioner import Partitioner, SizeBounds
from consilience.partition._solution import Solution

# Mt-KaHyPar needs integer weights: others are scaled so that the largest becomes this.
_LARGEST_WEIGHT = 1_000_000


@dataclass(frozen=True)
class MtKaHyPar(Partitioner):
    """Cut a hypergraph by Mt-KaHyPar, in place of hMETIS; needs ``consilience[hypergraph]``.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes.
    """

    imbalance: float = 0.0

    equal_parts: ClassVar[bool] = True
    parameters: ClassVar = {"imbalance": Real(0)}

    def cut_hypergraph(
        self, graph: Hypergraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the cut base clusters.

        The deterministic preset ignores its seed, so the seed permutes the objects instead.
        """
        mtkahypar = require("mtkahypar", extra="hypergraph", owner="partitioner='hypergraph'")
        n_rows = graph.H.n_rows
        if n_clusters == 1:
            return [Solution.minimised(np.zeros(n_rows, dtype=np.int32), 0.0)]
        place = rng.permutation(n_rows)
        columns = sparse_rows(graph.H).tocsc()
        pins = np.split(place[columns.indices], columns.indptr[1:-1])
        # A hyperedge with one object cannot be cut.
        used = np.flatnonzero(np.diff(columns.indptr) > 1)
        hyperedges = [pins[c].tolist() for c in used]
        machine = _machine(mtkahypar)
        context = machine.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
        context.logging = False
        context.set_partitioning_parameters(n_clusters, self.imbalance, mtkahypar.Objective.CUT)
        bounds = SizeBounds.of_share(n_rows, n_clusters, self.imbalance)
        context.set_individual_target_block_weights([bounds.largest] * n_clusters)
        hypergraph = machine.create_hypergraph(
            context,
            n_rows,
            len(hyperedges),
            hyperedges,
            [1] * n_rows,
            _whole_weights(graph.edge_weight[used]).tolist(),
        )
        found = np.array(hypergraph.partition(context).get_partition(), dtype=np.int32)[place]
        labels = _fill_empty_parts(found, n_clusters)
        return [Solution.minimised(labels, graph.broken_weight(labels, n_clusters))]


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
