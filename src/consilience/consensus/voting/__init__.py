"""Voting: every object joins the cluster that gets most votes of the members."""

from consilience.consensus.voting._best import BEST
from consilience.consensus.voting._iterative_voting import IPC, IPVC, IVC
from consilience.consensus.voting._plurality_voting import PluralityVoting
from consilience.consensus.voting._voting_merging import VotingMerging

__all__ = ["BEST", "IPC", "IPVC", "IVC", "PluralityVoting", "VotingMerging"]
