"""A consensus with noise, for BERTopic and other pipelines of texts."""

from consilience.topics._consensus_topics import ConsensusTopics

__all__ = ["ConsensusTopics"]
