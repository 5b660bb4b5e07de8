"""Assess an ensemble, choose the number of clusters, and measure the stability of a consensus."""

from consilience.diagnose._choose_k import choose_k
from consilience.diagnose._cluster_separation import ClusterSeparation, cluster_separation
from consilience.diagnose._compare_functions import FunctionComparison, compare_functions
from consilience.diagnose._consensus_matrix import ConsensusMatrix
from consilience.diagnose._enough_members import EnoughMembers, enough_members
from consilience.diagnose._k_choice import KChoice, KRow
from consilience.diagnose._members import (
    DiversityQuality,
    MemberReport,
    diversity_quality,
    member_report,
    member_weights,
)
from consilience.diagnose._merge_tree import MergeTree
from consilience.diagnose._null_data import structureless_data
from consilience.diagnose._seams import Merge
from consilience.diagnose._select_members import select_members
from consilience.diagnose._stability import Stability, stability

__all__ = [
    "ClusterSeparation",
    "ConsensusMatrix",
    "DiversityQuality",
    "EnoughMembers",
    "FunctionComparison",
    "KChoice",
    "KRow",
    "MemberReport",
    "Merge",
    "MergeTree",
    "Stability",
    "choose_k",
    "cluster_separation",
    "compare_functions",
    "diversity_quality",
    "enough_members",
    "member_report",
    "member_weights",
    "select_members",
    "stability",
    "structureless_data",
]
