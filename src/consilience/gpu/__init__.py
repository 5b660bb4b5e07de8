"""One NVIDIA GPU for the sweeps over hard labels, switched on by `set_config(engine="cuda")`.

`incidence` knows nothing of this room: importing it adds an engine to `incidence.internals.ENGINES`. A
verb that is not covered, or for which there are few labels, runs on threads.
"""

from consilience.gpu._engine import CudaExecutor, problem
from consilience.incidence.internals import ENGINES

ENGINES["cuda"] = CudaExecutor()

__all__ = ["problem"]
