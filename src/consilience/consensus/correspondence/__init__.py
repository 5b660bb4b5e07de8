"""Correspondence: match similar base clusters first, then let them vote on the objects."""

from consilience.consensus.correspondence._ccc import CCC
from consilience.consensus.correspondence._ccsvd import CCSVD
from consilience.consensus.correspondence._ccu import CCU

__all__ = ["CCC", "CCSVD", "CCU"]
