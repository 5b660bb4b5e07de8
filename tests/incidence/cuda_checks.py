"""The GPU engine gives the labels of the CPU engine; tiny, so that Numba's simulator can run it.

On a machine with an NVIDIA GPU: python -m pytest tests/incidence/cuda_checks.py
Without one, `test_cuda.py` runs this file in the simulator.
"""

import numpy as np
import pytest

import consilience
from consilience import Ensemble
from consilience._kernels._device import SIMULATED
from consilience.consensus import CBGF, HBGF, IPC, IVC, KMCF, LWGP, MCLA, MultinomialMixture
from consilience.exceptions import InvalidLabelsError, UnsupportedInputError
from consilience.incidence import (
    DeviceVector,
    _leads,
    first_rows,
    label_digest,
    label_sizes,
    n_different,
    relabelled,
)
from consilience.partition import Spectral

pytestmark = [
    # The simulator works with NumPy's scalars, which warn where hashes wrap around.
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning"),
]


@pytest.fixture(autouse=True)
def _settings(monkeypatch):
    if SIMULATED:
        from numba.cuda.simulator.kernel import BlockManager

        from simulator_turns import run_block

        monkeypatch.setattr(BlockManager, "run", run_block)
    previous = consilience.get_config()
    yield
    consilience.set_config(engine=previous.engine)


def votes(n_rows=37, n_members=5, n_clusters=3, missing=0.0, seed=0):
    # Five members: rows do not begin with words, so that a thread needs what its neighbours read.
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_clusters, n_rows)
    labels = np.array([rng.permutation(n_clusters)[truth] for _ in range(n_members)]).T
    noise = rng.random(labels.shape) < 0.3
    labels = np.where(noise, rng.integers(0, n_clusters, labels.shape), labels)
    return np.where(rng.random(labels.shape) < missing, -1, labels)


def on(engine, labels, weights=None, row_weight=None):
    consilience.set_config(engine=engine)
    ensemble = Ensemble(labels, weights=weights)
    return ensemble if row_weight is None else ensemble.with_sample_weight(row_weight)


def there(labels):
    """Return labels on the GPU; the simulator takes them as they are."""
    from consilience._kernels._device import upload

    return upload(np.ascontiguousarray(labels))


FUNCTIONS = [
    IPC(3, n_init=1, random_state=0),
    IVC(3, n_init=1, random_state=0),
    KMCF(3, n_init=1, random_state=0),
    HBGF(3, partitioner=Spectral(n_init=2), random_state=0),
    LWGP(3, n_init=1, random_state=0),
    CBGF(3, n_init=1, random_state=0),
    MCLA(3, random_state=0),
    MultinomialMixture(3, n_init=1, max_iter=2, random_state=0),
    IPC(3, init="random_partition", n_init=1, max_iter=2, criterion="anmi", random_state=0),
    IVC(3, init="random_rows", n_init=1, max_iter=2, criterion="confidence", random_state=0),
    CBGF(3, ties="random", n_init=1, random_state=0),
]


# The simulator is slow: complete labels are tried with two functions only.
CASES = [*((function, 0.15) for function in FUNCTIONS), (FUNCTIONS[0], 0.0), (FUNCTIONS[2], 0.0)]


@pytest.mark.parametrize(
    ("function", "missing"), CASES, ids=[f"{type(f).__name__}-{share}" for f, share in CASES]
)
def test_labels_are_those_of_threads(function, missing):
    labels = votes(missing=missing)
    expected = function.fit(on("cpu", labels)).labels_
    found = function.fit(on("cuda", labels)).labels_
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64])
def test_labels_on_the_gpu_are_taken_as_they_are(dtype):
    labels = votes(n_rows=21, missing=0.0 if dtype == np.uint16 else 0.2)
    here = on("cpu", labels)
    function = IVC(3, n_init=1, random_state=0)
    expected = function.fit(here).labels_
    consilience.set_config(engine="auto")
    ensemble = Ensemble.from_device(there(labels.astype(dtype)))
    assert ensemble.fingerprint == here.fingerprint
    np.testing.assert_array_equal(ensemble.n_observed, here.n_observed)
    for mine, theirs in zip(ensemble.values, here.values, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(function.fit(ensemble).labels_, expected)
    np.testing.assert_array_equal(ensemble.take([3, 7, 8]).labels, here.take([3, 7, 8]).labels)
    chosen = ensemble.select([2, 0])
    np.testing.assert_array_equal(chosen.incidence.sizes, here.select([2, 0]).incidence.sizes)


@pytest.mark.parametrize("weight", ["none", "whole", "fractions"])
def test_tables_are_those_of_threads(weight):
    labels, rng = votes(missing=0.1, seed=3), np.random.default_rng(1)
    weights = {
        "none": None,
        "whole": rng.integers(0, 5, len(labels)),
        "fractions": rng.random(len(labels)),
    }
    pair = [on(engine, labels, row_weight=weights[weight]).incidence for engine in ("cpu", "cuda")]
    current = rng.integers(0, 3, len(labels)).astype(np.int32)
    table = rng.integers(0, 4, (pair[0].shape[1], 3)) / 3.0
    same = np.testing.assert_array_equal if weight != "fractions" else np.testing.assert_allclose
    same(*(H.sizes for H in pair))
    same(*(H.count(current, 3) for H in pair))
    np.testing.assert_array_equal(*(H.gram() for H in pair))
    np.testing.assert_array_equal(*(H @ table for H in pair))
    np.testing.assert_array_equal(*(H.observed() for H in pair))
    np.testing.assert_array_equal(*(H.digests() for H in pair))
    np.testing.assert_array_equal(*(H.distinct_hashes(1) for H in pair))
    np.testing.assert_array_equal(*(H.distinct_hashes(2) for H in pair))
    np.testing.assert_array_equal(*(H.picked_rows(np.array([0, 5, 36])) for H in pair))
    states = [H.argmax(table, current, want_best=True) for H in pair]
    np.testing.assert_array_equal(*(np.asarray(state.labels) for state in states))
    np.testing.assert_array_equal(*(state.best for state in states))
    same(*(state.counts for state in states))
    same(*(state.sizes for state in states))
    # Rows that move are counted as differences when few did.
    again = [
        H.argmax(table[:, ::-1], state._replace(moved=0.0), bias=np.array([0.0, 0.5, 0.0]))
        for H, state in zip(pair, states, strict=True)
    ]
    np.testing.assert_array_equal(*(np.asarray(state.labels) for state in again))
    same(*(state.counts for state in again))


@pytest.mark.parametrize("whole", [True, False])
def test_rows_that_cannot_change_are_skipped(monkeypatch, whole):
    monkeypatch.setattr(_leads, "_MANY_ROWS", 0)
    monkeypatch.setattr(_leads, "_LABELS_PER_CELL", 0)
    rng = np.random.default_rng(4)
    pair = [on(engine, votes(missing=0.1, seed=8)).incidence for engine in ("cpu", "cuda")]
    table = rng.integers(0, 9, (pair[0].shape[1], 4)) / (1 if whole else 7)
    states = [H.argmax(table)._replace(moved=0.0) for H in pair]
    for _ in range(4):
        table = table + rng.integers(0, 2, table.shape) / (1 if whole else 7)
        states = [
            H.argmax(table, state)._replace(moved=0.0)
            for H, state in zip(pair, states, strict=True)
        ]
        np.testing.assert_array_equal(*(np.asarray(state.labels) for state in states))
        np.testing.assert_array_equal(*(state.counts for state in states))
    # With a large lead, even a wrong label is kept: the row is not read.
    state = states[1]
    state.labels.data[0] = wrong = (int(state.labels.data[0]) + 1) % 4
    state.leads.stored[0] = 1e30
    assert pair[1].argmax(table, state).labels[np.array([0])] == wrong
    state.leads.stored = None  # moved to the next state
    assert pair[1].argmax(table, state).labels[np.array([0])] != wrong


def test_columns_that_can_never_win_and_many_columns():
    labels = votes(seed=5)
    pair = [on(engine, labels).incidence for engine in ("cpu", "cuda")]
    rng = np.random.default_rng(2)
    table = rng.random((pair[0].shape[1], 60))
    bias = np.where(np.arange(60) % 2, 0.0, -np.inf)
    for given in (bias, None):
        states = [H.argmax(table, bias=given) for H in pair]
        np.testing.assert_array_equal(*(np.asarray(state.labels) for state in states))


def test_stripes_where_the_memory_is_too_small(monkeypatch):
    from consilience._kernels import _device

    labels = votes(missing=0.1)
    function = IPC(3, n_init=1, random_state=0)
    expected = function.fit(on("cpu", labels)).labels_
    monkeypatch.setattr(_device, "free_bytes", lambda: 100)
    np.testing.assert_array_equal(function.fit(on("cuda", labels)).labels_, expected)


def test_label_vectors():
    from consilience._kernels._device import upload

    here = np.random.default_rng(0).integers(0, 5, 45).astype(np.int32)
    here[here == 3] = 4
    vector = DeviceVector(upload(here.astype(np.uint8)), 6)
    np.testing.assert_array_equal(vector, here)
    np.testing.assert_array_equal(vector[np.array([3, -1])], here[[3, -1]])
    np.testing.assert_array_equal(vector < 2, here < 2)
    np.testing.assert_array_equal(label_sizes(vector, 6), np.bincount(here, minlength=6))
    np.testing.assert_array_equal(first_rows(vector, 6), first_rows(here, 6))
    assert label_digest(vector) == label_digest(here)
    assert vector.max() == 4
    new = np.array([1, 0, 2, 2, 3, 3])
    np.testing.assert_array_equal(relabelled(vector, new), relabelled(here, new))
    other = np.where(np.arange(45) < 7, 0, here).astype(np.uint8)
    assert n_different(vector, DeviceVector(upload(other), 6)) == np.count_nonzero(other != here)


def test_refusals():
    soft = [np.array([[0.5, 0.5], [1.0, 0.0]])] * 2
    consilience.set_config(engine="cuda")
    with pytest.raises(
        UnsupportedInputError, match=r"The GPU engine does not support soft memberships"
    ):
        HBGF(2).fit(Ensemble.from_memberships(soft))
    with pytest.raises(InvalidLabelsError, match=r"must be whole numbers"):
        Ensemble.from_device(there(np.zeros((3, 2))))
    with pytest.raises(InvalidLabelsError, match=r"Label -3 in member 1"):
        Ensemble.from_device(there(np.array([[0, 0], [0, -3]])))
    with pytest.raises(InvalidLabelsError, match=r"without large gaps"):
        Ensemble.from_device(there(np.array([[0, 0], [0, 10**7]])))
    with pytest.raises(InvalidLabelsError, match=r"Expected 2D array"):
        Ensemble.from_device(there(np.array([0, 1])))
