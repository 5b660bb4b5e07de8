"""A mixture of multinomials, fitted by expectation maximisation."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Declaration, Integer, Real, Seed
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, Outcome
from consilience.consensus._start_labels import StartedFunction, StartLabels, count_known
from consilience.ensemble import Ensemble
from consilience.incidence import responsibilities_step
from consilience.partition import Solution

# Added to expected counts, because a probability of exactly zero would remain zero.
_SMOOTHING = 1e-10


class _Model(NamedTuple):
    mixing: Array
    theta: Array


class _Run(NamedTuple):
    solution: Solution
    model: _Model


class MultinomialMixture(StartedFunction):
    """Expectation maximisation on a mixture of multinomials.

    Every consensus cluster is a component that gives, independently for each member, the probabilities
    of that member's labels. An object belongs to the component with the largest posterior probability.

    Maximises the log-likelihood sum_i log sum_k alpha_k prod_j theta_jk(L_ij)^w_j, with alpha_k the
    mixing weights, theta_jk(v) the probability of label v in member j under component k, and w_j the
    weight of member j. It never decreases.

    Parameters
    ----------
    n_clusters : int, default 8
        Components, K.
    init : "random" or array (n,) of int, default "random"
        Random starts, or labels to start from, 0 to K - 1, -1 = unknown: the only start, with the
        frequencies of the base clusters in every cluster as probabilities. After members or objects
        were appended, the labels of the earlier fit save most of the rounds.
    n_init : int, default 10
        Number of random starts; the one with the largest likelihood is kept.
    max_iter : int, default 200
        Maximum number of iterations of one start.
    tol : float, default 1e-6
        Stop when the relative increase of the likelihood is smaller than this.

    Attributes
    ----------
    objective_, history_ : float, list of float
        Log-likelihood, at the end and before every round of the start that was kept.
    mixing_ : array (K,)
        Mixing weights alpha of all components, in the order of the model.
    label_probabilities_ : array (t, K)
        theta: probabilities of the base clusters, which sum to one within every member.
    solutions_

    See Also
    --------
    KMCF : Uses squared distances instead of a likelihood; faster.

    Notes
    -----
    O(n r K) a round: a gather of log theta, a softmax and a scatter of the responsibilities. Missing
    labels are skipped (missing at random). Components that no object prefers disappear from `labels_`.

    References
    ----------
    [topchy2004]_

    Examples
    --------
    >>> from consilience.consensus import MultinomialMixture
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> MultinomialMixture(n_clusters=2, random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "init": StartLabels("random"),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(0),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | Array = "random",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 1e-6,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _consensus_from(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> Outcome:
        return _outcome([self._maximise(ensemble, _model_of(ensemble, labels, n_clusters))])

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        runs = [
            self._maximise(ensemble, _start(ensemble, n_clusters, stream))
            for stream in rng.spawn(self.n_init)
        ]
        return _outcome(runs)

    def _maximise(self, ensemble: Ensemble, model: _Model) -> _Run:
        history: list[float] = []
        converged = False
        while True:
            log_likelihood, following = _round(ensemble, model)
            history.append(log_likelihood)
            converged = len(history) > 1 and history[-1] - history[-2] <= self.tol * abs(
                history[-2]
            )
            if converged or len(history) == self.max_iter:
                break  # with the model whose likelihood was just computed
            model = following
        table, bias = _log_weights(model, ensemble)
        labels = ensemble.incidence.argmax(table, bias=bias).labels
        solution = Solution.maximised(
            labels, history[-1], len(history), converged=converged, history=history
        )
        return _Run(solution, model)


def _outcome(runs: list[_Run]) -> Outcome:
    best = min(runs, key=lambda run: run.solution.criterion)
    return Outcome.of_all(
        [run.solution for run in runs],
        mixing_=best.model.mixing,
        label_probabilities_=best.model.theta,
    )


def _model_of(ensemble: Ensemble, labels: Array, n_components: int) -> _Model:
    """Return the shares of labels, and the frequencies of base clusters among the rows of a label."""
    known = count_known(ensemble.incidence, labels, n_components)
    counts, sizes = known.counts + _SMOOTHING, known.sizes.astype(np.float64)
    mixing = sizes / sizes.sum() if sizes.any() else np.full(n_components, 1 / n_components)
    return _Model(mixing, _normalised(counts, ensemble))


def _start(ensemble: Ensemble, n_components: int, stream: np.random.Generator) -> _Model:
    """Return equal mixing weights and, for every member, probabilities from a flat Dirichlet."""
    draws = stream.exponential(size=(ensemble.n_base_clusters, n_components))
    return _Model(np.full(n_components, 1 / n_components), _normalised(draws, ensemble))


def _round(ensemble: Ensemble, model: _Model) -> tuple[float, _Model]:
    """One E step and one M step in one sweep: the likelihood of the model, and the next model."""
    H = ensemble.incidence
    table, bias = _log_weights(model, ensemble)
    swept = H.sweep(table, responsibilities_step, (H.row_weight,), bias=bias)
    log_likelihood, totals = swept.sums
    expected = swept.scattered() + _SMOOTHING
    return float(log_likelihood), _Model(totals / totals.sum(), _normalised(expected, ensemble))


def _log_weights(model: _Model, ensemble: Ensemble) -> tuple[Array, Array]:
    weights = ensemble.column_weights[:, None]
    return weights * np.log(model.theta), np.log(np.maximum(model.mixing, 1e-300))


def _normalised(counts: Array, ensemble: Ensemble) -> Array:
    layout = ensemble.layout
    shares: Array = counts / layout.sum_by_member(counts)[layout.member_of]
    return shares
