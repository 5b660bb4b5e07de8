"""Checks for people who add a consensus function or a generator."""

from consilience.testing._checks import CONSENSUS_CHECKS, check_consensus_function
from consilience.testing._generator_checks import GENERATOR_CHECKS, check_generator

__all__ = [
    "CONSENSUS_CHECKS",
    "GENERATOR_CHECKS",
    "check_consensus_function",
    "check_generator",
]
