"""CBGF: cluster-based graph formulation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Flag, Integer, Seed
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.graph._meta_clusters import TIES, jaccard, join_groups
from consilience.ensemble import Ensemble
from consilience.partition import njw_dense, vote_table


class CBGF(ConsensusFunction):
    """Cluster-based graph formulation: group the base clusters, then let them vote.

    Base clusters are vertices; the weight of an edge is the Jaccard similarity of its ends. Spectral
    clustering groups them into K meta-clusters. Every object joins the meta-cluster that holds most of
    its base clusters.

    Parameters
    ----------
    keep_diagonal : bool, default False
        Keep the similarity of every base cluster with itself; the algorithm sets it to zero.
    ties : {"first", "random"}, default "first"
        What an object joins for which several groups have most votes: the first of them, or one at
        random. Identical objects may then be separated.
    n_init : int, default 10
        k-means starts of the spectral step.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Attributes
    ----------
    meta_clusters_
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    MCLA : Averages instead of adding, and weighs base clusters by their size.
    HBGF : Groups objects and base clusters together.

    Notes
    -----
    O(n r^2) for the overlaps, O(t^3) for the eigenvectors, O(n r K) for the votes. A missing label is
    one vote less. If a group gets no object, the result has fewer than K clusters. The paper
    breaks ties at random (`ties`).

    References
    ----------
    [fern2004]_, section 4.1.2

    Examples
    --------
    >>> from consilience.consensus import CBGF
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> CBGF(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "keep_diagonal": Flag(),
        "ties": TIES,
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        keep_diagonal: bool = False,
        ties: str = "first",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.keep_diagonal = keep_diagonal
        self.ties = ties
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def active_capabilities(self) -> Capabilities:
        """Random ties may separate identical objects, which are then not merged."""
        active = super().active_capabilities()
        return active if self.ties == "first" else replace(active, profile_exact=False)

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        groups = njw_dense(
            jaccard(ensemble),
            min(n_clusters, ensemble.n_base_clusters),
            keep_diagonal=self.keep_diagonal,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        table = vote_table(groups.labels, ensemble.column_weights, n_clusters)
        return Outcome(
            join_groups(ensemble, table, self.ties, rng),
            n_iter=groups.n_iter,
            converged=groups.converged,
            attributes={"meta_clusters_": groups.labels},
        )
