"""However the rows are cut and whatever they hold, the answer is that of the same rows in memory."""

import warnings

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from consilience import Ensemble
from consilience.consensus import CBGF, HBGF, IPC, IVC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    ConsilienceWarning,
    InvalidInputError,
    InvalidLabelsError,
    UnlabelledObjectsWarning,
    UnsupportedInputError,
)
from consilience.partition import Spectral

pytestmark = pytest.mark.usefixtures("client", "small_stripes", "quietly")

N = 1_300
FEW = {"n_init": 1, "max_iter": 2, "random_state": 0}
FUNCTIONS = [
    IVC(3, **FEW),
    IPC(3, **FEW),
    KMCF(3, **FEW),
    IVC(3, init="random_rows", **FEW),
    IPC(3, init="random_partition", **FEW),
    HBGF(3, partitioner=Spectral(n_init=2), random_state=0),
    CBGF(3, ties="random", n_init=1, random_state=0),
]
HERE = make_planted_ensemble(
    N, 6, 3, n_base_clusters=5, noise=0.3, missing=0.1, random_state=1
).ensemble
LABELS = HERE.labels.astype(np.int64)


def _frame(labels, lengths):
    ends = np.cumsum(lengths)
    whole = pd.DataFrame(labels, columns=[f"m{j}" for j in range(labels.shape[1])])
    parts = [whole.iloc[end - n : end] for n, end in zip(lengths, ends, strict=True)]
    return dd.concat([dd.from_pandas(part, npartitions=1) for part in parts])


def _array(labels, chunks):
    return da.from_array(labels, chunks=chunks, name=False)


def _of_unknown_lengths():
    doubled = np.repeat(LABELS, 2, axis=0)
    return _array(doubled, (1_000, 6))[_array(np.arange(2 * N) % 2 == 0, 1_000)]


CHUNKINGS = {
    "one chunk": lambda: _array(LABELS, -1),
    "odd chunks": lambda: _array(LABELS, ((1, 700, 3, 596), (6,))),
    "chunks of columns": lambda: _array(LABELS, (600, 4)),
    "unknown lengths": _of_unknown_lengths,
    "frame with an empty partition": lambda: _frame(LABELS, (512, 0, 788)),
}
LENGTHS = {
    "one chunk": (N,),
    "odd chunks": (1, 700, 3, 596),
    "chunks of columns": (600, 600, 100),
    "unknown lengths": (500, 500, 300),
    "frame with an empty partition": (512, 0, 788),
}


@pytest.fixture(scope="module")
def in_memory(small_stripes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        return [clone(function).fit(LABELS) for function in FUNCTIONS]


@pytest.mark.parametrize("name", CHUNKINGS)
def test_every_chunking(name, in_memory):
    data = CHUNKINGS[name]()
    away = Ensemble.from_dask(data)
    assert away.is_chunked
    assert away.fingerprint == HERE.fingerprint
    assert np.array_equal(away.n_observed, HERE.n_observed)
    assert [v.tolist() for v in away.values] == [v.tolist() for v in Ensemble(LABELS).values]
    # Labels are cut anew into the blocks of the grid: all functions see the same, however they came.
    for expected in in_memory if name == "odd chunks" else in_memory[:1]:
        fitted = clone(expected).fit(away)
        assert fitted.labels_.chunks == (LENGTHS[name],)
        assert fitted.labels_.dtype == np.int32
        assert np.array_equal(fitted.labels_.compute(), expected.labels_)
        if hasattr(expected, "objective_"):
            assert fitted.objective_ == expected.objective_


@pytest.fixture(scope="module")
def on_workers(in_memory, client):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        return clone(in_memory[0]).fit(CHUNKINGS["one chunk"]())


@pytest.mark.parametrize("name", CHUNKINGS)
def test_new_rows(name, in_memory, on_workers):
    expected, fitted = in_memory[0], on_workers
    shares = fitted.predict_proba(CHUNKINGS[name]())
    assert isinstance(shares, da.Array)
    assert shares.chunks == (LENGTHS[name], (3,))
    assert np.array_equal(shares.compute(), expected.predict_proba(LABELS))
    labels = fitted.predict(CHUNKINGS[name]())
    assert labels.dtype == np.int32
    assert np.array_equal(labels.compute(), expected.predict(LABELS))


def _text(labels):
    text = np.array([f"c{code}" for code in range(labels.max() + 1)] + [None], dtype=object)
    return text[labels]


CHANGES = {
    "text": _text,
    "NaN": lambda labels: np.where(labels < 0, np.nan, labels),
    "too far for a lookup table": lambda labels: np.where(labels < 0, -1, labels * 10**15 + 7),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("kind", ["array", "frame"])
def test_kinds_of_labels(change, kind, in_memory):
    labels = change(LABELS)
    lengths = (300, 600, 400)
    data = _array(labels, (lengths, (6,))) if kind == "array" else _frame(labels, lengths)
    away = Ensemble.from_dask(data)
    assert away.fingerprint == HERE.fingerprint
    assert away.names == (HERE.names if kind == "array" else ("m0", "m1", "m2", "m3", "m4", "m5"))
    assert away.values[0].tolist() == Ensemble(labels).values[0].tolist()
    expected = in_memory[2]
    fitted = clone(expected).fit(data)
    assert np.array_equal(fitted.labels_.compute(), expected.labels_)
    assert np.array_equal(fitted.predict(data).compute(), expected.predict(LABELS))


def test_an_object_that_nobody_knows():
    labels = LABELS.copy()
    labels[[3, 900]] = -1
    function = KMCF(3, **FEW)
    with pytest.warns(UnlabelledObjectsWarning, match="2 of 1,300 objects"):
        expected = clone(function).fit(labels)
    with pytest.warns(UnlabelledObjectsWarning, match="2 of 1,300 objects"):
        fitted = clone(function).fit(_array(labels, (600, 6)))
    assert np.array_equal(fitted.labels_.compute(), expected.labels_)
    assert np.flatnonzero(fitted.unlabelled_).tolist() == [3, 900]


@pytest.mark.parametrize("function", FUNCTIONS[1:], ids=lambda f: type(f).__name__)
def test_weights(function):
    """Weights of members, one of them zero, and of objects, whole and not."""
    weights = [1, 0, 2, 0.5, 1, 1]
    away = Ensemble.from_dask(_array(LABELS, (600, 6)), weights=weights)
    assert away.fingerprint == HERE.with_weights(weights).fingerprint
    whole = np.random.default_rng(0).integers(0, 4, N)
    for sample_weight in (whole, whole / 7)[: 2 if type(function) is KMCF else 1]:
        expected = clone(function).fit(HERE.with_weights(weights), sample_weight=sample_weight)
        fitted = clone(function).fit(away, sample_weight=sample_weight)
        assert np.array_equal(fitted.labels_.compute(), expected.labels_)
        assert np.array_equal(fitted.vote_table_, expected.vote_table_)


# --- other ensembles made from one in chunks ---------------------------------------------------------


@pytest.fixture(scope="module")
def away(client, small_stripes):
    return Ensemble.from_dask(_array(LABELS, (400, 6)), names=list("abcdef"))


@pytest.mark.parametrize("rows", [np.arange(N) % 3 == 0, slice(100, 900, 2), [5, 1_299]], ids=repr)
def test_take_into_memory(rows, away):
    ids = np.arange(N) + 10_000
    taken, expected = away.with_ids(ids).take(rows), Ensemble(LABELS, ids=ids).take(rows)
    assert not taken.is_chunked
    assert taken.fingerprint == expected.fingerprint
    assert taken.names == ("a", "b", "c", "d", "e", "f")
    assert taken.ids.tolist() == expected.ids.tolist()
    assert [v.tolist() for v in taken.values] == [v.tolist() for v in expected.values]


def test_members_alone(away):
    chosen = away.select(["e", "b"])
    assert chosen.is_chunked
    assert chosen.names == ("e", "b")
    assert chosen.fingerprint == HERE.select([4, 1]).fingerprint
    assert np.array_equal(chosen.n_observed, HERE.n_observed[[4, 1]])
    members = away.without_objects()
    assert (members.n_samples, members.is_chunked, members.names) == (0, False, away.names)
    assert [v.tolist() for v in members.values] == [v.tolist() for v in away.values]
    assert repr(away) == repr(HERE)


def test_take_in_chunks(away, memory_limit):
    rows = np.arange(N) % 3 > 0
    expected = KMCF(3, **FEW).fit(HERE.take(rows))
    memory_limit(10_000)
    taken = away.with_sample_weight(np.arange(N)).take(rows)
    assert taken.is_chunked
    assert taken.n_samples == np.count_nonzero(rows)
    assert np.array_equal(taken.sample_weight, np.flatnonzero(rows))
    memory_limit(None)
    fitted = KMCF(3, **FEW).fit(taken.with_sample_weight(None))
    assert isinstance(fitted.labels_, np.ndarray)
    assert np.array_equal(fitted.labels_, expected.labels_)
    assert np.array_equal(taken.n_observed, HERE.take(rows).n_observed)


def test_profiles(away):
    few, all_here = away.select([0, 1]), HERE.select([0, 1])
    assert few.n_profiles == all_here.n_profiles
    assert away.n_profiles == HERE.n_profiles
    merged, expected = few.profiles(), all_here.profiles()
    assert merged.ensemble.fingerprint == expected.ensemble.fingerprint
    assert np.array_equal(merged.inverse, expected.inverse)
    assert np.array_equal(merged.multiplicity, expected.multiplicity)
    weighted = few.with_sample_weight(np.arange(N)).profiles()
    assert np.array_equal(
        weighted.multiplicity, all_here.with_sample_weight(np.arange(N)).profiles().multiplicity
    )
    with pytest.raises(UnsupportedInputError, match="Constraints on pairs"):
        few.profiles(apart=np.arange(N) == 0)


def test_many_rows_are_counted_on_a_sample(away, monkeypatch):
    """Whether rows repeat is found on a share of all possible rows; exactly if they do."""
    from consilience.ensemble import _chunked_ensemble

    monkeypatch.setattr(_chunked_ensemble, "_COUNTED_ROWS", 200)
    fresh = away.with_weights(None)
    assert fresh.n_profiles == pytest.approx(HERE.n_profiles, rel=0.25)
    repeated = away.select([0, 1])
    assert repeated.n_profiles == HERE.select([0, 1]).n_profiles


# --- what cannot be read ------------------------------------------------------------------------------


def _with_negative():
    labels = LABELS.copy()
    labels[700, 2] = -5
    return _array(labels, (400, 6))


BAD = {
    "negative": (_with_negative, "Chunk 1, rows .*: Label -5 of object 300 in member 2"),
    "mixed": (
        lambda: da.concatenate(
            [_array(LABELS[:600].astype(object), -1), _array(_text(LABELS), -1)]
        ),
        "Member 0 holds numbers in some rows and text in others",
    ),
    "fractions": (lambda: _array(LABELS + 0.25, -1), "labels must be whole numbers"),
    "nothing known": (lambda: _array(np.full((90, 2), -1), 40), "Every label is missing"),
    "no rows": (lambda: _array(LABELS[:0], -1), "There are no rows"),
    "one dimension": (lambda: _array(LABELS[:, 0], 400), "Expected 2D array"),
}


@pytest.mark.parametrize(("make", "message"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_read_gets_one_sentence(make, message):
    with pytest.raises(InvalidLabelsError, match=message):
        Ensemble.from_dask(make())


def test_the_constructor_points_to_from_dask():
    with pytest.raises(InvalidInputError, match=r"Ensemble\.from_dask"):
        Ensemble(_array(LABELS, -1))
    with pytest.raises(InvalidInputError, match="weights must be 6 numbers"):
        Ensemble.from_dask(_array(LABELS, -1), weights=[1, 2])
