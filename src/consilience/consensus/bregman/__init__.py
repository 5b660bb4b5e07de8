"""Bregman: the connectivity nearest to all members, with learned weights and constraints."""

from consilience.consensus.bregman._divergence import Divergence, NamedDivergence
from consilience.consensus.bregman._functions import GCA, GWCA

__all__ = ["GCA", "GWCA", "Divergence", "NamedDivergence"]
