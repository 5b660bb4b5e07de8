"""The properties that every consensus function must have.

Each check takes an unfitted estimator that asks for three clusters (or finds the number itself) and
raises AssertionError. Functions that draw random numbers or start from members keep the permutation
properties as partitions (adjusted Rand index 1) on ensembles without ties, not bit for bit.
"""

import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
from sklearn.base import clone

from consilience._utils._config import set_config
from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction
from consilience.datasets import make_planted_ensemble
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari

Check = Callable[[Any], None]


class Checks(list[Check]):
    """The checks of one kind of method, in order; as a decorator it adds a check."""

    def __call__(self, check: Check) -> Check:
        """Add a check."""
        self.append(check)
        return check

    def run(self, method: Any) -> None:
        """Run every check on a method."""
        for check in self:
            check(method)


CONSENSUS_CHECKS = Checks()


def check_consensus_function(function: ConsensusFunction) -> None:
    """Run every check on an estimator that asks for three clusters.

    Examples
    --------
    >>> from consilience.consensus import IVC
    >>> from consilience.testing import check_consensus_function
    >>> check_consensus_function(IVC(n_clusters=3, n_init=20))
    """
    CONSENSUS_CHECKS.run(function)


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the library's own warnings: tiny ensembles rightly raise many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        yield


@cache
def _planted(*, missing: float = 0.0) -> tuple[Ensemble, Array]:
    """Return 240 objects in three clusters of unequal size, nine members, and the clusters."""
    ensemble, truth = make_planted_ensemble(
        240, 9, 3, noise=0.25, missing=missing, proportions=[5, 4, 3], random_state=7
    )
    return ensemble, truth


def with_needs(function: ConsensusFunction, given: Any) -> Any:
    """Attach centres of base clusters if a function needs them and an ensemble has none.

    The features of an object are its row of H, so the centre of a base cluster is the mean of such
    rows; centres move with the order of members and objects, and do not see the names of labels.
    """
    if "centres" not in function.capabilities.needs:
        return given
    ensemble = Ensemble.from_labels(given)
    if "centres" in ensemble.cluster_tables:
        return ensemble
    H, layout = ensemble.incidence, ensemble.layout
    means = H.gram() / np.maximum(H.sizes, 1e-300)[:, None]
    centres = [means[layout.columns(j)] for j in range(ensemble.n_members)]
    return ensemble.with_cluster_tables(centres=centres)


def _labels(function: ConsensusFunction, given: Any, **fit: Any) -> Array:
    """Return the labels of a fitted copy."""
    with quietly():
        labels: Array = clone(function).fit(with_needs(function, given), **fit).labels_
    return labels


@lru_cache(maxsize=1)
def _fit_of(function: ConsensusFunction, parameters: str) -> ConsensusFunction:  # noqa: ARG001
    fitted: ConsensusFunction = clone(function)
    with quietly():
        return fitted.fit(with_needs(function, _planted()[0]))


def _reference(function: ConsensusFunction) -> ConsensusFunction:
    """Return the fit of the planted ensemble, made once for all checks of a function."""
    return _fit_of(function, repr(function.get_params()))


def _assert_same_partition(first: Array, second: Array, least: float = 1.0) -> None:
    agreement = ari(first, second)
    assert agreement >= least, f"adjusted Rand index {agreement:.3f}, below {least:g}"


def assert_same_state(first: ConsensusFunction, second: ConsensusFunction) -> None:
    """Compare all fitted attributes: the same names, and the same values."""
    names = {name for name in vars(second) if name.endswith("_")}
    assert {name for name in vars(first) if name.endswith("_")} == names
    for name in names - {"members_", "provenance_"}:
        np.testing.assert_equal(getattr(first, name), getattr(second, name), err_msg=name)


@CONSENSUS_CHECKS
def check_fit_twice_is_the_same(function: ConsensusFunction) -> None:
    """The same seed gives the same fit, and fitting again forgets everything of an earlier fit."""
    ensemble = with_needs(function, _planted()[0])
    again = clone(function)
    with quietly():
        again.fit(with_needs(function, np.arange(12).reshape(6, 2) % 4)).fit(ensemble)
    assert_same_state(again, _reference(function))


@CONSENSUS_CHECKS
def check_threads_do_not_matter(function: ConsensusFunction) -> None:
    """One thread and three give identical results, over several row blocks."""
    ensemble, _ = make_planted_ensemble(40_000, 5, 3, noise=0.3, random_state=3)
    results: list[Array] = []
    for n_threads in (1, 3):
        previous = set_config(n_threads=n_threads)
        try:
            results.append(_labels(function, ensemble))
        finally:
            set_config(n_threads=previous.n_threads)
    np.testing.assert_array_equal(results[0], results[1])


@CONSENSUS_CHECKS
def check_label_names_do_not_matter(function: ConsensusFunction) -> None:
    """Other names of the clusters of every member, here text, change nothing, bit for bit."""
    labels = _planted()[0].labels
    # The order of the names differs from member to member.
    named = np.char.add("c", ((labels + np.arange(labels.shape[1])) % 5).astype(str))
    np.testing.assert_array_equal(_labels(function, named), _reference(function).labels_)


@CONSENSUS_CHECKS
def check_member_order_does_not_matter(function: ConsensusFunction) -> None:
    """Permuting the members gives the same partition, and so does every member twice."""
    ensemble = with_needs(function, _planted()[0])
    permuted = ensemble.select(np.random.default_rng(1).permutation(ensemble.n_members))
    twice = np.hstack([ensemble.labels, ensemble.labels])
    for given in (permuted, twice):
        _assert_same_partition(_labels(function, given), _reference(function).labels_)


@CONSENSUS_CHECKS
def check_object_order_does_not_matter(function: ConsensusFunction) -> None:
    """Permuting the objects permutes the answer."""
    ensemble = with_needs(function, _planted()[0])
    order = np.random.default_rng(2).permutation(ensemble.n_samples)
    permuted = _labels(function, ensemble.take(order))
    _assert_same_partition(permuted, _reference(function).labels_[order])


@CONSENSUS_CHECKS
def check_unanimous_members_win(function: ConsensusFunction) -> None:
    """Identical members with K clusters are returned unchanged."""
    _, truth = _planted()
    unanimous = np.column_stack([truth, (truth + 1) % 3, truth])
    _assert_same_partition(_labels(function, unanimous), truth)


@CONSENSUS_CHECKS
def check_planted_partition_is_found(function: ConsensusFunction) -> None:
    """Noise that members do not share is averaged away."""
    _assert_same_partition(_reference(function).labels_, _planted()[1], least=0.95)


@CONSENSUS_CHECKS
def check_missing_labels_are_borne(function: ConsensusFunction) -> None:
    """A quarter of the labels missing still leaves the planted partition."""
    ensemble, truth = _planted(missing=0.25)
    _assert_same_partition(_labels(function, ensemble), truth, least=0.85)


@CONSENSUS_CHECKS
def check_weight_zero_is_absence(function: ConsensusFunction) -> None:
    """A member of weight 0 has no influence, and neither has one that labels nothing."""
    ensemble = with_needs(function, _planted()[0])
    kept = np.arange(ensemble.n_members) != 4
    weighted = _labels(function, ensemble.with_weights(kept.astype(float)))
    np.testing.assert_array_equal(weighted, _labels(function, ensemble.select(kept)))
    silent = np.full((ensemble.n_samples, 1), -1)
    labels = _labels(function, np.hstack([ensemble.labels, silent]))
    _assert_same_partition(labels, _reference(function).labels_)


@CONSENSUS_CHECKS
def check_sample_weight_is_repetition(function: ConsensusFunction) -> None:
    """If the function takes them, whole weights are the same as repeated rows."""
    if not function.active_capabilities().sample_weight:
        return
    ensemble = with_needs(function, _planted()[0])
    weight = np.random.default_rng(3).integers(1, 4, ensemble.n_samples)
    repeated = ensemble.take(np.repeat(np.arange(ensemble.n_samples), weight))
    weighted = np.repeat(_labels(function, ensemble, sample_weight=weight), weight)
    _assert_same_partition(_labels(function, repeated), weighted)


@CONSENSUS_CHECKS
def check_merging_profiles_changes_nothing(function: ConsensusFunction) -> None:
    """If the function is declared exact on profiles, merging identical rows may be switched off."""
    if not function.capabilities.profile_exact:
        return
    ensemble = with_needs(function, _planted()[0])
    repeated = ensemble.take(np.tile(np.arange(ensemble.n_samples), 3))
    unmerged = clone(function)
    unmerged.capabilities = replace(function.capabilities, profile_exact=False)
    with quietly():
        unmerged.fit(repeated)
    _assert_same_partition(_labels(function, repeated), unmerged.labels_)


@CONSENSUS_CHECKS
def check_certain_memberships_are_labels(function: ConsensusFunction) -> None:
    """If the function takes soft members, memberships of 0 and 1 mean the same as labels."""
    if not function.capabilities.soft:
        return
    ensemble, _ = _planted(missing=0.1)
    soft = Ensemble.from_memberships(list(ensemble.labels.T))
    _assert_same_partition(_labels(function, soft), _labels(function, ensemble))


@CONSENSUS_CHECKS
def check_prediction(function: ConsensusFunction) -> None:
    """Vote shares of rows sum to one, training rows mostly get their label, also after pickling."""
    ensemble, fitted = _planted()[0], _reference(function)
    restored = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own bytes
    with quietly():
        shares = fitted.predict_proba(ensemble)
        np.testing.assert_array_equal(restored.predict_proba(ensemble), shares)
    assert shares.shape == (ensemble.n_samples, fitted.n_clusters_)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    _assert_same_partition(shares.argmax(axis=1), restored.labels_, least=0.5)
