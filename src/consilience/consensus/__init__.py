"""Consensus functions: combine an ensemble into one clustering."""

from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._catalogue import catalogue
from consilience.consensus._constraints import ConstraintReport
from consilience.consensus._doubts import Doubt
from consilience.consensus._panel import Concord, Supra
from consilience.consensus.bregman import GCA, GWCA
from consilience.consensus.correspondence import CCC, CCSVD, CCU
from consilience.consensus.features import BaggedClustering, Labelling
from consilience.consensus.graph import CBGF, CSPA, HBGF, HGPA, IBGF, LWGP, MCLA, WBPA, WSPA
from consilience.consensus.mixture import KMCF, MultinomialMixture
from consilience.consensus.pairwise import BALLS, FC, HAC, LWCL, LWEA, NMFC, WC
from consilience.consensus.voting import BEST, IPC, IPVC, IVC, PluralityVoting, VotingMerging
from consilience.partition import Solution

__all__ = [
    "BALLS",
    "BEST",
    "CBGF",
    "CCC",
    "CCSVD",
    "CCU",
    "CSPA",
    "FC",
    "GCA",
    "GWCA",
    "HAC",
    "HBGF",
    "HGPA",
    "IBGF",
    "IPC",
    "IPVC",
    "IVC",
    "KMCF",
    "LWCL",
    "LWEA",
    "LWGP",
    "MCLA",
    "NMFC",
    "WBPA",
    "WC",
    "WSPA",
    "BaggedClustering",
    "Capabilities",
    "Concord",
    "ConsensusFunction",
    "ConstraintReport",
    "Doubt",
    "Labelling",
    "MultinomialMixture",
    "Outcome",
    "PluralityVoting",
    "Solution",
    "Supra",
    "VotingMerging",
    "catalogue",
]
