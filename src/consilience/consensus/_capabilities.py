"""Declaration of the input that a consensus function accepts and needs."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Capabilities:
    """Capabilities of one consensus function.

    Parameters
    ----------
    missing, weights, sample_weight, soft : bool
        Whether the function accepts missing labels, member weights, object weights, soft members.
    profile_exact : bool
        Whether merging identical rows leaves the result unchanged; the base class then merges them
        where this saves time.
    cost : {"linear", "quadratic"}
        How the running time grows with the number of objects.
    finds_n_clusters : bool
        Whether the function can be run without a number of clusters.
    needs : tuple of str
        Names of the tables that the ensemble must have, see `Ensemble.with_cluster_tables`.
    constraints : bool
        Whether the function accepts must-links, cannot-links and partial labels.
    """

    missing: bool = True
    weights: bool = True
    sample_weight: bool = True
    soft: bool = True
    profile_exact: bool = True
    cost: Literal["linear", "quadratic"] = "linear"
    finds_n_clusters: bool = False
    needs: tuple[str, ...] = ()
    constraints: bool = False
