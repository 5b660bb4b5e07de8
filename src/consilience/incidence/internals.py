"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.incidence import _tasks as tasks
from consilience.incidence._collect import Collector
from consilience.incidence._executor import ENGINES, Job, ThreadExecutor
from consilience.incidence._grid import BLOCK_ROWS
from consilience.incidence._prepared import Prepared, largest_sum
from consilience.incidence._row_vectors import distinct, power_within, row_hashes, whole_weights
from consilience.incidence._sweep import TIE_TOLERANCE

__all__ = [
    "BLOCK_ROWS",
    "ENGINES",
    "TIE_TOLERANCE",
    "Collector",
    "Job",
    "Prepared",
    "ThreadExecutor",
    "distinct",
    "largest_sum",
    "power_within",
    "row_hashes",
    "tasks",
    "whole_weights",
]
