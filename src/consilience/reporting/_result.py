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
from consilience.reporting._block_means import block_means


@dataclass(frozen=True, eq=False)
class Result:
    """A consensus, its members, and the estimator that made it.

    labels         (n,) 0 .. K - 1
    names          K names of clusters, as text
    ensemble       the members
    confidence     (n,) share of the votes for an object's own cluster; NaN if no member labels it
    votes          from positions of objects to their shares of votes, (m, K)
    estimator      the model or the consensus function; None if only labels were given
    k_choice       how K was chosen, if it was
    """

    labels: Array
    names: tuple[str, ...]
    ensemble: Ensemble
    confidence: Array
    votes: Callable[[Array], Array]
    estimator: Any = None
    k_choice: KChoice | None = None

    @property
    def n_samples(self) -> int:
        """Return n."""
        return len(self.labels)

    @property
    def n_clusters(self) -> int:
        """Return K."""
        return len(self.names)

    @property
    def sizes(self) -> Array:
        """Return the objects of every cluster."""
        return np.bincount(self.labels, minlength=self.n_clusters)

    @cached_property
    def unknown(self) -> Array:
        """Return which objects have no confidence, because no member labels them, (n,)."""
        return np.asarray(~np.isfinite(self.confidence))

    @cached_property
    def mean_confidence(self) -> float:
        """Return the mean over the objects that members know; NaN if there are none."""
        known = self.confidence[~self.unknown]
        return float(known.mean()) if len(known) else np.nan

    @cached_property
    def chance_confidence(self) -> float:
        """Return the mean confidence of members that agree by chance."""
        if isinstance(self.estimator, ConsensusFunction):
            return self.estimator.chance_confidence(self.ensemble)
        return chance_level(Concord(), self.ensemble, self.labels, 0)

    @cached_property
    def stability(self) -> Array:
        """Return the mean confidence of every cluster, (K,); NaN where no object is known."""
        known = ~self.unknown
        sums = np.bincount(
            self.labels[known], weights=self.confidence[known], minlength=self.n_clusters
        )
        counts = np.bincount(self.labels[known], minlength=self.n_clusters)
        means = np.full(self.n_clusters, np.nan)
        np.divide(sums, counts, out=means, where=counts > 0)
        return means

    @cached_property
    def block_means(self) -> Array:
        """Return the mean consensus within and between the clusters, (K, K)."""
        return block_means(self.ensemble, self.labels, self.n_clusters)

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
        labels=model.labels_,
        names=_numbered(model.n_clusters_),
        ensemble=model.ensemble_,
        confidence=_of_known(model.ensemble_, model.confidence_),
        votes=model.votes_at,
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
    shares = function.predict_proba(ensemble)
    return Result(
        labels=function.labels_,
        names=_numbered(function.n_clusters_),
        ensemble=ensemble,
        confidence=_of_known(ensemble, _own(shares, function.labels_)),
        votes=lambda rows: shares[rows],
        estimator=function,
    )


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
    shares = _vote_shares(ensemble, labels, len(order))
    return Result(
        labels=labels,
        names=tuple(str(value) for value in values[0][order]),
        ensemble=ensemble,
        confidence=_of_known(ensemble, _own(shares, labels)),
        votes=lambda rows: shares[rows],
    )


def _numbered(n_clusters: int) -> tuple[str, ...]:
    return tuple(str(cluster) for cluster in range(n_clusters))


def _own(shares: Array, labels: Array) -> Array:
    return np.asarray(shares[np.arange(len(labels)), labels])


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
