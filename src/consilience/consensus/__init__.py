"""From an ensemble to one clustering: a folder per family, a file per consensus function."""

from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._catalogue import catalogue
from consilience.consensus._solution import Solution
from consilience.consensus._supra import Supra
from consilience.consensus.correspondence import CCC, CCSVD, CCU
from consilience.consensus.graph import CBGF, CSPA, HBGF, HGPA, IBGF, LWGP, MCLA
from consilience.consensus.mixture import KMCF, MultinomialMixture
from consilience.consensus.pairwise import FC, HAC, LWEA, NMFC, WC
from consilience.consensus.voting import BEST, IPC, IPVC, IVC, PluralityVoting

__all__ = [
    "BEST",
    "CBGF",
    "CCC",
    "CCSVD",
    "CCU",
    "CSPA",
    "FC",
    "HAC",
    "HBGF",
    "HGPA",
    "IBGF",
    "IPC",
    "IPVC",
    "IVC",
    "KMCF",
    "LWEA",
    "LWGP",
    "MCLA",
    "NMFC",
    "WC",
    "Capabilities",
    "ConsensusFunction",
    "MultinomialMixture",
    "Outcome",
    "PluralityVoting",
    "Solution",
    "Supra",
    "catalogue",
]
