"""The result that a report describes, read from a model, a function or labels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from consilience._utils._types import Array
from consilience.answer import ConsensusClustering, KChoice
from consilience.consensus import Concord, ConsensusFunction
from consilience.consensus.internals import chance_level
from consilience.ensemble import Ensemble, as_label_vector
from consilience.exceptions import InvalidInputError
from consilience.plot.internals import ClusterCounts

_UNDECIDED = 0.5


@dataclass(eq=False)
class Result:
    """A consensus, its members, and the estimator that made it.

    labels         (n,) 0 .. K - 1
    names          K names of clusters, as text
    ensemble       the members
    confidence     (n,) share of the votes for an object's own cluster; NaN if no member labels it
    votes          from positions of objects to their shares of votes, (m, K)
    estimator      the model or the consensus function; None if only labels were given
    k_choice       how K was chosen, if it was

    These follow from them:

    sizes            objects of every cluster
    unknown          (n,) objects without confidence, because no member labels them
    mean_confidence  over the objects that members know; NaN if there are none
    stability        (K,) mean confidence of every cluster; NaN where no object is known
    undecided        objects with less than half of the votes for their cluster
    undecided_share  their share of the objects that members know
    """

    labels: Array
    names: tuple[str, ...]
    ensemble: Ensemble
    confidence: Array
    votes: Callable[[Array], Array]
    estimator: Any = None
    k_choice: KChoice | None = None

    def __post_init__(self) -> None:
        self.n_samples, self.n_clusters = len(self.labels), len(self.names)
        self.sizes = np.bincount(self.labels, minlength=self.n_clusters)
        self.unknown = ~np.isfinite(self.confidence)
        labels, confidence = self.labels[~self.unknown], self.confidence[~self.unknown]
        self.mean_confidence = float(confidence.mean()) if len(confidence) else np.nan
        self.undecided = int(np.count_nonzero(confidence < _UNDECIDED))
        self.undecided_share = self.undecided / max(1, len(confidence))
        sums = np.bincount(labels, weights=confidence, minlength=self.n_clusters)
        with np.errstate(invalid="ignore"):
            self.stability = sums / np.bincount(labels, minlength=self.n_clusters)

    @cached_property
    def chance_confidence(self) -> float:
        """Return the mean confidence of members that agree by chance."""
        if isinstance(self.estimator, ConsensusFunction):
            return self.estimator.chance_confidence(self.ensemble)
        return chance_level(Concord(), self.ensemble, self.labels, 0)

    @cached_property
    def block_means(self) -> Array:
        """Return the mean consensus within and between the clusters, (K, K)."""
        return ClusterCounts(self.ensemble, self.labels, self.n_clusters).block_means()

    @property
    def function(self) -> Any:
        """Return the consensus function, if there was one."""
        if isinstance(self.estimator, ConsensusClustering):
            return self.estimator.consensus_
        return self.estimator


def read_result(result: Any, *, labels: Any = None, ensemble: Any = None) -> Result:
    """Read a fitted model, a fitted consensus function and its ensemble, or an ensemble and labels."""
    if isinstance(result, ConsensusClustering):
        _refuse(labels=labels, ensemble=ensemble, what="ConsensusClustering")
        return _of_model(result)
    if isinstance(result, ConsensusFunction):
        _refuse(labels=labels, what=type(result).__name__)
        return _of_function(result, ensemble)
    if isinstance(result, Ensemble):
        _refuse(ensemble=ensemble, what="Ensemble")
        return _of_labels(result, labels)
    raise InvalidInputError(
        "report: result must be a fitted ConsensusClustering, a fitted consensus function (with "
        f"ensemble=), or an Ensemble (with labels=); got {type(result).__name__}."
    )


def _refuse(*, what: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InvalidInputError(
                f"report: {name}= cannot be used with {what}, which has its own; leave it out."
            )


def _of_model(model: ConsensusClustering) -> Result:
    check_is_fitted(model, "labels_")
    return Result(
        model.labels_,
        _numbered(model.n_clusters_),
        model.ensemble_,
        _of_known(model.ensemble_, model.confidence_),
        model.votes_at,
        estimator=model,
        k_choice=getattr(model, "k_choice_", None),
    )


def _of_function(function: ConsensusFunction, given: Any) -> Result:
    name = type(function).__name__
    check_is_fitted(function, "labels_")
    if given is None:
        raise InvalidInputError(
            f"report: a fitted {name} does not keep its members; pass ensemble=, what it was fitted to."
        )
    ensemble = Ensemble.from_labels(given)
    if ensemble.n_samples != len(function.labels_):
        raise InvalidInputError(
            f"report: ensemble must be the one that {name} was fitted to, of "
            f"{len(function.labels_)} objects; got {ensemble.n_samples} objects."
        )
    names = _numbered(function.n_clusters_)
    return _of_shares(function.labels_, names, ensemble, function.predict_proba(ensemble), function)


def _of_labels(ensemble: Ensemble, given: Any) -> Result:
    if given is None:
        raise InvalidInputError("report: an Ensemble needs labels=, the consensus of its objects.")
    codes, values = as_label_vector(given)
    read = codes.reshape(-1).astype(np.int64) - 1
    if len(read) != ensemble.n_samples:
        raise InvalidInputError(
            f"report: labels must have one entry per object, {ensemble.n_samples}; got {len(read)}."
        )
    if np.any(read < 0):
        raise InvalidInputError(
            f"report: every object needs a cluster; {np.count_nonzero(read < 0)} labels are missing, "
            f"the first of object {int(np.argmax(read < 0))}."
        )
    # In the order of the given labels, as the user would list them.
    order = np.argsort(values[0], kind="stable")
    labels = np.argsort(order, kind="stable").astype(np.int32)[read]
    names = tuple(str(value) for value in values[0][order])
    return _of_shares(labels, names, ensemble, _vote_shares(ensemble, labels, len(order)))


def _of_shares(
    labels: Array, names: tuple[str, ...], ensemble: Ensemble, shares: Array, estimator: Any = None
) -> Result:
    own = shares[np.arange(len(labels)), labels]
    confidence = _of_known(ensemble, own)
    return Result(labels, names, ensemble, confidence, lambda rows: shares[rows], estimator)


def _numbered(n_clusters: int) -> tuple[str, ...]:
    return tuple(str(cluster) for cluster in range(n_clusters))


def _of_known(ensemble: Ensemble, confidence: Array) -> Array:
    """Return the confidence of objects; NaN for objects that no member labels."""
    if not ensemble.has_missing:
        return confidence
    return np.where(ensemble.incidence.observed(ensemble.weights) > 0, confidence, np.nan)


def _vote_shares(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Let every member vote with P(cluster | base cluster), as `predict_proba` does."""
    counts = ensemble.incidence.count(labels, n_clusters)
    sizes = counts.sum(axis=1, keepdims=True)
    table = counts / np.where(sizes > 0, sizes, 1)
    weights = ensemble.weights
    votes = ensemble.incidence @ (table * weights[ensemble.layout.member_of, None])
    known = ensemble.incidence.observed(weights)[:, None]
    prior = np.bincount(labels, minlength=n_clusters) / len(labels)
    return np.where(known > 0, votes / np.where(known > 0, known, 1.0), prior)
