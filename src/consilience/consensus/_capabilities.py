"""What a consensus function takes and needs, declared."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Capabilities:
    """One row of the catalogue.

    Parameters
    ----------
    missing, weights, sample_weight, soft : bool
        Whether the function takes missing labels, member weights, object weights, soft members.
    profile_exact : bool
        Whether merging identical rows changes nothing; the base class then does so where it pays.
    cost : {"linear", "quadratic"}
        How time grows with the number of objects.
    finds_n_clusters : bool
        Whether the function can be run without a number of clusters.
    needs : tuple of str
        What the ensemble must know about its base clusters, see `Ensemble.with_cluster_tables`.
    constraints : bool
        Whether the function takes must-links, cannot-links and partial labels.
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
