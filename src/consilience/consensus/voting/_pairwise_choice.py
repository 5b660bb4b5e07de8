"""The assignment rule of IPVC and IPC: mean similarity of an object to the objects of a cluster."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Flag
from consilience._utils._types import Array
from consilience.consensus._judged import Judge
from consilience.consensus._outcome import Outcome
from consilience.consensus.voting._iteration import IterativeVoting
from consilience.ensemble import Ensemble
from consilience.exceptions import UnsupportedInputError
from consilience.incidence import Assigned, StepResult, argmax_step


class PairwiseChoice(IterativeVoting):
    """Every object joins the cluster whose objects share most labels with it.

    With T[k, c] the objects of cluster k in base cluster c, and n_kj those that member j labels,

        sim(x, k) = sum_j w_j T[k, c_j(x)] / sum_j w_j n_kj      over the members j that label x

    is one gather from a count table. The distance of IPVC is (1 - sim) times the observed
    weight of x, so both functions make the same choices.
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **IterativeVoting.parameters,
        "exclude_self": Flag(),
    }
    exclude_self: bool

    def _consensus(  # type: ignore[override]
        self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, judge: Judge
    ) -> Outcome:
        if self.exclude_self and ensemble.is_soft:
            raise UnsupportedInputError(
                f"{type(self).__name__}: exclude_self=True needs hard labels; this ensemble is soft."
            )
        return super()._consensus(ensemble, n_clusters, rng, judge)

    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        H, weights = ensemble.incidence, ensemble.column_weights[:, None]
        if not ensemble.has_missing and not self.exclude_self:
            # No labels are missing: the denominator is n_k times the summed weights.
            table = weights * state.counts / (state.sizes * ensemble.weights.sum())
            return H.argmax(table, state)
        both = self._ratio_table(ensemble, state)
        if not self.exclude_self:
            return H.sweep(both, _ratio_step, (state.labels,), n_labels=len(state.sizes)).assigned()
        rows = (state.labels, H.observed(ensemble.weights))
        return H.sweep(both, _ratio_without_self_step, rows, n_labels=len(state.sizes)).assigned()

    def _ratio_table(self, ensemble: Ensemble, state: Assigned) -> Array:
        """Return tables of the labels shared with each cluster, and of those that could be shared."""
        layout, weights = ensemble.layout, ensemble.column_weights[:, None]
        known = layout.sum_by_member(state.counts)[layout.member_of]
        return np.hstack([weights * state.counts, weights * known])

    def _mean_similarity(self, ensemble: Ensemble, state: Assigned) -> float:
        """Return the mean similarity of the objects to their own clusters, themselves included."""
        H, weights = ensemble.incidence, ensemble.column_weights[:, None]
        if not ensemble.has_missing:
            # Every object of cluster k and base cluster c adds T[k, c]: a sum of squares.
            squares = weights * np.square(state.counts, dtype=np.float64) / state.sizes
            return float(squares.sum() / (ensemble.weights.sum() * state.sizes.sum()))
        both = self._ratio_table(ensemble, state)
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
