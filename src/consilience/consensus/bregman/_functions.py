"""GCA and GWCA: the connectivity matrix nearest to all members, and its clusters."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import (
    Choice,
    Declaration,
    Flag,
    Integer,
    Optional,
    Real,
    Seed,
)
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus._constrained import ConstrainedFunction
from consilience.consensus._constraints import Constraints
from consilience.consensus._doubts import COLLAPSED_WEIGHTS, Doubt
from consilience.consensus._problem import Problem
from consilience.consensus.bregman._aggregate import (
    Aggregate,
    FixedPairs,
    HardTiles,
    LinearAggregate,
    LowRankSimilarity,
    PolynomialAggregate,
    SoftTiles,
)
from consilience.consensus.bregman._connectivity import Connectivities, MixedLinear, MixedTiles
from consilience.consensus.bregman._divergence import (
    FORMULAS,
    Divergence,
    NamedDivergence,
    is_euclidean,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.partition import (
    EmbeddedRows,
    ScaledIncidence,
    leading_vectors,
    operator_kmeans,
    operator_linkage,
    project_to_simplex,
    row_kmeans,
    spectral_rows,
    yu_shi,
)

STEPS = ("spectral", "kmeans", "linkage")
_MAX_ITER = 300
# Minimum effective share of members, 1 / sum w^2 divided by their number; warn below it.
_COLLAPSED = 0.1


class DivergenceChoice:
    """A name, or a custom divergence object."""

    def accepts(self, value: object) -> bool:
        """Accept the names of the five divergences of the paper, or a Divergence."""
        return isinstance(value, Divergence) or (isinstance(value, str) and value in FORMULAS)

    def __str__(self) -> str:
        names = ", ".join(repr(name) for name in FORMULAS)
        return f"one of {names}, or a consilience.consensus.bregman.Divergence"


@dataclass
class Weighing:
    """Weights of the members, and how they were found; `attributes` by name for the fitted function."""

    weights: Array
    objective: float
    history: list[float] | None = None
    n_iter: int | None = None
    converged: bool = True
    attributes: Mapping[str, Any] = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)


class BregmanAggregation(ConstrainedFunction):
    """Aggregate the connectivity matrices of the members, then cluster the result."""

    object_parameters: ClassVar[tuple[str, ...]] = ("connectivities",)
    divergence: str | Divergence
    final: str
    degree: int | None
    connectivities: list[Any] | None
    n_init: int

    shared_parameters: ClassVar[dict[str, Declaration]] = {
        "n_clusters": Integer(1),
        "divergence": DivergenceChoice(),
        "final": Choice(*STEPS),
        "degree": Optional(Integer(1, 2)),
        "connectivities": Connectivities(),
        "conflicts": Choice("raise", "drop_cannot_link"),
        "enforce": Flag(),
        "n_init": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities(constraints=True)

    @abstractmethod
    def _weigh(self, aggregate: Aggregate, masses: Array) -> Weighing:
        """Choose shares of the members that sum to one; `masses` are the weights as given."""

    def active_capabilities(self) -> Capabilities:
        if (
            self.divergence == "euclidean"
            or is_euclidean(self.divergence)
            or self.degree is not None
        ):
            return self.capabilities
        # Entries of M that are no polynomial of the agreement are computed pair by pair.
        return replace(self.capabilities, cost="quadratic")

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        if self.connectivities is None:
            return super()._reduce(ensemble, n_clusters, constraints)
        # Objects with the same labels, and objects without any, differ in the given matrices.
        return Problem.of_all_objects(ensemble, constraints)

    def _consensus(  # type: ignore[override]
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,
        constraints: Constraints,
    ) -> Outcome:
        aggregate = self._aggregate(ensemble, FixedPairs.of(ensemble, constraints))
        n_members, n_others = ensemble.n_members, aggregate.n_matrices - ensemble.n_members
        # A member without labels joins no pair and must not count.
        masses = np.concatenate([ensemble.counted_weights, np.ones(n_others)])
        found = self._weigh(aggregate, masses)
        attributes = dict(found.attributes)
        if n_others:
            attributes["connectivity_weights_"] = found.weights[n_members:]
        if isinstance(aggregate, PolynomialAggregate):
            attributes["approximation_error_"] = aggregate.polynomial.error
        labels = final_labels(
            aggregate, found.weights, n_clusters, step=self.final, n_init=self.n_init, rng=rng
        )
        return Outcome(
            labels,
            found.objective,
            found.history,
            found.n_iter,
            found.converged,
            attributes=attributes,
            member_weights=found.weights[:n_members],
            doubts=found.doubts,
        )

    def _aggregate(self, ensemble: Ensemble, fixed: FixedPairs) -> Aggregate:
        given = self.divergence
        divergence = NamedDivergence(given) if isinstance(given, str) else given
        if self.connectivities is not None:
            return self._mixed(ensemble, divergence, fixed)
        if is_euclidean(divergence):
            return LinearAggregate(ensemble, divergence, fixed)
        if self.degree is not None:
            return PolynomialAggregate(ensemble, divergence, fixed, self.degree)
        tiles = SoftTiles if ensemble.is_soft else HardTiles
        return tiles(ensemble, divergence, fixed)

    def _mixed(self, ensemble: Ensemble, divergence: Divergence, fixed: FixedPairs) -> Aggregate:
        if is_euclidean(divergence):
            return MixedLinear(ensemble, divergence, fixed, self.connectivities)
        if self.degree is not None:
            raise InvalidParameterError(
                f"{type(self).__name__}: degree={self.degree} works with members alone; with "
                'connectivities use degree=None, or divergence="euclidean".'
            )
        return MixedTiles(ensemble, divergence, fixed, self.connectivities)


class GCA(BregmanAggregation):
    """Generalized cluster aggregation: the connectivity nearest to all members, and its clusters.

    Every member defines a connectivity matrix: 1 for pairs of objects in the same cluster, 0
    otherwise. The aggregate M is the matrix nearest to all of them, in a divergence chosen by the
    user; constraints on pairs fix its entries. The clusters of M are the consensus.

    M minimises sum_j w_j D(M, M_j), where M_j is 1 for the pairs that member j puts together and 0 for
    the others, and w_j are the weights as given, as shares. M is an increasing function g of the
    weighted share A of the members that join a pair: M = A for the Euclidean divergence.

    Parameters
    ----------
    divergence : {"euclidean", "exponential", "kl", "itakura-saito", "logistic"} or Divergence
        Distance of the entries of connectivity matrices; default "euclidean". For another smoothing
        give a `NamedDivergence`, for another divergence an instance of a subclass of `Divergence`, both
        of `consilience.consensus.bregman`.
    final : {"spectral", "kmeans", "linkage"}, default "spectral"
        How M is clustered: by Yu and Shi's spectral rotation, by k-means on its rows, or by average
        linkage.
    degree : {None, 1, 2}
        None: exact. Otherwise a polynomial of this degree approximates the mean g, which makes the
        time linear in n; `approximation_error_` is the largest error of an entry of M: for the
        exponential divergence 0.084 (degree 1) and 0.0143 (degree 2).
    connectivities : list or None, default None
        Further matrices of similarity that are aggregated with those of the members, each with weight 1
        before weights become shares: an array A, (n, q), stands for A A'; a pair (A, B) for A B', which
        must be symmetric; a function f for the matrix M with f(V) = M V. No (n, n) matrix is formed.
        Entries should be from 0 to 1. Functions need the Euclidean divergence.
    n_init : int, default 10
        Starts of k-means, if that is the final step.
    random_state : int, generator or None
        Draws the k-means++ starts.

    Attributes
    ----------
    weights_ : array (r,)
        The share of every member: its weight by the sum of all weights.
    objective_ : float
        sum_j w_j D(M, M_j) over all pairs.
    connectivity_weights_ : array
        The shares of the given matrices, if there are any; together with `weights_` they sum to one.
    approximation_error_

    See Also
    --------
    GWCA : Learns the weights of the members as well.
    IBGF : Spectral clustering of the plain co-association.

    Notes
    -----
    Euclidean: O(n r^2) once for the overlaps, pairs of objects are never formed. Other divergences:
    exact in tiles over the q distinct rows, O(q^2 r) a round; for the final step M is stored if 8 q^2
    bytes are within the memory limit, and recomputed for every product otherwise. With degree 2: O(n
    r^2) a product of the final step.

    A member that does not label one of two objects does not put them together. Soft members contribute
    the products of their memberships. Objects that occur in a constraint are never merged with
    identical objects; an object that no member labels is assigned by its constraints.

    The constraints fix the entries of M for the constrained pairs. The final step may violate some of
    them; `constraints_` counts how many hold, and `enforce=True` repairs the labels.

    References
    ----------
    [wang2009]_, sections 2.1 and 3; [yu2003]_

    Examples
    --------
    >>> from consilience.consensus import GCA
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> GCA(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    >>> expert = GCA(n_clusters=2, enforce=True).fit(votes, must_link=[(2, 3)])
    >>> expert.labels_.tolist(), str(expert.constraints_)
    ([0, 0, 1, 1, 1], '1 of 1 must-links and 0 of 0 cannot-links hold')
    """

    parameters: ClassVar[Mapping[str, Declaration]] = BregmanAggregation.shared_parameters

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        divergence: str | Divergence = "euclidean",
        final: str = "spectral",
        degree: int | None = None,
        connectivities: list[Any] | None = None,
        conflicts: str = "raise",
        enforce: bool = False,
        n_init: int = 10,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.divergence = divergence
        self.final = final
        self.degree = degree
        self.connectivities = connectivities
        self.conflicts = conflicts
        self.enforce = enforce
        self.n_init = n_init
        self.random_state = random_state

    def _weigh(self, aggregate: Aggregate, masses: Array) -> Weighing:
        shares = masses / masses.sum()
        return Weighing(shares, aggregate.evaluate(shares).objective)


class GWCA(BregmanAggregation):
    """Generalized weighted cluster aggregation: members near the aggregate count more.

    The aggregate M is the connectivity matrix nearest to the weighted members, and a member gets more
    weight if it is nearer to M; both are updated alternately. Constraints on pairs fix entries of M
    and so influence the weights of the members.

    Minimises sum_j w_j D(M, M_j) + lambda |w|^2 over M and over weights w that are not negative and
    sum to one; M_j is 1 for the pairs that member j puts together and 0 for the others.
    lambda = regularisation x kappa x L, where L is the largest eigenvalue of the centred inner
    products of the M_j and kappa belongs to the divergence: it need not be tuned to the size of the
    data.

    Parameters
    ----------
    divergence : {"euclidean", "exponential", "kl", "itakura-saito", "logistic"} or Divergence
        Distance of the entries of connectivity matrices; default "euclidean". For another smoothing
        give a `NamedDivergence`, for another divergence an instance of a subclass of `Divergence`, both
        of `consilience.consensus.bregman`.
    final : {"spectral", "kmeans", "linkage"}, default "spectral"
        How M is clustered: by Yu and Shi's spectral rotation, by k-means on its rows, or by average
        linkage.
    degree : {None, 1, 2}
        None: exact. Otherwise a polynomial of this degree approximates the mean g, which makes the
        time linear in n; `approximation_error_` is the largest error of an entry of M: for the
        exponential divergence 0.084 (degree 1) and 0.0143 (degree 2).
    connectivities : list or None, default None
        Further matrices of similarity that are aggregated with those of the members, each with weight 1
        before weights become shares: an array A, (n, q), stands for A A'; a pair (A, B) for A B', which
        must be symmetric; a function f for the matrix M with f(V) = M V. No (n, n) matrix is formed.
        Entries should be from 0 to 1. Functions need the Euclidean divergence.
    regularisation : float, default 1.0
        lambda relative to its scale. For values of at least 0.5 the weights are unique; for smaller
        values they may concentrate on few members. Larger values give more equal weights.
    regularisation_scale : {"relative", "absolute"}, default "relative"
        "absolute": `regularisation` is lambda itself, as in the paper. The same lambda then means
        something else for another number of objects: divergences grow like n^2.
    max_iter : int, default 1000
        Maximum number of updates of the weights.
    tol : float, default 1e-6
        Stop when M changes by less than this times n (Frobenius).
    n_init : int, default 10
        Starts of k-means, if that is the final step.
    random_state : int, generator or None
        Draws the k-means++ starts.

    Attributes
    ----------
    weights_ : array (r,)
        The weights found; they sum to one.
    objective_ : float
        The objective at the end.
    history_ : list of float
        The objective at equal weights and after every change of the weights; it never increases.
    n_iter_ : int
        Number of updates of the weights.
    regularisation_ : float
        lambda.
    connectivity_weights_ : array
        The shares of the given matrices, if there are any; together with `weights_` they sum to one.
    approximation_error_

    See Also
    --------
    GCA : The same with the weights as given.
    WC : Alternates between weights and a factorisation.

    Notes
    -----
    Euclidean: O(n r^2) once for the overlaps, pairs of objects are never formed. Other divergences:
    exact in tiles over the q distinct rows, O(q^2 r) a round; for the final step M is stored if 8 q^2
    bytes are within the memory limit, and recomputed for every product otherwise. With degree 2: O(n
    r^3) once, O(n r^2) a product of the final step.

    A member that does not label one of two objects does not put them together. Soft members contribute
    the products of their memberships. Objects that occur in a constraint are never merged with
    identical objects; an object that no member labels is assigned by its constraints.

    The constraints fix the entries of M for the constrained pairs. The final step may violate some of
    them; `constraints_` counts how many hold, and `enforce=True` repairs the labels.

    Given weights count as copies: a member of weight 2 is treated as two identical members, whose
    shares are added. A member of weight 0 is ignored.

    The paper prints n for the number of partitions in some equations and a fixed lambda; the objective
    grows like n^2, so lambda is relative here by default. M is updated with the weights of the previous
    iteration (algorithm 2 of the paper uses those of the current one).

    References
    ----------
    [wang2009]_, sections 2.2 and 3, algorithms 1 and 2; [yu2003]_

    Examples
    --------
    >>> from consilience.consensus import GWCA
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 1, 0, 1, 0]]
    >>> consensus = GWCA(n_clusters=2).fit(votes)
    >>> consensus.labels_.tolist(), consensus.weights_.round(2).tolist()
    ([0, 0, 0, 1, 1], [0.42, 0.42, 0.17])
    >>> expert = GWCA(n_clusters=2).fit(votes, partial_labels=[0, -1, -1, 1, 1])
    >>> expert.weights_.round(2).tolist()
    [0.44, 0.44, 0.13]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **BregmanAggregation.shared_parameters,
        "regularisation": Real(0),
        "regularisation_scale": Choice("relative", "absolute"),
        "max_iter": Integer(1),
        "tol": Real(0),
    }

    def __init__(  # noqa: PLR0913 - keywords, each with a default
        self,
        n_clusters: int = 8,
        *,
        divergence: str | Divergence = "euclidean",
        final: str = "spectral",
        degree: int | None = None,
        connectivities: list[Any] | None = None,
        regularisation: float = 1.0,
        regularisation_scale: str = "relative",
        max_iter: int = 1000,
        tol: float = 1e-6,
        conflicts: str = "raise",
        enforce: bool = False,
        n_init: int = 10,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.divergence = divergence
        self.final = final
        self.degree = degree
        self.connectivities = connectivities
        self.regularisation = regularisation
        self.regularisation_scale = regularisation_scale
        self.max_iter = max_iter
        self.tol = tol
        self.conflicts = conflicts
        self.enforce = enforce
        self.n_init = n_init
        self.random_state = random_state

    def _weigh(self, aggregate: Aggregate, masses: Array) -> Weighing:
        kappa = aggregate.divergence.kappa
        largest = largest_curvature(aggregate.gram, masses)
        if self.regularisation_scale == "relative":
            strength, unique_from = self.regularisation * kappa * largest, 0.5
        else:
            strength, unique_from = float(self.regularisation), 0.5 * kappa * largest
        tolerance = self.tol * float(np.sqrt(aggregate.n_pairs))
        weights = masses / masses.sum()
        now = aggregate.evaluate(weights)
        history = [now.objective + strength * _spread(weights, masses)]
        converged = False
        while not converged and len(history) <= self.max_iter:
            following = _nearest_weights(now.costs, strength, masses, weights)
            converged = aggregate.settled(following, weights, tolerance)
            weights = following
            now = aggregate.evaluate(weights)
            history.append(now.objective + strength * _spread(weights, masses))
        return Weighing(
            weights,
            history[-1],
            history,
            len(history) - 1,
            converged,
            attributes={"regularisation_": strength},
            doubts=self._doubts_about_weights(weights, masses, aggregate.names, unique_from),
        )

    def _doubts_about_weights(
        self, weights: Array, masses: Array, names: tuple[str, ...], unique_from: float
    ) -> list[Doubt]:
        n_members = int(np.count_nonzero(masses))
        effective = 1 / _spread(weights, masses)
        if n_members < 2 or effective >= max(_COLLAPSED * masses.sum(), 1.05):
            return []
        return [
            Doubt(
                COLLAPSED_WEIGHTS,
                {"effective_members": float(effective), "largest_weight": float(weights.max())},
                f"GWCA gave nearly all the weight to few members ({effective:.1f} of {n_members} "
                f"count; most to {names[int(weights.argmax())]!r}, {weights.max():.0%}); raise "
                f"regularisation, now {self.regularisation:g}, to {unique_from:.3g} or more, or use "
                "GCA.",
                "few members have nearly all the weight",
            )
        ]


def largest_curvature(gram: Array, masses: Array) -> float:
    """Return the largest eigenvalue of G on directions that preserve the sum of the weights.

    A member of mass v is treated as v identical members: sqrt(v) G sqrt(v), orthogonal to sqrt(v).
    Zero if all members agree.
    """
    root = np.sqrt(masses)
    scaled = root[:, None] * gram * root
    direction = root / np.linalg.norm(root)
    centred = scaled - np.outer(direction, direction @ scaled)
    centred -= np.outer(centred @ direction, direction)
    largest = float(np.linalg.eigvalsh((centred + centred.T) / 2)[-1])
    return largest if largest > 1e-12 * float(np.trace(scaled)) else 0.0


def _nearest_weights(costs: Array, strength: float, masses: Array, weights: Array) -> Array:
    """Minimise costs . w + lambda |w|^2 over the simplex: a projection."""
    if strength > 0:
        return project_to_simplex(-costs / (2 * strength), masses)
    # Without regularisation the member of least cost gets all weight; no change if all members agree.
    known = masses > 0
    cheapest = known & (costs <= costs[known].min() + 1e-12 * np.abs(costs[known]).max())
    if cheapest[known].all():
        return weights
    return np.asarray(masses * cheapest / (masses * cheapest).sum())


def _spread(weights: Array, masses: Array) -> float:
    """|w|^2; the share of a member of mass v is that of v copies."""
    return float(np.square(weights) @ np.where(masses > 0, 1 / np.where(masses > 0, masses, 1), 0))


def final_labels(
    aggregate: Aggregate,
    weights: Array,
    n_clusters: int,
    *,
    step: str,
    n_init: int,
    rng: np.random.Generator,
) -> Array:
    """Cluster the rows of M.

    Parameters
    ----------
    step : {"spectral", "kmeans", "linkage"}
        Yu and Shi's rotation of the leading eigenvectors; k-means on the rows of M; average linkage.
    n_init : int
        Starts of k-means.
    """
    operator = aggregate.operator(weights)
    if step == "linkage":
        if operator.row_weight is not None and np.any(operator.row_weight == 0):
            raise UnsupportedInputError(
                'final="linkage" needs a sample_weight above 0 for every object; leave objects of '
                'weight 0 out, or use final="spectral".'
            )
        return operator_linkage(operator).cut_into(n_clusters)
    # Without constrained pairs the Euclidean M is H diag(w) H', so sweeps over H are sufficient.
    factored = isinstance(operator, LowRankSimilarity) and operator.extra is None
    if step == "spectral":
        embed = _factored_vectors if factored else spectral_rows
        return yu_shi(embed(operator, n_clusters))
    if factored:
        rows = _factored_rows(operator)
        return row_kmeans(rows, n_clusters, n_init=n_init, max_iter=_MAX_ITER, rng=rng).labels
    return operator_kmeans(operator, n_clusters, n_init=n_init, max_iter=_MAX_ITER, rng=rng).labels


def _factored_vectors(operator: Any, n_clusters: int) -> EmbeddedRows:
    """Same result as `spectral_rows`; M is a Gram matrix of scaled H, so a (t, t) matrix suffices."""
    H, w = operator.H, operator.column_weight
    degree = H @ (w * H.sizes)
    scale = np.where(degree > 0, 1 / np.sqrt(np.where(degree > 0, degree, 1.0)), 0.0)
    scaled = ScaledIncidence(H, scale, np.sqrt(w))
    return EmbeddedRows(H, leading_vectors(scaled, n_clusters).table)


def _factored_rows(operator: Any) -> EmbeddedRows:
    """Return rows with the same distances as the rows of M: H W N^(1/2), N = H' H."""
    values, vectors = np.linalg.eigh(operator.H.gram())
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return EmbeddedRows(operator.H, operator.column_weight[:, None] * root, unit=False)
