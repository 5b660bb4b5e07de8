"""Correspondence: match similar base clusters first, then let them vote on the objects."""

from consilience.consensus.correspondence._ccsvd import CCSVD
from consilience.consensus.correspondence._metaclusters import CCC, CCU

__all__ = ["CCC", "CCSVD", "CCU"]
