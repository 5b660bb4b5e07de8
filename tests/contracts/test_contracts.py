"""Every consensus function found by discovery passes every check."""

import warnings
from itertools import permutations

import numpy as np
import pytest
from sklearn.base import clone

from consilience.consensus import catalogue
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    FewerClustersWarning,
    InvalidParameterError,
    UnlabelledObjectsWarning,
)
from consilience.testing import CONSENSUS_CHECKS
from consilience.testing._checks import assert_same_state, quietly, with_needs
from instances import CONSENSUS, EXCEPTIONS, FAMILIES, reason_for_exception

# Blocks on threads are the engine's; tests/incidence has every verb.
OF_THE_ENGINE = {"check_threads_do_not_matter"}


def checks_of(name, number):
    """Return the checks of an instance: all for the first of a function of a family."""
    left_out = set() if number == 0 and name in FAMILIES else OF_THE_ENGINE
    return [check for check in CONSENSUS_CHECKS if check.__name__ not in left_out]


CASES = [
    pytest.param(function, checks_of(name, number), id=f"{name}{number or ''}")
    for name, functions in CONSENSUS.items()
    for number, function in enumerate(functions)
]


@pytest.mark.parametrize(("function", "checks"), CASES)
def test_contract(function, checks):
    for check in checks:
        if reason_for_exception(function, check.__name__) is None:
            check(function)
        else:
            with pytest.raises((AssertionError, ValueError)):
                check(function)


@pytest.mark.parametrize(
    "name", sorted(name for name, kinds in CONSENSUS.items() if len(kinds) > 1)
)
def test_a_refit_with_other_parameters_leaves_nothing_of_the_first_fit(name):
    ensemble, _ = make_planted_ensemble(120, 6, 3, noise=0.2, missing=0.02, random_state=0)
    for first, second in permutations(CONSENSUS[name], 2):
        given = with_needs(first, ensemble)
        with quietly():
            fresh = clone(second).fit(given)
            again = clone(first).fit(given).set_params(**second.get_params(deep=False)).fit(given)
        assert_same_state(again, fresh)


@pytest.mark.parametrize("name", sorted(CONSENSUS))
def test_number_of_clusters_and_objects_that_nobody_knows(name):
    function = CONSENSUS[name][0]
    labels = make_planted_ensemble(120, 6, 3, noise=0.2, random_state=0).ensemble.labels
    labels = np.vstack([np.full(6, -1), labels])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = clone(function).fit(with_needs(function, labels))
        one = clone(function).set_params(n_clusters=1).fit(with_needs(function, labels))
        twins = clone(function).fit(with_needs(function, [[0, 0, 1, 1], [0, 0, 1, 1]]))
    assert {w.category for w in caught} >= {UnlabelledObjectsWarning, FewerClustersWarning}
    assert np.flatnonzero(fitted.unlabelled_).tolist() == [0]
    assert fitted.labels_[0] == np.bincount(fitted.labels_[1:]).argmax()
    assert not one.labels_.any()
    assert twins.labels_.tolist() == [0, 0, 1, 1]
    with pytest.raises(InvalidParameterError, match="n_samples"):
        clone(function).set_params(n_clusters=122).fit(with_needs(function, labels))


def test_names_of_checks_are_right():
    names = {check.__name__ for check in CONSENSUS_CHECKS}
    assert names >= OF_THE_ENGINE
    assert {check for _, _, check in EXCEPTIONS} <= names


def test_every_family_has_its_function():
    functions = catalogue(extensions=False)
    families = {function.__module__.split(".")[2] for function in functions.values()}
    chosen = {functions[name].__module__.split(".")[2] for name in FAMILIES}
    packages = {family for family in families if not family.startswith("_")}
    assert packages <= chosen
