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
from consilience.exceptions import (
    ConsilienceWarning,
    FewerClustersWarning,
    InvalidParameterError,
    UnlabelledObjectsWarning,
)
from consilience.metrics import ari

Check = Callable[[ConsensusFunction], None]

N_CLUSTERS = 3


@cache
def _planted(*, missing: float = 0.0) -> tuple[Ensemble, Array]:
    ensemble, truth = make_planted_ensemble(
        240,
        9,
        N_CLUSTERS,
        noise=0.25,
        missing=missing,
        proportions=[5, 4, 3],
        random_state=7,
    )
    return ensemble, truth


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the library's own warnings: tiny ensembles rightly raise many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        yield


def with_needs(function: ConsensusFunction, given: Any) -> Any:
    """Attach the cluster tables that a function needs and an ensemble lacks, made of its labels.

    The features of an object are its row of H; so centres move with the order of members and objects,
    and do not see the names of labels.
    """
    if not function.capabilities.needs:
        return given
    ensemble = Ensemble.from_labels(given)
    lacking = set(function.capabilities.needs) - set(ensemble.cluster_tables)
    return ensemble.with_cluster_tables(**{name: _TABLES[name](ensemble) for name in lacking})


def _centres(ensemble: Ensemble) -> list[Array]:
    """Return the mean row of H in every base cluster, by member."""
    H, layout = ensemble.incidence, ensemble.layout
    means = H.gram() / np.maximum(H.sizes, 1e-300)[:, None]
    return [means[layout.columns(j)] for j in range(ensemble.n_members)]


_TABLES = {"centres": _centres}


def _fitted(function: ConsensusFunction, given: Any, **fit: Any) -> ConsensusFunction:
    with quietly():
        fitted: ConsensusFunction = clone(function).fit(with_needs(function, given), **fit)
    return fitted


def _labels(function: ConsensusFunction, given: Any, **fit: Any) -> Array:
    labels: Array = _fitted(function, given, **fit).labels_
    return labels


@lru_cache(maxsize=2)
def _fit_of(function: ConsensusFunction, parameters: str, missing: float) -> ConsensusFunction:  # noqa: ARG001
    return _fitted(function, _planted(missing=missing)[0])


def _reference(function: ConsensusFunction, *, missing: float = 0.0) -> ConsensusFunction:
    """Return the fit of the planted ensemble, made once for all checks of a function."""
    return _fit_of(function, repr(function.get_params()), missing)


def _assert_same_partition(first: Array, second: Array, what: str) -> None:
    agreement = ari(first, second)
    assert agreement == 1.0, f"{what}: adjusted Rand index {agreement:.3f}, not 1"


def check_labels_are_canonical(function: ConsensusFunction) -> None:
    """Labels are int32, 0 .. K - 1 by first appearance, none empty."""
    ensemble, _ = _planted()
    fitted = _reference(function)
    labels = fitted.labels_
    assert labels.dtype == np.int32
    assert labels.shape == (ensemble.n_samples,)
    first = [int(np.flatnonzero(labels == k)[0]) for k in range(fitted.n_clusters_)]
    assert first == sorted(first)
    assert set(labels.tolist()) == set(range(fitted.n_clusters_))


def check_fit_twice_is_the_same(function: ConsensusFunction) -> None:
    """The same seed gives the same fit, and fitting again forgets everything of an earlier fit."""
    ensemble = with_needs(function, _planted()[0])
    again = _fitted(function, np.arange(12).reshape(6, 2) % 4)
    with quietly():
        again.fit(ensemble)
    assert_same_state(again, _reference(function))


def assert_same_state(first: ConsensusFunction, second: ConsensusFunction) -> None:
    """Compare all fitted attributes: the same names, and the same values."""
    names = {name for name in vars(second) if name.endswith("_")}
    assert {name for name in vars(first) if name.endswith("_")} == names
    for name in names - {"members_", "provenance_"}:
        np.testing.assert_equal(getattr(first, name), getattr(second, name), err_msg=name)


def check_threads_do_not_matter(function: ConsensusFunction) -> None:
    """One thread and three give identical results, over several row blocks."""
    ensemble, _ = make_planted_ensemble(40_000, 5, N_CLUSTERS, noise=0.3, random_state=3)
    results: list[Array] = []
    for n_threads in (1, 3):
        previous = set_config(n_threads=n_threads)
        try:
            results.append(_labels(function, ensemble))
        finally:
            set_config(n_threads=previous.n_threads)
    np.testing.assert_array_equal(results[0], results[1])


def check_label_names_do_not_matter(function: ConsensusFunction) -> None:
    """Renaming the clusters of every member changes nothing, bit for bit."""
    ensemble, _ = _planted(missing=0.1)
    rng = np.random.default_rng(0)
    renamed = ensemble.labels.copy()
    for j, n_clusters in enumerate(ensemble.n_clusters):
        names = rng.permutation(50)[:n_clusters]
        known = renamed[:, j] >= 0
        renamed[known, j] = names[renamed[known, j]]
    expected = _reference(function, missing=0.1).labels_
    np.testing.assert_array_equal(_labels(function, renamed), expected)


def check_input_kind_does_not_matter(function: ConsensusFunction) -> None:
    """Ensemble, array, list of vectors, text and floats with NaN give the same result."""
    ensemble, _ = _planted(missing=0.1)
    labels = ensemble.labels
    expected = _reference(function, missing=0.1).labels_
    as_float = np.where(labels < 0, np.nan, labels)
    as_text = np.char.add("c", labels.astype(str)).astype(object)
    as_text[labels < 0] = None
    for given in (labels, list(labels.T), as_float, as_text):
        np.testing.assert_array_equal(_labels(function, given), expected)


def check_input_is_not_changed(function: ConsensusFunction) -> None:
    """Neither the labels nor the parameters are changed."""
    labels = np.array(_planted()[0].labels)
    before, parameters = labels.copy(), repr(function.get_params())
    fitted = _fitted(function, labels)
    np.testing.assert_array_equal(labels, before)
    assert labels.flags.writeable
    assert repr(fitted.get_params()) == parameters


def check_member_order_does_not_matter(function: ConsensusFunction) -> None:
    """Permuting the members gives the same partition."""
    ensemble = with_needs(function, _planted()[0])
    permuted = ensemble.select(np.random.default_rng(1).permutation(ensemble.n_members))
    _assert_same_partition(
        _reference(function).labels_, _labels(function, permuted), "permuted members"
    )


def check_object_order_does_not_matter(function: ConsensusFunction) -> None:
    """Permuting the objects permutes the answer."""
    ensemble = with_needs(function, _planted()[0])
    order = np.random.default_rng(2).permutation(ensemble.n_samples)
    permuted = _labels(function, ensemble.take(order))
    _assert_same_partition(_reference(function).labels_[order], permuted, "permuted objects")


def check_duplicated_members_do_not_matter(function: ConsensusFunction) -> None:
    """Every member twice is the same ensemble."""
    ensemble, _ = _planted()
    _assert_same_partition(
        _reference(function).labels_,
        _labels(function, np.hstack([ensemble.labels, ensemble.labels])),
        "members twice",
    )


def check_unanimous_members_win(function: ConsensusFunction) -> None:
    """Identical members with K clusters are returned unchanged."""
    _, truth = _planted()
    unanimous = np.column_stack([truth, (truth + 1) % N_CLUSTERS, truth])
    _assert_same_partition(_labels(function, unanimous), truth, "identical members")


def check_planted_partition_is_found(function: ConsensusFunction) -> None:
    """Noise that members do not share is averaged away."""
    agreement = ari(_reference(function).labels_, _planted()[1])
    assert agreement > 0.95, f"planted partition: adjusted Rand index {agreement:.3f}"


def check_missing_labels_are_borne(function: ConsensusFunction) -> None:
    """A quarter of the labels missing still leaves the planted partition."""
    ensemble, truth = _planted(missing=0.25)
    agreement = ari(_labels(function, ensemble), truth)
    assert agreement > 0.85, f"a quarter missing: adjusted Rand index {agreement:.3f}"


def check_weight_zero_is_absence(function: ConsensusFunction) -> None:
    """A member of weight 0 has no influence."""
    ensemble = with_needs(function, _planted()[0])
    weights = np.ones(ensemble.n_members)
    weights[4] = 0
    without = ensemble.select(weights > 0)
    np.testing.assert_array_equal(
        _labels(function, ensemble.with_weights(weights)), _labels(function, without)
    )


def _assert_same_fit(first: ConsensusFunction, second: ConsensusFunction, given: Any) -> None:
    np.testing.assert_array_equal(first.labels_, second.labels_)
    np.testing.assert_allclose(first.own_shares(given), second.own_shares(given), rtol=1e-9)


def check_equal_weights_are_no_weights(function: ConsensusFunction) -> None:
    """Equal weights of members or objects, whatever their size, are the same as none."""
    ensemble = with_needs(function, _planted()[0])
    expected = _reference(function)
    for size in (1 / ensemble.n_members, 1e-320, 1e300):
        weighted = ensemble.with_weights(np.full(ensemble.n_members, size))
        _assert_same_fit(_fitted(function, weighted), expected, ensemble)
        weight = np.full(ensemble.n_samples, size)
        _assert_same_fit(_fitted(function, ensemble, sample_weight=weight), expected, ensemble)


def check_scale_of_weights_does_not_matter(function: ConsensusFunction) -> None:
    """All weights of members, or of objects, times a positive constant are the same weights."""
    ensemble = with_needs(function, _planted()[0])
    rng = np.random.default_rng(5)
    members = rng.uniform(0.5, 2.0, ensemble.n_members)
    objects = rng.uniform(0.5, 2.0, ensemble.n_samples)
    factors = (1e-12, 1e-300, 1e12)
    if function.active_capabilities().weights:
        weighted = ensemble.with_weights(members)
        expected = _fitted(function, weighted)
        for factor in factors:
            scaled = ensemble.with_weights(factor * members)
            _assert_same_fit(_fitted(function, scaled), expected, weighted)
    if function.active_capabilities().sample_weight:
        expected = _fitted(function, ensemble, sample_weight=objects)
        for factor in factors:
            weighted_fit = _fitted(function, ensemble, sample_weight=factor * objects)
            _assert_same_fit(weighted_fit, expected, ensemble)


def check_silent_member_is_ignored(function: ConsensusFunction) -> None:
    """A member that labels nothing changes nothing."""
    ensemble, _ = _planted()
    silent = np.full((ensemble.n_samples, 1), -1)
    _assert_same_partition(
        _reference(function).labels_,
        _labels(function, np.hstack([ensemble.labels, silent])),
        "with a silent member",
    )


def check_unknown_object_joins_the_largest_cluster(function: ConsensusFunction) -> None:
    """An object that no member labels is flagged, put into the largest cluster, and warned about."""
    ensemble, _ = _planted()
    labels = np.vstack([np.full(ensemble.n_members, -1), ensemble.labels])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = clone(function).fit(with_needs(function, labels))
    assert any(issubclass(w.category, UnlabelledObjectsWarning) for w in caught)
    assert np.flatnonzero(fitted.unlabelled_).tolist() == [0]
    assert fitted.labels_[0] == np.bincount(fitted.labels_[1:]).argmax()
    _assert_same_partition(fitted.labels_[1:], _reference(function).labels_, "the other objects")


def check_sample_weight_is_repetition(function: ConsensusFunction) -> None:
    """If the function takes them, whole weights are the same as repeated rows."""
    if not function.active_capabilities().sample_weight:
        return
    ensemble = with_needs(function, _planted()[0])
    weight = np.random.default_rng(3).integers(1, 4, ensemble.n_samples)
    repeated = ensemble.take(np.repeat(np.arange(ensemble.n_samples), weight))
    weighted = np.repeat(_labels(function, ensemble, sample_weight=weight), weight)
    _assert_same_partition(weighted, _labels(function, repeated), "weights and repetition")


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
    _assert_same_partition(_labels(function, repeated), unmerged.labels_, "merged and unmerged")


def check_certain_memberships_are_labels(function: ConsensusFunction) -> None:
    """If the function takes soft members, memberships of 0 and 1 mean the same as labels."""
    if not function.capabilities.soft:
        return
    ensemble, _ = _planted(missing=0.1)
    soft = Ensemble.from_memberships(list(ensemble.labels.T))
    hard = _reference(function, missing=0.1).labels_
    _assert_same_partition(_labels(function, soft), hard, "soft and hard")


def check_number_of_clusters(function: ConsensusFunction) -> None:
    """One cluster is trivial, more than n is an error, more than distinct rows is a warning."""
    ensemble = with_needs(function, _planted()[0])
    assert not _labels(clone(function).set_params(n_clusters=1), ensemble).any()
    try:
        clone(function).set_params(n_clusters=ensemble.n_samples + 1).fit(ensemble)
    except InvalidParameterError as error:
        assert "n_samples" in str(error)  # noqa: PT017 - this module does not need pytest
    else:
        raise AssertionError("more clusters than objects were accepted")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        twins = with_needs(function, [[0, 0, 1, 1], [0, 0, 1, 1]])
        fitted = clone(function).set_params(n_clusters=3).fit(twins)
    assert fitted.labels_.tolist() == [0, 0, 1, 1]
    assert any(issubclass(w.category, FewerClustersWarning) for w in caught)


def check_prediction(function: ConsensusFunction) -> None:
    """Vote shares sum to one; new rows, unknown ones too, get a label; training rows mostly theirs."""
    ensemble, _ = _planted(missing=0.1)
    fitted = _reference(function, missing=0.1)
    with quietly():
        shares = fitted.predict_proba(ensemble)
        # The first new row has no label in any member, the second in all.
        unknown = fitted.predict_proba([[-1, 0]] * ensemble.n_members)[0]
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares.shape == (ensemble.n_samples, fitted.n_clusters_)
    assert unknown.argmax() == np.bincount(fitted.labels_).argmax()
    assert ari(fitted.predict(ensemble), fitted.labels_) > 0.5


def check_pickle(function: ConsensusFunction) -> None:
    """A fitted function can be pickled and predicts the same."""
    ensemble, _ = _planted()
    fitted = _reference(function)
    with quietly():
        restored = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own bytes
    np.testing.assert_array_equal(restored.labels_, fitted.labels_)
    np.testing.assert_array_equal(restored.predict(ensemble), fitted.predict(ensemble))


CONSENSUS_CHECKS: tuple[Check, ...] = (
    check_labels_are_canonical,
    check_fit_twice_is_the_same,
    check_threads_do_not_matter,
    check_label_names_do_not_matter,
    check_input_kind_does_not_matter,
    check_input_is_not_changed,
    check_member_order_does_not_matter,
    check_object_order_does_not_matter,
    check_duplicated_members_do_not_matter,
    check_unanimous_members_win,
    check_planted_partition_is_found,
    check_missing_labels_are_borne,
    check_weight_zero_is_absence,
    check_equal_weights_are_no_weights,
    check_scale_of_weights_does_not_matter,
    check_silent_member_is_ignored,
    check_unknown_object_joins_the_largest_cluster,
    check_sample_weight_is_repetition,
    check_merging_profiles_changes_nothing,
    check_certain_memberships_are_labels,
    check_number_of_clusters,
    check_prediction,
    check_pickle,
)


def check_consensus_function(function: ConsensusFunction) -> None:
    """Run every check on an estimator that asks for three clusters.

    Examples
    --------
    >>> from consilience.consensus import IVC
    >>> from consilience.testing import check_consensus_function
    >>> check_consensus_function(IVC(n_clusters=3, n_init=20))
    """
    for check in CONSENSUS_CHECKS:
        check(function)
