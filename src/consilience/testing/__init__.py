"""Checks and strategies for people who add a consensus function or a generator."""

from consilience.testing._checks import CONSENSUS_CHECKS, check_consensus_function
from consilience.testing._generator_checks import GENERATOR_CHECKS, check_generator
from consilience.testing._strategies import label_matrices

__all__ = [
    "CONSENSUS_CHECKS",
    "GENERATOR_CHECKS",
    "check_consensus_function",
    "check_generator",
    "label_matrices",
]
