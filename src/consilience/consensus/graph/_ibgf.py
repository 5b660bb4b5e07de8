"""IBGF: instance-based graph formulation."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Flag, Integer, Seed
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.ensemble import Ensemble
from consilience.partition import njw_incidence


class IBGF(ConsensusFunction):
    """Instance-based graph formulation: spectral clustering of the co-association graph.

    Objects are vertices; the weight of an edge is the share of members that put its ends together. The
    graph is cut by spectral clustering: the K leading eigenvectors of the normalised graph, rows scaled
    to length one, k-means.

    S = H diag(w) H' / sum(w), with H the incidence of objects and base clusters and w the weights of
    the members, is never formed: its eigenvectors are singular vectors of a scaled H.

    Parameters
    ----------
    keep_diagonal : bool, default False
        Keep the similarity of every object with itself. The algorithm sets it to zero; keeping it
        changes eigenvalues by O(K / n) and is faster.
    n_init : int, default 10
        k-means starts.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Attributes
    ----------
    objective_ : float
        Sum of squares of the embedded rows about their centres.
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    HBGF : Keeps objects and clusters as vertices; faster.
    CSPA : The same graph, cut into parts of equal size.

    Notes
    -----
    O(n r^2 + t^3) for the Gram matrix, then O(n r) for every product of the Lanczos iteration that
    removes the diagonal; memory O(n r + n K). A missing label adds no similarity.

    References
    ----------
    [fern2004]_, section 4.1.1; [ng2002]_

    Examples
    --------
    >>> from consilience.consensus import IBGF
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> IBGF(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "keep_diagonal": Flag(),
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
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.keep_diagonal = keep_diagonal
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        share = ensemble.weights / ensemble.weights.sum()
        found = njw_incidence(
            ensemble.incidence,
            share[ensemble.layout.member_of],
            n_clusters,
            keep_diagonal=self.keep_diagonal,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        return Outcome.of(found)
