"""The GPU gives what threads give; tiny, so that Numba's simulator can run it.

On a machine with an NVIDIA GPU: python -m pytest tests/gpu/simulated.py
Without one, `test_engine.py` runs this file in the simulator.
"""

from functools import partial

import numpy as np
import pytest
from numba.core import config

import consilience
from consilience import Ensemble
from consilience.consensus import CBGF, HBGF, IPC, IVC, KMCF, MultinomialMixture
from consilience.exceptions import EngineWarning
from consilience.gpu import _engine, _verbs
from consilience.incidence import Incidence, NearestCentres, responsibilities_step
from consilience.partition import Spectral

# Doubts of fits to so few objects; a failure of the GPU is an error.
pytestmark = [
    pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning"),
    pytest.mark.filterwarnings("error::consilience.exceptions.EngineWarning"),
]


@pytest.fixture(autouse=True)
def _settings(monkeypatch):
    if config.ENABLE_CUDASIM:
        from numba.cuda.simulator.kernel import BlockManager

        from simulator_turns import run_block

        monkeypatch.setattr(BlockManager, "run", run_block)
    monkeypatch.setattr(_engine, "_LEAST_LABELS", 1)
    yield
    consilience.set_config(engine="cpu")


@pytest.fixture
def ran(monkeypatch):
    """List the verbs that ran on the GPU."""
    names = []
    verb_of = _verbs.verb_of

    def noted(job, vectors):
        verb = verb_of(job, vectors)
        names.append(None if verb is None else verb.__name__)
        return verb

    monkeypatch.setattr(_verbs, "verb_of", noted)
    return names


def votes(n_rows=37, n_members=5, n_clusters=3, missing=0.1, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_clusters, n_rows)
    labels = np.array([rng.permutation(n_clusters)[truth] for _ in range(n_members)]).T
    noise = rng.random(labels.shape) < 0.3
    labels = np.where(noise, rng.integers(0, n_clusters, labels.shape), labels)
    return np.where(rng.random(labels.shape) < missing, -1, labels)


def both(function, H):
    """Return the results of a function of H on the GPU and on threads."""
    consilience.set_config(engine="cpu")
    expected = function(H)
    consilience.set_config(engine="cuda")
    return function(H), expected


def make(weight=None, **given):
    labels, rng = votes(**given), np.random.default_rng(1)
    weights = {"whole": rng.integers(0, 5, len(labels)), "fractions": rng.random(len(labels))}
    return Ensemble(labels).with_sample_weight(weights.get(weight)).incidence


FUNCTIONS = [
    IPC(3, n_init=1, random_state=0),
    IVC(3, n_init=1, max_iter=2, criterion="confidence", random_state=0),
    KMCF(3, n_init=1, random_state=0),
    HBGF(3, partitioner=Spectral(n_init=2), random_state=0),
    CBGF(3, n_init=1, random_state=0),
    MultinomialMixture(3, n_init=1, max_iter=3, random_state=0),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: type(function).__name__)
def test_labels_are_those_of_threads(function, ran):
    ensemble = Ensemble(votes())
    found, expected = both(lambda e: function.fit(e).labels_, ensemble)
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, expected)
    assert any(ran)


@pytest.mark.parametrize("room", [48 * 1024, 200])
@pytest.mark.parametrize("weight", [None, "whole", "fractions"])
def test_tables_are_those_of_threads(weight, room, monkeypatch, ran):
    monkeypatch.setattr(_verbs, "SHARED_BYTES", room)
    H, rng = make(weight, seed=3), np.random.default_rng(1)
    current = rng.integers(0, 3, H.n_rows).astype(np.int32)
    same = np.testing.assert_array_equal if weight != "fractions" else np.testing.assert_allclose
    same(*both(lambda H: H.count(current, 3), H))
    same(*both(lambda H: H.count(None, 1), H))
    np.testing.assert_array_equal(*both(lambda H: H._gram(None), H))
    table = rng.integers(0, 4, (H.shape[1], 3)) / 3.0
    found, expected = both(lambda H: H.argmax(table, current, want_best=True), H)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.best, expected.best)
    assert found.labels.dtype == np.int32
    same(found.counts, expected.counts)
    same(found.sizes, expected.sizes)
    # Few rows moved, so that only those that move now are counted.
    state, bias = expected._replace(moved=0.0), np.array([0.0, 0.5, 0.0])
    found, expected = both(lambda H: H.argmax(table[:, ::-1], state, bias=bias), H)
    np.testing.assert_array_equal(found.labels, expected.labels)
    same(found.counts, expected.counts)
    same(found.sizes, expected.sizes)
    assert ran == ["_count", "_count", "_gram", "_argmax", "_argmax"]


@pytest.mark.parametrize("width", [1, 30])
@pytest.mark.parametrize("kind", ["excluded", "ties", "nothing can win"])
def test_winners_of_odd_tables(width, kind):
    H, rng = make(seed=5), np.random.default_rng(2)
    table = rng.random((H.shape[1], width))
    if kind == "ties":
        table = np.rint(table) / 3 + rng.choice([0, 1e-12], table.shape)
    bias = np.where(np.arange(width) % 2, 0.0, -np.inf if kind != "ties" else 1e-12)
    if kind == "nothing can win":
        bias[:] = -np.inf
    current = rng.integers(0, width, H.n_rows).astype(np.int32)
    for known in (None, current):
        found, expected = both(lambda H, known=known: H.argmax(table, known, bias=bias), H)
        np.testing.assert_array_equal(found.labels, expected.labels)


@pytest.mark.parametrize("room", [48 * 1024, 100])
@pytest.mark.parametrize("weight", [None, "fractions"])
def test_responsibilities_are_added_up(weight, room, monkeypatch, ran):
    monkeypatch.setattr(_verbs, "SHARED_BYTES", room)
    H = make(weight)
    table = np.log(np.random.default_rng(3).dirichlet(np.ones(4), H.shape[1]))

    def swept(H):
        return H.sweep(
            table, responsibilities_step, (H.row_weight,), bias=np.log([0.1, 0.2, 0.3, 0.4])
        )

    found, expected = both(swept, H)
    np.testing.assert_allclose(found.memberships, expected.memberships, rtol=1e-12)
    for mine, theirs in zip(found.sums, expected.sums, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert ran == ["_soften"]


@pytest.mark.parametrize("tight", [False, True])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("weight", [None, "whole", "fractions"])
def test_nearest_centres(weight, unit, tight, monkeypatch, ran):
    H, rng = make(weight), np.random.default_rng(4)
    table, centres = rng.normal(size=(H.shape[1], 2)), rng.normal(size=(3, 4, 2))
    if tight:  # one restart at a time, without the table
        room = _verbs._bytes_per_restart(NearestCentres(centres, unit, "sums")) + 50
        monkeypatch.setattr(_verbs, "SHARED_BYTES", room)
    scale = None if weight is None else rng.random(H.n_rows) + 0.5
    for step in (
        NearestCentres(centres, unit, "sums"),
        NearestCentres(centres[:1], unit, "labels"),
    ):
        found, expected = both(lambda H, step=step: H.sweep(table, step, (scale, H.row_weight)), H)
        for mine, theirs in zip(found.sums, expected.sums, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-10)
        np.testing.assert_array_equal(found.labels, expected.labels)
    assert ran == ["_nearest", "_nearest"]


def test_what_is_not_covered_runs_on_threads(ran):
    H, rng = make(), np.random.default_rng(6)
    wide = rng.random((H.shape[1], 200))
    many = NearestCentres(rng.random((1, 400, 20)), unit=False, wanted="sums")
    steps = [
        (
            wide[:, :3],
            responsibilities_step,
            (rng.random(H.n_rows),),
        ),  # not the weights of the rows
        (wide[:, :3] * [1, 1, np.inf], responsibilities_step, (None,)),
        (
            wide[:, :3],
            NearestCentres(rng.random((1, 2, 3)), unit=False, wanted="distances"),
            (None, None),
        ),
        (wide[:, :20], many, (None, None)),
    ]
    with np.errstate(all="ignore"):
        for table, step, vectors in steps:
            found, expected = both(
                partial(Incidence.sweep, table=table, step=step, rows=vectors), H
            )
            np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(*both(lambda H: H.argmax(wide).labels, H))
    np.testing.assert_array_equal(*both(lambda H: H @ wide, H))
    assert set(ran) == {None}


@pytest.mark.parametrize("n_before", [0, 1, 9, 20])
@pytest.mark.parametrize("function", [FUNCTIONS[0], FUNCTIONS[3]], ids=["IPC", "HBGF"])
def test_memory_that_runs_out_half_way_loses_nothing(function, n_before, monkeypatch):
    ensemble = Ensemble(votes())
    expected = function.fit(ensemble).labels_
    consilience.set_config(engine="cuda")
    upload, calls = _verbs.upload, []

    def scarce(array):
        calls.append(len(array))
        if len(calls) > n_before:
            raise MemoryError("out of memory on the device")
        return upload(array)

    monkeypatch.setattr(_verbs, "upload", scarce)
    with pytest.warns(EngineWarning, match="MemoryError: out of memory on the device") as warned:
        found = function.fit(ensemble).labels_
    np.testing.assert_array_equal(found, expected)
    assert sum(issubclass(warning.category, EngineWarning) for warning in warned) == 1
    assert consilience.get_config().engine == "cpu"
    assert len(calls) == n_before + 1
    assert not len(_engine._SENT)


def test_labels_are_sent_once_and_the_setting_holds_at_once(monkeypatch, ran):
    sent = []
    send = _verbs.send_codes
    monkeypatch.setattr(_verbs, "send_codes", lambda codes: sent.append(1) or send(codes))
    H = make()
    H.count(None, 1)
    assert ran == []
    consilience.set_config(engine="cuda")
    for _ in range(3):
        H.count(None, 1)
    assert (ran, sent) == (["_count"] * 3, [1])
    consilience.set_config(engine="cpu")
    H.count(None, 1)
    assert len(ran) == 3
    del H
    assert not len(_engine._SENT)


def test_few_labels_and_soft_members_stay_on_threads(ran, monkeypatch):
    consilience.set_config(engine="cuda")
    soft = Ensemble.from_memberships([np.array([[0.5, 0.5], [1.0, 0.0]])] * 2)
    assert soft.incidence.sizes.tolist() == [1.5, 0.5, 1.5, 0.5]
    monkeypatch.setattr(_engine, "_LEAST_LABELS", 5)
    assert Ensemble([[0, 1], [0, 1]]).incidence.sizes.tolist() == [1, 1, 1, 1]
    assert ran == []
