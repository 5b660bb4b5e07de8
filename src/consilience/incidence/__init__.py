"""The one idea: an ensemble is a sparse 0/1 matrix H, objects x base clusters, and a few verbs."""

from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._hard import HardBlocks
from consilience.incidence._layout import Layout
from consilience.incidence._operator import Incidence
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import (
    Assigned,
    Step,
    StepResult,
    Swept,
    argmax_step,
    responsibilities_step,
)

__all__ = [
    "ArraySource",
    "Assigned",
    "BlockSource",
    "HardBlocks",
    "Incidence",
    "Layout",
    "SoftBlocks",
    "Step",
    "StepResult",
    "Swept",
    "argmax_step",
    "responsibilities_step",
]
