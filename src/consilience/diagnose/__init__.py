"""Assess an ensemble, and measure the stability of a consensus."""

from consilience.diagnose._compare_functions import FunctionComparison, compare_functions
from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._enough_members import EnoughMembers, enough_members
from consilience.diagnose._members import (
    DiversityQuality,
    MemberReport,
    diversity_quality,
    member_report,
    member_weights,
)
from consilience.diagnose._null_data import structureless_data
from consilience.diagnose._select_members import select_members
from consilience.diagnose._stability import Stability, stability

__all__ = [
    "ConsensusMatrix",
    "DiversityQuality",
    "EnoughMembers",
    "FunctionComparison",
    "MemberReport",
    "Stability",
    "compare_functions",
    "diversity_quality",
    "enough_members",
    "member_report",
    "member_weights",
    "select_members",
    "stability",
    "structureless_data",
]
