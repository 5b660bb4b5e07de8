"""Clusterers: cluster data into one partition."""

from consilience.clusterers._lac import LAC

__all__ = ["LAC"]
