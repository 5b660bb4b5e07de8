"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.metrics._certain_votes import (
    THETA,
    certain_votes,
    certainties,
    certainties_of_part,
    read_labels,
    vote_table,
)
from consilience.metrics._cluster_uncertainty import ensemble_cluster_index, uncertainty_by_member
from consilience.metrics._formulas import ari_from_squares, nmi_from_sums, xlogx
from consilience.metrics._member_tables import count_table, mean_nmi, mean_rand, nmi_with_members
from consilience.metrics._overlap_sums import OverlapSums, sums_of_squares, sums_of_xlogx
from consilience.metrics._pair_signal import pair_signal
from consilience.metrics._pairwise_nmi import nmi_of_members

__all__ = [
    "THETA",
    "OverlapSums",
    "ari_from_squares",
    "certain_votes",
    "certainties",
    "certainties_of_part",
    "count_table",
    "ensemble_cluster_index",
    "mean_nmi",
    "mean_rand",
    "nmi_from_sums",
    "nmi_of_members",
    "nmi_with_members",
    "pair_signal",
    "read_labels",
    "sums_of_squares",
    "sums_of_xlogx",
    "uncertainty_by_member",
    "vote_table",
    "xlogx",
]
