"""Bregman: the connectivity nearest to all members, with learned weights and constraints."""

from consilience.consensus.bregman._divergence import Divergence
from consilience.consensus.bregman._euclidean import Euclidean
from consilience.consensus.bregman._exponential import Exponential
from consilience.consensus.bregman._gca import GCA
from consilience.consensus.bregman._gwca import GWCA
from consilience.consensus.bregman._itakura_saito import ItakuraSaito
from consilience.consensus.bregman._kullback_leibler import KullbackLeibler
from consilience.consensus.bregman._logistic import Logistic

__all__ = [
    "GCA",
    "GWCA",
    "Divergence",
    "Euclidean",
    "Exponential",
    "ItakuraSaito",
    "KullbackLeibler",
    "Logistic",
]
