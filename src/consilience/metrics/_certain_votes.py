"""Votes of base clusters for the labels of a partition, weighted by the certainty of base clusters."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._declare import Real
from consilience._utils._types import Array
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import StepResult, is_chunked
from consilience.metrics._cluster_uncertainty import ensemble_cluster_index
from consilience.metrics._formulas import xlogx

# Default theta of the certainty of a base cluster, as in LWEA and LWGP.
THETA = 0.4
# Smaller values lead to votes that underflow.
_THETA = Real(0.01)


class CertainVotes(NamedTuple):
    """Statistics of the votes for a labelling.

    shares      (K,) share of the labelled objects in every cluster, q
    confidence  mean share of the votes that an object gives to its own cluster
    entropy     mean entropy of the votes of an object, in nats
    """

    shares: Array
    confidence: float
    entropy: float

    @property
    def adjusted_confidence(self) -> float:
        """Return the confidence, corrected for that of votes by the sizes of the clusters alone."""
        chance = float(np.square(self.shares).sum())
        return 1.0 if chance >= 1 else (self.confidence - chance) / (1 - chance)

    @property
    def size_entropy(self) -> float:
        """Return the entropy of the sizes of the clusters, H(q), in nats."""
        return float(abs(xlogx(self.shares).sum()))

    @property
    def information(self) -> float:
        """Return the entropy of the sizes minus the mean entropy of the votes of an object, in nats."""
        return self.size_entropy - self.entropy


def read_labels(labels: Any, ensemble: Ensemble) -> Array:
    """Return one code per object, 0 = no label."""
    # Labels of a fit on chunked data are chunked.
    given = np.asarray(labels) if is_chunked(labels) else labels
    codes = as_label_vector(given).codes[:, 0].astype(np.int32)
    if len(codes) != ensemble.n_samples:
        raise InvalidInputError(
            f"The ensemble has {ensemble.n_samples} objects; got {len(codes)} labels."
        )
    counted = (
        codes > 0 if ensemble.sample_weight is None else (codes > 0) & (ensemble.sample_weight > 0)
    )
    if not counted.any():
        raise InvalidInputError("No object has a label, so nothing can be compared.")
    return codes


def check_theta(theta: float) -> None:
    """Raise an error unless theta is a positive number."""
    if not _THETA.accepts(theta):
        raise InvalidParameterError(f"theta must be {_THETA}; got {theta!r}.")


def certainties(ensemble: Ensemble, theta: float) -> Array:
    """Return the weight of the vote of every base cluster: member weight times certainty, (t,)."""
    return ensemble.column_weights * ensemble_cluster_index(ensemble, theta)


def vote_table(counts: Array, certainty: Array) -> Array:
    """Return the votes of every base cluster for its objects, (t, K): w_c P_ck."""
    sizes = counts.sum(axis=1, keepdims=True)
    table: Array = certainty[:, None] * (counts / np.where(sizes > 0, sizes, 1))
    return table


def certainties_of_part(ensemble: Ensemble, by_member: Array, asked: Array, theta: float) -> Array:
    """Return the same if only a part of the members is asked; 0 for the base clusters of the others.

    by_member  (t, r) `uncertainty_by_member` of the ensemble, all members of which have labels
    asked      (r,) which members are asked
    """
    weights = ensemble.weights * asked
    index = np.exp(-(by_member @ weights) / (theta * float(weights.sum())))
    certainty: Array = ensemble.column_weights * asked[ensemble.layout.member_of] * index
    return certainty


def certain_votes(
    codes: Array, ensemble: Ensemble, theta: float, certainty: Array | None = None
) -> CertainVotes:
    """Count the votes of all objects in one sweep, without an (n, K) array.

    codes      (n,) labels from 1 on, 0 = no label
    certainty  (t,) weight of the vote of every base cluster, if it is known
    """
    H = ensemble.incidence
    counts = H.count(codes, int(codes.max()) + 1)[:, 1:]
    weight = np.ones(len(codes)) if H.row_weight is None else H.row_weight.astype(np.float64)
    weight = np.where(codes > 0, weight, 0.0)
    sizes = np.bincount(codes, weights=weight)[1:]
    shares = sizes / sizes.sum()
    if certainty is None:
        certainty = certainties(ensemble, theta)
    # The last column adds up the certainties of an object's base clusters that have any votes.
    voting = certainty * (counts.sum(axis=1) > 0)
    table = np.column_stack([vote_table(counts, certainty), voting])
    own = np.maximum(codes - 1, 0)
    step = partial(vote_step, shares=shares)
    swept = H.sweep(table, step, (own, weight))
    confidence, entropy, total = (float(part) for part in swept.sums[0])
    return CertainVotes(shares, confidence / total, entropy / total)


def vote_step(scores: Array, own: Array, weight: Array, *, shares: Array) -> StepResult:
    """Add up, over rows, the share of the own label, the entropy of the votes, and the weight.

    An object that no member labels has votes equal to the shares of the clusters.
    """
    total = scores[:, -1:]
    votes = np.where(total > 0, scores[:, :-1] / np.where(total > 0, total, 1.0), shares)
    mine = np.take_along_axis(votes, own[:, None].astype(np.int64), axis=1)[:, 0]
    entropy = np.abs(xlogx(votes).sum(axis=1))  # no negative zero
    sums = np.array([weight @ mine, weight @ entropy, weight.sum()])
    return StepResult(sums=(sums,))
