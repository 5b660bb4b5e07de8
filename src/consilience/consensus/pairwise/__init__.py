"""Pairwise similarities: how often two objects are together."""

from consilience.consensus.pairwise._agglomeration import HAC, LWCL, LWEA
from consilience.consensus.pairwise._balls import BALLS
from consilience.consensus.pairwise._factorisation import NMFC, WC
from consilience.consensus.pairwise._fc import FC

__all__ = ["BALLS", "FC", "HAC", "LWCL", "LWEA", "NMFC", "WC"]
