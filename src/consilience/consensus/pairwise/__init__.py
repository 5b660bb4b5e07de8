"""Pairwise similarities: how often two objects are together."""

from consilience.consensus.pairwise._fc import FC
from consilience.consensus.pairwise._hac import HAC
from consilience.consensus.pairwise._lwea import LWEA

__all__ = ["FC", "HAC", "LWEA"]
