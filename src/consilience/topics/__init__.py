"""A consensus with noise, for BERTopic and other pipelines of texts."""
