"""The one idea: an ensemble is a sparse 0/1 matrix H, objects x base clusters, and a few verbs."""

from consilience.incidence._block_source import ArraySource, BlockSource, StoredRows
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
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import (
    Assigned,
    Step,
    StepResult,
    Swept,
    argmax_step,
    own_score_step,
    responsibilities_step,
)

__all__ = [
    "ArraySource",
    "Assigned",
    "BlockSource",
    "EdgeVotes",
    "HardBlocks",
    "Incidence",
    "Layout",
    "PairSums",
    "SoftBlocks",
    "Step",
    "StepResult",
    "StoredRows",
    "Swept",
    "argmax_step",
    "as_array",
    "connect",
    "current_client",
    "cut",
    "from_ranges",
    "is_chunked",
    "keep",
    "map_rows",
    "on_cells",
    "on_ranges",
    "own_score_step",
    "pair_sums",
    "responsibilities_step",
    "rows_at",
    "stripe_rows",
    "threaded",
    "two_core",
]
