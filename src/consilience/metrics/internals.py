"""Names for use by other parts of the library. Not for users: they may change without notice."""

from consilience.metrics._members import (
    count_table,
    mean_nmi,
    mean_rand,
    nmi_of_members,
    nmi_with_members,
    pair_signal,
    sums_between_members,
)
from consilience.metrics._two_labellings import ari_from_squares, nmi_from_sums, squares, xlogx
from consilience.metrics._votes import (
    THETA,
    certain_votes,
    certainties,
    certainties_of_part,
    ensemble_cluster_index,
    read_labels,
    uncertainty_by_member,
    vote_table,
)

__all__ = [
    "THETA",
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
    "squares",
    "sums_between_members",
    "uncertainty_by_member",
    "vote_table",
    "xlogx",
]
