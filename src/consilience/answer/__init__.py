"""From data to clusters: members, candidates, borders, score, probability, votes, words."""

from consilience.answer._answers import Answer
from consilience.answer._choose_k import choose_k
from consilience.answer._consensus_clustering import ConsensusClustering
from consilience.answer._k_choice import KChoice, KRow

__all__ = ["Answer", "ConsensusClustering", "KChoice", "KRow", "choose_k"]
