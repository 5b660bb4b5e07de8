"""Correspondence: base clusters that mean the same are found first; then objects vote."""

from consilience.consensus.correspondence._ccc import CCC
from consilience.consensus.correspondence._ccsvd import CCSVD
from consilience.consensus.correspondence._ccu import CCU

__all__ = ["CCC", "CCSVD", "CCU"]
