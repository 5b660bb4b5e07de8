"""Pairwise similarities: how often two objects are together."""

from consilience.consensus.pairwise._balls import BALLS
from consilience.consensus.pairwise._fc import FC
from consilience.consensus.pairwise._hac import HAC
from consilience.consensus.pairwise._lwcl import LWCL
from consilience.consensus.pairwise._lwea import LWEA
from consilience.consensus.pairwise._nmfc import NMFC
from consilience.consensus.pairwise._wc import WC

__all__ = ["BALLS", "FC", "HAC", "LWCL", "LWEA", "NMFC", "WC"]
