"""The incidence matrix H of an ensemble, objects x base clusters, and its operations (verbs)."""

from consilience.incidence._block_source import ArraySource, BlockSource, StoredRows
from consilience.incidence._collect import as_narrow_as, widened_rows
from consilience.incidence._dask import (
    as_array,
    connect,
    current_client,
    from_ranges,
    is_chunked,
    keep,
    map_rows,
    on_ranges,
    rows_at,
)
from consilience.incidence._edges import EdgeVotes, two_core
from consilience.incidence._executor import threaded
from consilience.incidence._grid import cut, stripe_rows
from consilience.incidence._hard import HardBlocks
from consilience.incidence._layout import Layout
from consilience.incidence._operator import Incidence
from consilience.incidence._overlaps import PairSums, on_cells, pair_sums
from consilience.incidence._row_vectors import (
    first_rows,
    label_digest,
    label_sizes,
    n_different,
    relabelled,
)
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import (
    Assigned,
    NearestCentres,
    Step,
    StepResult,
    Swept,
    argmax_step,
    as_points,
    nearest_points,
    own_score_step,
    random_argmax_step,
    responsibilities_step,
    unit_rows,
)

__all__ = [
    "ArraySource",
    "Assigned",
    "BlockSource",
    "EdgeVotes",
    "HardBlocks",
    "Incidence",
    "Layout",
    "NearestCentres",
    "PairSums",
    "SoftBlocks",
    "Step",
    "StepResult",
    "StoredRows",
    "Swept",
    "argmax_step",
    "as_array",
    "as_narrow_as",
    "as_points",
    "connect",
    "current_client",
    "cut",
    "first_rows",
    "from_ranges",
    "is_chunked",
    "keep",
    "label_digest",
    "label_sizes",
    "map_rows",
    "n_different",
    "nearest_points",
    "on_cells",
    "on_ranges",
    "own_score_step",
    "pair_sums",
    "random_argmax_step",
    "relabelled",
    "responsibilities_step",
    "rows_at",
    "stripe_rows",
    "threaded",
    "two_core",
    "unit_rows",
    "widened_rows",
]
