"""From an ensemble to one clustering: a folder per family, a file per consensus function."""

from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._catalogue import catalogue
from consilience.consensus._solution import Solution
from consilience.consensus.mixture import KMCF, MultinomialMixture
from consilience.consensus.voting import BEST, IPC, IPVC, IVC, PluralityVoting

__all__ = [
    "BEST",
    "IPC",
    "IPVC",
    "IVC",
    "KMCF",
    "Capabilities",
    "ConsensusFunction",
    "MultinomialMixture",
    "Outcome",
    "PluralityVoting",
    "Solution",
    "catalogue",
]
