"""NMFC and WC: factorisation of the co-association S as Q B Q' without forming S."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._doubts import COLLAPSED_WEIGHTS, Doubt
from consilience.ensemble import Ensemble
from consilience.incidence import Incidence, StepResult, argmax_step
from consilience.partition import incidence_kmeans, member_gram, minimise_on_simplex

# The defaults of KMCF, whose result is the start.
_START_RUNS = 10
_START_ROUNDS = 300
# Every object starts with a small membership in every cluster, because zeros would remain zero.
_SOFTENING = 0.2
_NO_ZERO = 1e-12
# Objectives below this share of |S|^2 are rounding errors.
_ROUNDING = 1e-12


class Settled(NamedTuple):
    """History of the iterations."""

    history: list[float]
    converged: bool


class SymmetricFactors:
    """Q (n, K) and B (K, K), which change from round to round, with S near Q B Q'.

    S = H diag(c) H', with c the weights of the columns. Rows of H that represent several objects are
    counted that many times. Only one array has n rows; all other values are computed from two tables:

    rows      (n, K) Q
    middle    (K, K) B; it starts and stays diagonal
    sums      (t, K) H' Q, so that S Q is a gather and Q' S Q a small product
    products  (K, K) Q' Q
    """

    def __init__(self, H: Incidence, labels: Array, n_clusters: int) -> None:
        """Start from a clustering Z: Z + 0.2 with columns of length one, and B = Z' Z."""
        self.H = H
        sizes = np.bincount(labels, weights=H.row_weight, minlength=n_clusters).astype(np.float64)
        table = np.eye(n_clusters) + _SOFTENING
        table /= np.sqrt(sizes @ np.square(table))
        self.rows = table[labels]
        self.middle = np.diag(sizes)
        self.sums = H.count(labels, n_clusters) @ table
        self.products = table.T @ (sizes[:, None] * table)

    @classmethod
    def of(
        cls, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator
    ) -> "SymmetricFactors":
        """Start from k-means on the rows of H."""
        runs = incidence_kmeans(
            ensemble.incidence,
            n_clusters,
            member_weights=ensemble.weights,
            unit_variance=False,
            n_init=_START_RUNS,
            max_iter=_START_ROUNDS,
            rng=rng,
        )
        best = min(runs, key=lambda run: run.objective)
        return cls(ensemble.incidence, best.labels, n_clusters)

    def settle(self, columns: Array, square: float, *, max_iter: int, tol: float) -> Settled:
        """Iterate until the relative change of the objective is small.

        `columns` are the weights of the columns of H in S, `square` is |S|^2.
        """
        history: list[float] = []
        converged = False
        while not converged and len(history) < max_iter:
            self.round(columns)
            history.append(self.objective(columns, square))
            if len(history) > 1:
                scale = max(history[-2], _ROUNDING * square)
                converged = abs(history[-1] - history[-2]) <= tol * scale
        return Settled(history, converged)

    def round(self, columns: Array) -> None:
        """Multiply Q, then B, by the square roots of their ratios [li2007]_; one sweep."""
        pulled = columns[:, None] * self.sums @ self.middle
        step = partial(_factor_step, pull=self.sums.T @ pulled)
        swept = self.H.sweep(pulled, step, (self.rows, self.H.row_weight))
        self.rows = swept.per_row()
        self.sums = swept.scattered()
        (self.products,) = swept.sums
        modelled = self.products @ self.middle @ self.products
        self.middle = self.middle * np.sqrt(self.similarity(columns) / (modelled + _NO_ZERO))

    def similarity(self, columns: Array) -> Array:
        """Return Q' S Q, (K, K)."""
        product: Array = self.sums.T @ (columns[:, None] * self.sums)
        return product

    def objective(self, columns: Array, square: float) -> float:
        """|S - Q B Q'|^2 from |S|^2 and the small tables."""
        overlap = np.sum(self.middle * self.similarity(columns))
        return float(square - 2 * overlap + self.square())

    def square(self) -> float:
        """|Q B Q'|^2."""
        return float(np.sum((self.middle @ self.products) * (self.products @ self.middle)))

    def base_cluster_overlaps(self) -> Array:
        """Return <h_c h_c', Q B Q'> for every base cluster c, (t,)."""
        overlaps: Array = np.sum((self.sums @ self.middle) * self.sums, axis=1)
        return overlaps

    def labels(self) -> Array:
        """Label every row by the largest entry of Q B^(1/2)."""
        labels = argmax_step(self.rows * np.sqrt(np.diagonal(self.middle))).labels
        assert labels is not None  # noqa: S101 - the step labels every row
        return labels


def _factor_step(scores: Array, rows: Array, weight: Array | None, *, pull: Array) -> StepResult:
    """Q <- Q sqrt(S Q B / (Q Q' S Q B)) for a slice of rows; scores: S Q B, pull: Q' S Q B."""
    updated = rows @ pull
    updated += _NO_ZERO
    np.divide(scores, updated, out=updated)
    np.sqrt(updated, out=updated)
    updated *= rows
    weighted = updated if weight is None else updated * weight[:, None]
    return StepResult(memberships=updated, values=updated, sums=(updated.T @ weighted,))


class NMFC(ConsensusFunction):
    """Consensus by non-negative matrix factorisation.

    The share of members that put two objects together is a similarity. It is approximated by a product
    of non-negative memberships, so that objects that share clusters are similar. Memberships may be
    fractions; every object then joins the cluster with its largest membership.

    Seeks Q >= 0 (n, K), near-orthonormal columns, and B >= 0 (K, K), diagonal, with small
    |S - Q B Q'|^2, where S_ij is the share of the members that put i and j together.

    Parameters
    ----------
    max_iter : int, default 500
        Maximum number of iterations.
    tol : float, default 1e-5
        Stop when the relative change of the objective is at most this.
    random_state : int, generator or None
        Draws the k-means++ starts of the first clustering.

    Attributes
    ----------
    objective_, history_ : float, list of float
        |S - Q B Q'|^2, at the end and after every round. It decreases at first and may increase later,
        because the update also makes the columns of Q nearly orthonormal, which increases the error.

    See Also
    --------
    WC : Learns the weights of the members as well.
    KMCF : Gives the starting labels.

    Notes
    -----
    O(n r K) a round, one sweep; S is never formed: S Q = H (H' Q) / r, and |S|^2 is the sum of the
    squared overlaps of base clusters over r^2. Starts from the best of ten k-means runs on the rows of
    H. Soft members contribute the products of their memberships to S. A member that does not label one
    of two objects does not put them together (S is divided by the number of all members).

    References
    ----------
    [li2007]_

    Examples
    --------
    >>> from consilience.consensus import NMFC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> NMFC(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(0),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        max_iter: int = 500,
        tol: float = 1e-5,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        layout = ensemble.layout
        counted = ensemble.counted_weights
        columns = (counted / counted.sum())[layout.member_of]
        square = columns @ np.square(ensemble.incidence.gram(), dtype=np.float64) @ columns
        factors = SymmetricFactors.of(ensemble, n_clusters, rng)
        settled = factors.settle(columns, float(square), max_iter=self.max_iter, tol=self.tol)
        return Outcome(
            labels=factors.labels(),
            objective=settled.history[-1],
            history=settled.history,
            n_iter=len(settled.history),
            converged=settled.converged,
        )


# Iterations of the factorisation between two updates of the weights, and its tolerance; the total is
# the maximum of NMFC.
_FACTOR_ROUNDS = 10
_FACTOR_TOLERANCE = 1e-5
# A member with more than this share of the weight determines the result alone.
_COLLAPSED = 0.95


class WC(ConsensusFunction):
    """Weighted consensus clustering: members that fit the consensus get larger weights.

    Redundant or poor members should count less. The weights of the members and a factorisation of
    their weighted co-association are updated alternately, so that their difference becomes small.

    Seeks weights w, not negative with sum one, and Q >= 0 (n, K), B >= 0 diagonal, with small
    |sum_j w_j M_j - Q B Q'|^2, where M_j marks the pairs of objects that member j puts together.

    Parameters
    ----------
    max_iter : int, default 50
        Maximum number of updates of the weights.
    tol : float, default 1e-6
        Stop when the weights change by less than this (Euclidean length).
    random_state : int, generator or None
        Draws the k-means++ starts of the first clustering.

    Attributes
    ----------
    weights_ : array (r,)
        The weights found.
    objective_, history_ : float, list of float
        |sum_j w_j M_j - Q B Q'|^2, at the end and after every change of the weights. Updates of the
        weights never increase it; the factorisation may (see NMFC).
    n_iter_ : int
        Number of updates of the weights.

    See Also
    --------
    NMFC : The same with the weights as given.

    Notes
    -----
    O(n r^2) for the overlaps of all base clusters, then O(n r K) per iteration of the factorisation.
    At most ten iterations follow each update of the weights; they continue from the last factors. The
    weights solve a quadratic program in r variables without the objects. Given member weights are the
    start of the search; members of weight 0 are ignored. A member that does not label one of two
    objects does not put them together. Soft members contribute the products of their memberships to
    M_j.

    A single member with at most K clusters is a product Q B Q' itself and brings the objective to
    zero. With such members, a search until convergence therefore gives one of them all the weight and
    returns its partition, with a warning. Stop early (`max_iter` of 1 to 5) to keep several members.

    References
    ----------
    [li2008]_; [li2007]_

    Examples
    --------
    >>> from consilience.consensus import WC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> WC(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(0),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        max_iter: int = 50,
        tol: float = 1e-6,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        layout = ensemble.layout
        gram = member_gram(ensemble.incidence)
        known = ensemble.n_clusters > 0
        weights = ensemble.weights * known / (ensemble.weights @ known)
        factors = SymmetricFactors.of(ensemble, n_clusters, rng)
        history: list[float] = []
        converged = False
        while not converged and len(history) < self.max_iter:
            factors.settle(
                weights[layout.member_of],
                float(weights @ gram @ weights),
                max_iter=_FACTOR_ROUNDS,
                tol=_FACTOR_TOLERANCE,
            )
            overlaps = layout.sum_by_member(factors.base_cluster_overlaps())
            following = np.zeros(len(weights))
            following[known] = minimise_on_simplex(
                gram[np.ix_(known, known)], overlaps[known], weights[known]
            )
            converged = bool(np.linalg.norm(following - weights) < self.tol)
            weights = following
            history.append(
                float(weights @ gram @ weights - 2 * weights @ overlaps + factors.square())
            )
        doubts = []
        if np.count_nonzero(known) > 1 and weights.max() > _COLLAPSED:
            sentence = (
                f"WC gave member {ensemble.names[int(weights.argmax())]!r} {weights.max():.0%} of the "
                "weight: its partition is the result. Stop earlier (max_iter of 1 to 5), or use NMFC."
            )
            clause = "one member has nearly all the weight"
            figures = {"largest_weight": float(weights.max())}
            doubts.append(Doubt(COLLAPSED_WEIGHTS, figures, sentence, clause))
        return Outcome(
            factors.labels(),
            history[-1],
            history,
            len(history),
            converged,
            member_weights=weights,
            doubts=doubts,
        )
