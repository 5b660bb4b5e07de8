"""IVC, IPVC and IPC: iterations from several starts, and the choice among their results."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._declare import DataArray, Declaration, Flag, Integer, Optional, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus._constraints import Constraints
from consilience.consensus._criteria import Criterion, CriterionFunction, Judge, JudgedFunction
from consilience.consensus._problem import Problem
from consilience.consensus._start_labels import StartLabels, count_known, start_of_rows
from consilience.ensemble import Ensemble, canonical_labels, centre_table, start_from_member
from consilience.exceptions import InvalidInputError, InvalidParameterError, UnsupportedInputError
from consilience.incidence import (
    Assigned,
    StepResult,
    argmax_step,
    as_narrow_as,
    label_digest,
    label_sizes,
    n_different,
    relabelled,
)
from consilience.metrics.internals import mean_nmi, mean_rand
from consilience.partition import RANDOM_ROWS, Solution, few_rows, random_rows

MEMBERS, RANDOM_PARTITION = "members", "random_partition"
STARTS = (MEMBERS, RANDOM_PARTITION, RANDOM_ROWS)
# Parameters of functions that may see the features of the objects.
FEATURES: Mapping[str, Declaration] = {
    "features": Optional(DataArray()),
    "compactness": Real(0),
}


class IterativeVoting(JudgedFunction):
    """Template: a subclass defines how objects are assigned to clusters, and the objective.

    A subclass with the parameters `features` and `compactness`, or `exclude_self`, declares them.
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "init": StartLabels(*STARTS),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "criterion": Criterion("rand", "anmi", "objective"),
        "refine": Flag(),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()
    object_parameters: ClassVar[tuple[str, ...]] = ("init", "criterion")
    init: str | Array
    n_init: int
    max_iter: int
    refine: bool
    features: Array | None = None
    exclude_self: bool = False
    # Whether a larger objective is a better one.
    _maximises: ClassVar[bool] = False

    def active_capabilities(self) -> Capabilities:
        """Identical objects that may start apart are not merged."""
        if not isinstance(self.init, str) or self.init == RANDOM_PARTITION:
            return replace(self.capabilities, profile_exact=False)
        return self.capabilities

    def _reduce(
        self, ensemble: Ensemble, n_clusters: int | None, constraints: Constraints
    ) -> Problem:
        if self.features is None:
            return super()._reduce(ensemble, n_clusters, constraints)
        name = type(self).__name__
        if len(self.features) != ensemble.n_samples:
            raise InvalidInputError(
                f"{name}: features must have a row for each of the {ensemble.n_samples} objects; got "
                f"shape {self.features.shape}. Pass the data that the members were made from."
            )
        if not np.isfinite(np.square(self.features).sum()):
            raise InvalidInputError(
                f"{name}: features must be finite numbers whose squares can be added; got NaN, infinite "
                "or very large numbers. Replace or scale them."
            )
        if ensemble.has_missing and not ensemble.incidence.known().all():
            raise UnsupportedInputError(
                f"{name}: features need a label of some member for every object; leave objects without "
                "any label out, and label them by `predict`."
            )
        # Objects with the same labels may have different features.
        return Problem.of_all_objects(ensemble, constraints)

    def _check_capabilities(self, ensemble: Ensemble) -> None:
        super()._check_capabilities(ensemble)
        if self.exclude_self and ensemble.is_soft:
            raise UnsupportedInputError(
                f"{type(self).__name__}: exclude_self=True needs hard labels; this ensemble is soft."
            )

    @abstractmethod
    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        """Assign every object again, all from the same count table."""

    @abstractmethod
    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        """Return the quantity that `history_` shows, from the count table."""

    def _consensus(  # type: ignore[override]
        self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, judge: Judge
    ) -> Outcome:
        init = str(self.init)
        starts = distinct_starts(ensemble, n_clusters, rng, init=init, n_init=self.n_init)
        return self._best_run(ensemble, starts, judge)

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        if isinstance(self.init, str):
            return super()._combine(problem, n_clusters, rng)
        assert n_clusters is not None  # noqa: S101 - a declared parameter
        labels = start_of_rows(problem, self, self.init, n_clusters)
        start = completed(problem.ensemble, labels, n_clusters)
        return self._judged(problem, lambda judge: self._best_run(problem.ensemble, [start], judge))

    def _best_run(self, ensemble: Ensemble, starts: list[Array], judge: Judge) -> Outcome:
        runs = [self._run(ensemble, start, judge) for start in starts]
        outcome = Outcome.of_all(runs)
        if self.refine:
            outcome.labels = local_search(ensemble, outcome.labels, self.max_iter)
        return outcome

    def _run(self, ensemble: Ensemble, start: Array, judge: Judge) -> Solution:
        """Repeat the assignment until nothing changes; return the best state if it cycles."""
        # Of random rows that differ only in missing labels, one may have no objects.
        state = _without_empty(_state(ensemble, start))
        history = [self._objective(ensemble, state)]

        def found(state: Assigned, objective: float, *, converged: bool) -> Solution:
            criterion = self._criterion(ensemble, state, objective, judge)
            # The first entry of the history is the start.
            n_iter = len(history) - 1
            return Solution(state.labels, criterion, objective, n_iter, converged, history)

        best, least = state, _rand(ensemble, state)
        seen = {label_digest(state.labels)}
        for _ in range(self.max_iter):
            following = _without_empty(self._choose(ensemble, state))
            history.append(self._objective(ensemble, following))
            if not n_different(following.labels, state.labels):
                return found(state, history[-1], converged=True)
            state = following
            distance = _rand(ensemble, state)
            if distance < least:
                best, least = state, distance
            digest = label_digest(state.labels)
            if digest in seen:
                return found(best, self._objective(ensemble, best), converged=True)
            seen.add(digest)
        return found(state, history[-1], converged=False)

    def _criterion(
        self, ensemble: Ensemble, state: Assigned, objective: float, judge: Judge
    ) -> float:
        """Return the value by which runs are ranked; lower is better."""
        if self.criterion == "objective":
            return -objective if self._maximises else objective
        if self.criterion == "anmi":
            return -mean_nmi(state.counts, ensemble.layout, ensemble.weights)
        if self.criterion == "rand":
            return _rand(ensemble, state)
        return -judge(state.labels)


def distinct_starts(
    ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, *, init: str, n_init: int
) -> list[Array]:
    """Return the labels of at most `n_init` starts, each once."""
    if init == MEMBERS:
        found = _members(ensemble, n_clusters, n_init, rng)
    elif init == RANDOM_PARTITION:
        found = [random_partition(ensemble, n_clusters, stream) for stream in rng.spawn(n_init)]
    else:
        found = _from_random_rows(ensemble, n_clusters, n_init, rng)
    starts: dict[bytes, Array] = {}
    for start in found:
        starts.setdefault(label_digest(start), start)
    return list(starts.values())


def _members(
    ensemble: Ensemble, n_clusters: int, n_init: int, rng: np.random.Generator
) -> list[Array]:
    """Return members drawn without repetition, every one if n_init >= r."""
    members = np.flatnonzero(ensemble.n_clusters)
    if n_init < len(members):
        members = np.sort(rng.choice(members, n_init, replace=False))
    return [start_from_member(ensemble, int(member), n_clusters) for member in members]


def random_partition(ensemble: Ensemble, n_clusters: int, stream: np.random.Generator) -> Array:
    """Draw the cluster of every object uniformly; an empty cluster gets an object drawn at random.

    Objects of weight 0 do not count as contents of a cluster.
    """
    weight = ensemble.incidence.row_weight
    # A small type, because there may be very many objects.
    dtype = np.min_scalar_type(n_clusters - 1)
    labels = stream.integers(n_clusters, size=ensemble.n_samples, dtype=dtype)
    counted = np.ones(len(labels), dtype=bool) if weight is None else np.asarray(weight) > 0
    sizes = np.bincount(labels[counted], minlength=n_clusters)
    for empty in np.flatnonzero(sizes == 0):
        movable = np.flatnonzero(counted & (sizes[labels] > 1))
        if not len(movable):
            break  # fewer objects with a weight than clusters
        moved = stream.choice(movable)
        sizes[labels[moved]] -= 1
        sizes[empty] = 1
        labels[moved] = empty
    return as_narrow_as(labels, labels) if ensemble.is_chunked else labels.astype(np.int32)


def _from_random_rows(
    ensemble: Ensemble, n_clusters: int, n_init: int, rng: np.random.Generator
) -> list[Array]:
    """Assign every object to the one of K random rows with which it shares most labels."""
    H = ensemble.incidence
    streams = rng.spawn(n_init)
    drawn = few_rows(H, n_clusters, rng)
    starts = []
    for stream in streams:
        rows = random_rows(drawn.H, drawn.weight, n_clusters, stream)
        centres = drawn.H.dense_rows(rows.tolist()).T
        starts.append(H.argmax(centres * ensemble.column_weights[:, None]).labels)
    return starts


def completed(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Label the unknown rows by the cluster with whose known rows they share most labels on average."""
    unknown = labels < 0
    if not unknown.any():
        return labels
    known = count_known(ensemble.incidence, labels, n_clusters)
    shares = known.counts / np.maximum(known.sizes, 1e-300)
    nearest = ensemble.incidence.argmax(shares * ensemble.column_weights[:, None]).labels
    return np.where(unknown, np.asarray(nearest), labels)


def local_search(ensemble: Ensemble, labels: Array, max_iter: int) -> Array:
    """Move objects one at a time while the consensus Rand distance falls; K is kept.

    A pair that a member puts together and the consensus apart, or the reverse, costs that member's
    weight over the number of pairs it observes.
    """
    # Identical objects are moved together.
    profiles = ensemble.profiles()
    H = profiles.ensemble.incidence
    labels = canonical_labels(labels)[0]
    n_labels = int(labels.max()) + 1
    of_profile = np.empty(H.n_rows, dtype=np.int32)
    of_profile[profiles.inverse] = labels
    observed = ensemble.layout.sum_by_member(H.sizes).astype(np.float64)
    cost = ensemble.weights / np.maximum(observed * (observed - 1), 1.0)
    # Only the ratios matter; the largest is 1, so that the tolerance has a known scale.
    cost = cost / cost.max()
    for _ in range(max_iter):
        of_profile, moved = H.relocate(of_profile, n_labels, cost)
        if not moved:
            break
    refined: Array = of_profile[profiles.inverse]
    return refined


def _rand(ensemble: Ensemble, state: Assigned) -> float:
    return mean_rand(state.counts, ensemble.layout, ensemble.weights)


def _state(ensemble: Ensemble, labels: Array) -> Assigned:
    H = ensemble.incidence
    n_labels = int(labels.max()) + 1
    sizes = label_sizes(labels, n_labels, H.row_weight)
    return Assigned(labels, H.count(labels, n_labels), sizes, np.empty(0))


def _without_empty(state: Assigned) -> Assigned:
    """Drop empty clusters."""
    alive = label_sizes(state.labels, len(state.sizes)) > 0
    if alive.all():
        return state
    rank = (np.cumsum(alive) - 1).astype(np.int32)
    return state._replace(
        labels=relabelled(state.labels, rank),
        counts=state.counts[:, alive],
        sizes=state.sizes[alive],
    )


def centred(features: Array, ensemble: Ensemble) -> Array:
    """Return the features of the rows, centred, with mean squared length one."""
    weight = ensemble.sample_weight
    X = features.astype(np.float64)
    X -= np.average(X, axis=0, weights=weight)
    spread = float(np.average(np.einsum("if,if->i", X, X), weights=weight))
    return X / np.sqrt(spread) if spread > 0 else X


def compact_choice(
    features: Array,
    ensemble: Ensemble,
    state: Assigned,
    table: Array,
    factor: float,
    *,
    is_ratio: bool,
) -> Assigned:
    """Assign objects by scores less the weighted distance to the means of the clusters.

    Scores are gathered from the table; if they are ratios, from its two halves.
    """
    X = centred(features, ensemble)
    means = cluster_means(X, state, ensemble.sample_weight)
    step = partial(compact_step, means=means, factor=factor, is_ratio=is_ratio)
    rows = (np.asarray(state.labels), X)
    swept = ensemble.incidence.sweep(table, step, rows, n_labels=len(state.sizes))
    return swept.assigned()


def spread_of(features: Array, ensemble: Ensemble, state: Assigned) -> float:
    """Return the sum of squared distances to the means of the clusters, objects by weight."""
    X, weight = centred(features, ensemble), ensemble.sample_weight
    means = cluster_means(X, state, weight)
    squares = np.square(X - means[np.asarray(state.labels)]).sum(axis=1)
    return float(squares.sum() if weight is None else weight @ squares)


def cluster_means(X: Array, state: Assigned, weight: Array | None) -> Array:
    """Return the mean of every cluster, (K, d); that of all objects if it has no weight."""
    labels, n_rows = np.asarray(state.labels), len(X)
    values = np.ones(n_rows) if weight is None else weight.astype(np.float64)
    shape = (len(state.sizes), n_rows)
    sums = csr_array((values, (labels, np.arange(n_rows))), shape=shape) @ X
    return np.asarray(sums / np.where(state.sizes > 0, state.sizes, 1)[:, None])


def compact_step(
    scores: Array, current: Array, X: Array, *, means: Array, factor: float, is_ratio: bool
) -> StepResult:
    """Label every row by its largest score less its weighted squared distance."""
    if is_ratio:
        n_labels = len(means)
        agreed, possible = scores[:, :n_labels], scores[:, n_labels:]
        usable = possible > 1e-9
        scores = np.where(usable, agreed / np.where(usable, possible, 1.0), 0.0)
    # By differences, because the centred features may still be far from their means.
    distance = np.stack([np.square(X - mean).sum(axis=1) for mean in means], axis=1)
    return argmax_step(scores - factor * distance, current)


def most_similar(ensemble: Ensemble, state: Assigned, *, exclude_self: bool) -> Assigned:
    """Assign every object to the cluster whose objects share most labels with it, on average.

    With T[k, c] the objects of cluster k in base cluster c, and n_kj those that member j labels,

        sim(x, k) = sum_j w_j T[k, c_j(x)] / sum_j w_j n_kj      over the members j that label x

    is one gather from a count table. The distance of IPVC is (1 - sim) times the observed weight of x,
    so IPVC and IPC make the same choices.
    """
    H, weights = ensemble.incidence, ensemble.column_weights[:, None]
    if not ensemble.has_missing and not exclude_self:
        # No labels are missing: the denominator is n_k times the summed weights.
        table = weights * state.counts / (state.sizes * ensemble.weights.sum())
        return H.argmax(table, state)
    both = ratio_table(ensemble, state)
    if not exclude_self:
        return H.sweep(both, _ratio_step, (state.labels,), n_labels=len(state.sizes)).assigned()
    rows = (state.labels, H.observed(ensemble.weights))
    return H.sweep(both, _ratio_without_self_step, rows, n_labels=len(state.sizes)).assigned()


def ratio_table(ensemble: Ensemble, state: Assigned) -> Array:
    """Return tables of the labels shared with each cluster, and of those that could be shared."""
    layout, weights = ensemble.layout, ensemble.column_weights[:, None]
    known = layout.sum_by_member(state.counts)[layout.member_of]
    return np.hstack([weights * state.counts, weights * known])


def mean_similarity(ensemble: Ensemble, state: Assigned) -> float:
    """Return the mean similarity of the objects to their own clusters, themselves included."""
    H, weights = ensemble.incidence, ensemble.column_weights[:, None]
    if not ensemble.has_missing:
        # Every object of cluster k and base cluster c adds T[k, c]: a sum of squares.
        squares = weights * np.square(state.counts, dtype=np.float64) / state.sizes
        return float(squares.sum() / (ensemble.weights.sum() * state.sizes.sum()))
    both = ratio_table(ensemble, state)
    total = H.sweep(both, _own_ratio_step, (state.labels, H.row_weight)).sums[0]
    return float(total / state.sizes.sum())


def _ratio_step(sums: Array, current: Array) -> StepResult:
    n_labels = sums.shape[1] // 2
    agreed, possible = sums[:, :n_labels], sums[:, n_labels:]
    return argmax_step(_ratio(agreed, possible), current)


def _ratio_without_self_step(sums: Array, current: Array, observed: Array) -> StepResult:
    """Remove the object itself from its own cluster; it agrees with itself in every member."""
    n_labels = sums.shape[1] // 2
    rows = np.arange(len(sums))
    agreed, possible = sums[:, :n_labels].copy(), sums[:, n_labels:].copy()
    agreed[rows, current] -= observed
    possible[rows, current] -= observed
    return argmax_step(_ratio(agreed, possible), current)


def _own_ratio_step(sums: Array, current: Array, weight: Array | None) -> StepResult:
    n_labels = sums.shape[1] // 2
    rows = np.arange(len(sums))
    own = _ratio(sums[rows, current], sums[rows, n_labels + current])
    return StepResult(sums=(np.asarray(own.sum() if weight is None else own @ weight),))


def _ratio(agreed: Array, possible: Array) -> Array:
    """Divide; a cluster without any comparable object has similarity 0."""
    usable = possible > 1e-9
    return np.where(usable, agreed / np.where(usable, possible, 1.0), 0.0)


class IVC(IterativeVoting):
    """Iterative voting consensus: k-modes on the label matrix.

    Every consensus cluster is represented by the label that each member gives most often to its
    objects; every object joins the representative that it disagrees with in the fewest members. Both
    steps are repeated until nothing changes.

    Minimises the total Hamming distance sum_i sum_j w_j [L_ij != y_k(i),j], where y_kj is the most
    frequent label of member j in the cluster k and w_j the weight of member j. It never increases.

    Parameters
    ----------
    init : {"members", "random_partition", "random_rows"} or array (n,) of int, default "members"
        What to start from: members, as the paper recommends; random partitions, every object in a
        random cluster; or K random distinct rows of labels, every object with the row that shares
        most labels with it. Labels from 0 to K - 1, -1 = unknown, are the only start: after members or
        objects were appended, those of the earlier fit save most of the rounds.
    n_init : int, default 10
        Number of starts; identical ones are run once. Members are drawn without repetition, every one
        if there are no more.
    max_iter : int, default 100
        Maximum number of iterations of one start.
    criterion : name or callable, default "rand"
        Which start is kept: "rand", smallest consensus Rand distance; "anmi", largest average NMI;
        "objective", smallest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    features : array (n, d) or None, default None
        The data, if clusters are to be compact in the space of the features as well.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Total Hamming distance, at the end and after every round of the start that was kept (before
        `refine`).
    solutions_
    uses_classes_

    See Also
    --------
    IPC : Compares objects with all objects of a cluster instead of one representative.
    KMCF : k-means instead of k-modes.

    Notes
    -----
    O(n r K) a round. A missing label counts neither as agreement nor as disagreement. A cluster that
    loses its last object disappears, so K is the largest number of clusters. Members with other than K
    clusters are merged or split first.

    With `features`, the objective has another term, compactness * r * sum_i |x_i - m_k(i)|^2 / v, with
    m_k the mean of cluster k, v the mean squared distance of all objects to the mean of all, and r the
    summed member weights; it never increases either. Use ``criterion="objective"`` to choose among
    starts by the same objective. `refine` sees labels alone. The features are kept in memory.

    References
    ----------
    [nguyen2007]_, algorithm 1

    Examples
    --------
    >>> from consilience.consensus import IVC
    >>> IVC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **IterativeVoting.parameters,
        **FEATURES,
    }
    object_parameters: ClassVar[tuple[str, ...]] = (*IterativeVoting.object_parameters, "features")

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
        refine: bool = False,
        features: Array | None = None,
        compactness: float = 1.0,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.criterion = criterion
        self.refine = refine
        self.features = features
        self.compactness = compactness
        self.random_state = random_state

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        # An object's matches with centre k are one gather; fewest mismatches = most matches.
        weights = ensemble.column_weights[:, None]
        matches = centre_table(state.counts, ensemble.layout) * weights
        if self.features is None:
            return ensemble.incidence.argmax(matches, state)
        factor = self.compactness * float(ensemble.weights.sum())
        return compact_choice(self.features, ensemble, state, matches, factor, is_ratio=False)

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        layout = ensemble.layout
        mismatches = layout.sum_by_member(state.counts) - layout.max_by_member(state.counts)
        distance = float(ensemble.weights @ mismatches.sum(axis=1))
        if self.features is None:
            return distance
        weight = self.compactness * float(ensemble.weights.sum())
        return distance + weight * spread_of(self.features, ensemble, state)


class IPVC(IterativeVoting):
    """Iterative probabilistic voting consensus.

    An object is compared with all objects of a cluster instead of one representative as in IVC: its
    distance is the number of members in which it disagrees with an average object of the cluster.
    In every iteration all objects join the nearest cluster, until nothing changes.

    dist(x, P_k) = sum_j (1/n_k) #{y in P_k : L_yj != L_xj} = r - (1/n_k) sum_j T[k, c_j(x)], where T
    is the table of counts of base clusters in consensus clusters.

    Parameters
    ----------
    init : {"members", "random_partition", "random_rows"} or array (n,) of int, default "members"
        What to start from: members, as the paper recommends; random partitions, every object in a
        random cluster; or K random distinct rows of labels, every object with the row that shares
        most labels with it. Labels from 0 to K - 1, -1 = unknown, are the only start: after members or
        objects were appended, those of the earlier fit save most of the rounds.
    n_init : int, default 10
        Number of starts; identical ones are run once. Members are drawn without repetition, every one
        if there are no more.
    max_iter : int, default 100
        Maximum number of iterations of one start.
    criterion : name or callable, default "rand"
        Which start is kept: "rand", smallest consensus Rand distance; "anmi", largest average NMI;
        "objective", smallest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    exclude_self : bool, default False
        Leave the object itself out of its own cluster; see IPC.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Mean distance of the objects to their own cluster, at the end and after every round of the
        start that was kept (before `refine`): the summed member weights times one minus the objective
        of IPC. It usually decreases, but this is not proved.
    solutions_
    uses_classes_

    See Also
    --------
    IPC : The same choices, stated as a similarity.
    IVC : Compares with one representative per cluster.

    Notes
    -----
    The distance is the summed member weights times one minus IPC's similarity, so both functions give
    the same result; the paper lists them separately. O(n r K) per iteration.

    References
    ----------
    [nguyen2007]_, section 5.2

    Examples
    --------
    >>> from consilience.consensus import IPVC
    >>> IPVC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **IterativeVoting.parameters,
        "exclude_self": Flag(),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
        exclude_self: bool = False,
        refine: bool = False,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.criterion = criterion
        self.exclude_self = exclude_self
        self.refine = refine
        self.random_state = random_state

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        return most_similar(ensemble, state, exclude_self=self.exclude_self)

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        return float(ensemble.weights.sum()) * (1 - mean_similarity(ensemble, state))


class IPC(IterativeVoting):
    """Iterative pairwise consensus.

    The similarity of two objects is the share of members that put them together (co-association S).
    In every iteration all objects join the cluster to whose objects they are most similar on average,
    until nothing changes.

    sim(x, P_k) = (1/n_k) sum over y in P_k of S(x, y) = (1 / (r n_k)) sum_j T[k, c_j(x)], where T is
    the table of counts of base clusters in consensus clusters: S itself is never formed.

    Parameters
    ----------
    init : {"members", "random_partition", "random_rows"} or array (n,) of int, default "members"
        What to start from: members, as the paper recommends; random partitions, every object in a
        random cluster; or K random distinct rows of labels, every object with the row that shares
        most labels with it. Labels from 0 to K - 1, -1 = unknown, are the only start: after members or
        objects were appended, those of the earlier fit save most of the rounds.
    n_init : int, default 10
        Number of starts; identical ones are run once. Members are drawn without repetition, every one
        if there are no more.
    max_iter : int, default 100
        Maximum number of iterations of one start.
    criterion : name or callable, default "rand"
        Which start is kept: "rand", smallest consensus Rand distance; "anmi", largest average NMI;
        "objective", largest objective; "confidence", "information" or "combined", as in `Supra`; or
        the one of largest ``criterion(labels, ensemble)``, such as `consilience.metrics.KnownClasses`.
    exclude_self : bool, default False
        Leave the object itself out of its own cluster. The paper's example holds only with the object
        included; without it, the iteration often cycles.
    features : array (n, d) or None, default None
        The data, if clusters are to be compact in the space of the features as well.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Mean similarity of the objects to their own cluster, at the end and after every round of the
        start that was kept (before `refine`). It usually increases, but this is not proved.
    solutions_
    uses_classes_

    See Also
    --------
    IPVC : The same choices, stated as a distance.
    IVC : Compares with one representative per cluster.
    KMCF : The same plus the term that makes it k-means.

    Notes
    -----
    O(n r K) a round and O(n r) memory, whereas the paper states O(n^2). With missing labels, sums are
    divided by the number of comparable labels. If the iteration cycles, the visited state with the
    smallest consensus Rand distance is kept. A cluster that loses its last object disappears, so K is
    the largest number of clusters.

    With `features`, objects join the cluster of largest sim(x, P_k) - compactness |x - m_k|^2 / v, with
    m_k the mean of cluster k and v the mean squared distance of all objects to the mean of all; the
    objective is the mean of the same. `refine` sees labels alone. The features are kept in memory.

    References
    ----------
    [nguyen2007]_, section 5.2

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> IPC(n_clusters=2).fit_predict([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **IPVC.parameters,
        **FEATURES,
    }
    object_parameters: ClassVar[tuple[str, ...]] = IVC.object_parameters
    _maximises: ClassVar[bool] = True

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "members",
        n_init: int = 10,
        max_iter: int = 100,
        criterion: str | CriterionFunction = "rand",
        exclude_self: bool = False,
        refine: bool = False,
        features: Array | None = None,
        compactness: float = 1.0,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.criterion = criterion
        self.exclude_self = exclude_self
        self.refine = refine
        self.features = features
        self.compactness = compactness
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.exclude_self and self.features is not None:
            raise InvalidParameterError(
                "IPC: exclude_self=True and features exclude each other; set exclude_self=False."
            )

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        if self.features is None:
            return most_similar(ensemble, state, exclude_self=self.exclude_self)
        table = ratio_table(ensemble, state)
        return compact_choice(
            self.features, ensemble, state, table, self.compactness, is_ratio=True
        )

    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        similarity = mean_similarity(ensemble, state)
        if self.features is None:
            return similarity
        mean_spread = spread_of(self.features, ensemble, state) / float(state.sizes.sum())
        return similarity - self.compactness * mean_spread
