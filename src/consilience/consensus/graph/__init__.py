"""Graph: partition a graph of objects, of base clusters, or of both."""

from consilience.consensus.graph._cbgf import CBGF
from consilience.consensus.graph._cspa import CSPA
from consilience.consensus.graph._hbgf import HBGF
from consilience.consensus.graph._hgpa import HGPA
from consilience.consensus.graph._ibgf import IBGF
from consilience.consensus.graph._lwgp import LWGP
from consilience.consensus.graph._mcla import MCLA
from consilience.consensus.graph._wbpa import WBPA
from consilience.consensus.graph._wspa import WSPA

__all__ = ["CBGF", "CSPA", "HBGF", "HGPA", "IBGF", "LWGP", "MCLA", "WBPA", "WSPA"]
