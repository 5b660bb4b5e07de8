"""From data to one partition."""

from consilience.clusterers._lac import LAC

__all__ = ["LAC"]
