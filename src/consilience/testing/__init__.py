"""Checks and strategies for people who add a consensus function."""

from consilience.testing._checks import CONSENSUS_CHECKS, check_consensus_function
from consilience.testing._strategies import label_matrices

__all__ = ["CONSENSUS_CHECKS", "check_consensus_function", "label_matrices"]
