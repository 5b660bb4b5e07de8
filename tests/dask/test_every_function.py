"""Every consensus function whose cost is linear gives the same labels in chunks; the others refuse."""

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone

import consilience
from consilience import Ensemble
from consilience.consensus import GCA, GWCA, IVC, KMCF, WSPA, catalogue
from consilience.consensus._constraints import Constraints
from consilience.consensus.bregman import NamedDivergence
from consilience.consensus.bregman._aggregate import FixedPairs, PolynomialAggregate
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import UnsupportedInputError
from consilience.incidence._dask import DaskSource
from consilience.partition import _plus_plus
from consilience.testing._checks import with_needs
from instances import CONSENSUS

pytestmark = pytest.mark.usefixtures("small_stripes", "quietly")

N = 700


def _quick(function):
    """Return a copy that is random by a seed alone and takes few restarts and rounds."""
    function = clone(function)
    given = function.get_params(deep=False)
    fewer = {"n_init": 1, "max_iter": 2, "random_state": 0}
    few = {
        name: value if name == "random_state" else min(value, given[name] or value)
        for name, value in fewer.items()
        if name in given
    }
    if "functions" in given:
        few["functions"] = [IVC(n_init=1, random_state=0), KMCF(n_init=1, random_state=0)]
    return function.set_params(**few)


INSTANCES = [_quick(function) for functions in CONSENSUS.values() for function in functions]
# A polynomial of degree two takes a verb per column of every product; its sums have a test below.
LINEAR = [
    function
    for function in INSTANCES
    if function.active_capabilities().cost == "linear" and getattr(function, "degree", None) is None
]
QUADRATIC = [function for function in INSTANCES if function.active_capabilities().cost != "linear"]
# All variants are made anew by threads of this process.
FIRST = list({type(function): function for function in reversed(LINEAR)}.values())

# Other processes get jobs of verbs, the same for all functions: a few functions are enough.
TRAVELLERS = ("IVC", "KMCF", "HBGF", "MCLA", "CSPA", "CCU", "GWCA", "Labelling", "Concord")


def _first(name):
    return next(function for function in FIRST if type(function).__name__ == name)


def _name(function):
    return " ".join(str(function).split())


def _in_chunks(ensemble):
    return Ensemble.from_dask(da.from_array(ensemble.labels, chunks=(500, 5)))


class Places:
    """An ensemble in memory, the same on workers, and the same in a computation of this process."""

    def __init__(self, client, **planted):
        self.here, _ = make_planted_ensemble(N, 8, 3, random_state=0, **planted)
        with client.as_current():
            self.away = _in_chunks(self.here)
        before = consilience.set_config(memory_limit=4_000)
        self.lazy = _in_chunks(self.here)
        consilience.set_config(memory_limit=before.memory_limit)


@pytest.fixture(scope="module")
def diverse(session_client, small_stripes):
    places = Places(session_client, n_base_clusters=4, noise=0.3)
    assert places.here.n_profiles > 0.5 * N
    assert places.away._source.client is not None
    assert isinstance(places.lazy._source, DaskSource)
    assert places.lazy._source.client is None
    return places


@pytest.fixture(scope="module")
def alike(session_client, small_stripes):
    places = Places(session_client, noise=0.02)
    assert places.here.n_profiles < 0.2 * N
    return places


def _assert_same(function, here, away, **fit):
    if function.capabilities.needs:
        here = with_needs(function, here)
        away = away.with_cluster_tables(**here.cluster_tables)
    in_memory = clone(function).fit(here, **fit)
    in_chunks = clone(function).fit(away, **fit)
    assert isinstance(in_chunks.labels_, da.Array)
    assert np.array_equal(in_chunks.labels_.compute(), in_memory.labels_)
    assert np.array_equal(in_chunks.vote_table_, in_memory.vote_table_)
    assert in_chunks.provenance_["ensemble"] == in_memory.provenance_["ensemble"]
    if hasattr(in_memory, "objective_"):
        assert in_chunks.objective_ == pytest.approx(in_memory.objective_, rel=1e-12)


def test_none_is_missed():
    linear = {name for name, made in catalogue().items() if made.capabilities.cost == "linear"}
    assert {type(function).__name__ for function in LINEAR} == linear
    assert {type(function).__name__ for function in FIRST} == linear
    assert {type(function).__name__ for function in QUADRATIC} >= set(catalogue()) - linear


@pytest.mark.parametrize("name", TRAVELLERS)
def test_diverse_members_on_workers(name, diverse):
    _assert_same(_first(name), diverse.here, diverse.away)


@pytest.mark.parametrize("function", LINEAR, ids=_name)
def test_diverse_members(function, diverse):
    _assert_same(function, diverse.here, diverse.lazy)


@pytest.mark.parametrize("function", LINEAR, ids=_name)
def test_members_that_are_alike(function, alike):
    """Identical rows are merged, by those functions that may."""
    _assert_same(function, alike.here, alike.lazy)


@pytest.mark.parametrize("name", ["IPC", "KMCF", "HBGF", "CSPA", "HGPA", "WSPA"])
def test_members_that_are_alike_on_workers(name, alike):
    _assert_same(_first(name), alike.here, alike.away)


@pytest.mark.parametrize("where", ["away", "lazy"])
@pytest.mark.parametrize("name", ["KMCF", "HBGF", "Labelling"])
def test_starts_drawn_from_few_rows(name, where, diverse, monkeypatch):
    monkeypatch.setattr(_plus_plus, "MOST_ROWS", 100)
    _assert_same(_first(name), diverse.here, getattr(diverse, where))


CONSTRAINED = [GWCA(3, n_init=1, random_state=0), GCA(3, enforce=True, n_init=1, random_state=0)]


@pytest.mark.parametrize("function", CONSTRAINED, ids=_name)
@pytest.mark.parametrize("which", ["diverse", "alike"])
def test_constraints(function, which, request):
    places = request.getfixturevalue(which)
    pairs = np.random.default_rng(0).choice(N, (40, 2), replace=False)
    fit = {"must_link": pairs[:20], "cannot_link": pairs[20:]}
    _assert_same(function, places.here, places.lazy, **fit)
    if which == "alike" and isinstance(function, GWCA):
        _assert_same(function, places.here, places.away, **fit)
        known = np.full(N, -1)
        known[::50] = places.here.labels[::50, 0]
        _assert_same(function, places.here, places.lazy, partial_labels=known)


def test_sums_over_triples_of_members(diverse):
    fixed = FixedPairs.of(diverse.here, Constraints.none(diverse.here.n_samples))
    made = [
        PolynomialAggregate(ensemble, NamedDivergence("exponential"), fixed, 2)._cubes
        for ensemble in (diverse.here, diverse.away)
    ]
    assert np.array_equal(*made)


@pytest.mark.parametrize(
    "function", [*QUADRATIC, WSPA(3, partitioner="linkage"), GCA(3, divergence="kl")], ids=_name
)
def test_quadratic_functions_refuse(function, diverse):
    with pytest.raises(UnsupportedInputError, match=r"compares all pairs.*these can: .*KMCF"):
        clone(function).fit(diverse.away)


def test_labels_are_not_here(diverse):
    for name in ("labels", "codes"):
        with pytest.raises(UnsupportedInputError, match="read in chunks; use take"):
            getattr(diverse.away, name)
