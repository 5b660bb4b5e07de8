"""HBGF: hybrid bipartite graph formulation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Flag, Integer, Real, Seed
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.ensemble import Ensemble
from consilience.partition import (
    EmbeddedRows,
    ScaledIncidence,
    leading_vectors,
    partition_bipartite,
    row_kmeans,
)


class HBGF(ConsensusFunction):
    """Hybrid bipartite graph formulation: cut objects and base clusters apart together.

    Objects and base clusters are the two sides of a graph; an object is linked with the base clusters
    it lies in, and with nothing else. Cutting this graph groups objects by shared clusters and clusters
    by shared objects at the same time, and forgets neither.

    The spectral form takes the K leading singular vectors u, v of D1^(-1/2) H W D2^(-1/2), with H the
    incidence, W the member weights, D1 and D2 the row and column sums; scales the n + t rows to length
    one; and runs k-means on them.

    Parameters
    ----------
    partitioner : {"spectral", "dhillon", "balanced", "metis"}, default "spectral"
        Spectral as in the paper; Dhillon's form with ceil(log2 K) vectors and no row scaling; or parts
        with equal numbers of objects, by our own local search or by METIS.
    objects_only : bool, default False
        Run k-means on the rows of the objects alone (spectral forms).
    imbalance : float, default 0
        How far the balanced forms may exceed equal sizes: n_k <= (1 + imbalance) ceil(n / K).
    n_init : int, default 10
        Starts of k-means or of the local search.
    max_iter : int, default 300
        Most rounds of k-means or passes of the local search.

    Attributes
    ----------
    objective_ : float
        Sum of squares of the embedded rows about their centres.
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    LWGP : The same graph, base clusters weighted by how sure they are.
    IBGF : Objects only.

    Notes
    -----
    O(n r^2 + t^3), or O(n r) a product if t is large; O(n r K) for k-means. A missing label is a link
    less. The balanced forms refuse `sample_weight`, METIS also soft members. Parts of equal size are
    wrong where clusters are not of equal size.

    References
    ----------
    [fern2004]_, section 4.1.3; [dhillon2001]_

    Examples
    --------
    >>> from consilience.consensus import HBGF
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> HBGF(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": Choice("spectral", "dhillon", "balanced", "metis"),
        "objects_only": Flag(),
        "imbalance": Real(0),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str = "spectral",
        objects_only: bool = False,
        imbalance: float = 0.0,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.objects_only = objects_only
        self.imbalance = imbalance
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _in_force(self) -> Capabilities:
        if self.partitioner not in ("balanced", "metis"):
            return self.capabilities
        # Balance counts every object once, so copies must not be merged.
        return replace(
            self.capabilities,
            profile_exact=False,
            sample_weight=False,
        )

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        if self.partitioner in ("balanced", "metis"):
            return self._equal_parts(ensemble, n_clusters, rng)
        rows = self._embedding(ensemble, n_clusters)
        found = row_kmeans(rows, n_clusters, n_init=self.n_init, max_iter=self.max_iter, rng=rng)
        return Outcome(
            found.labels,
            objective=found.objective,
            n_iter=found.n_iter,
            converged=found.converged,
        )

    def _equal_parts(
        self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator
    ) -> Outcome:
        parts = partition_bipartite(
            ensemble.incidence,
            ensemble.weights[ensemble.layout.member_of],
            n_clusters,
            engine=self.partitioner,
            imbalance=self.imbalance,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        return Outcome(parts.labels, objective=parts.objective, n_iter=max(1, parts.n_iter))

    def _embedding(self, ensemble: Ensemble, n_clusters: int) -> EmbeddedRows:
        """Return the rows of objects and base clusters in the space of the leading vectors."""
        H = ensemble.incidence
        weights = ensemble.weights[ensemble.layout.member_of]
        # One number where every member knows every object.
        known = H.observed(ensemble.weights) if ensemble.has_missing else ensemble.weights.sum()
        by_row = 1 / np.sqrt(known)
        # A base cluster in which no object has a share has no links.
        sizes = np.where(H.sizes > 0, H.sizes, 1)
        by_column = np.sqrt(weights / sizes)
        scaled = ScaledIncidence(H, by_row, by_column)
        if self.partitioner == "spectral":
            vectors = leading_vectors(scaled, n_clusters)
            extra = None if self.objects_only else vectors.right
            return EmbeddedRows(H, vectors.table, extra=extra)
        # Dhillon: leave out the first, constant vector; divide by the root of the degrees.
        n_vectors = 1 + int(np.ceil(np.log2(max(2, n_clusters))))
        vectors = leading_vectors(scaled, min(n_vectors, ensemble.n_base_clusters))
        degree = np.sqrt(weights * sizes)
        extra = None if self.objects_only else vectors.right[:, 1:] / degree[:, None]
        return EmbeddedRows(
            # D1^(-1/2) u = D1^(-1) H times the table
            H,
            vectors.table[:, 1:],
            unit=False,
            extra=extra,
            row_scale=np.broadcast_to(np.square(by_row), H.n_rows),
        )
