"""The calling process holds vectors with an entry per object in as few bytes as they need."""

import dask.array as da
import numpy as np
import pytest

from consilience import Ensemble
from consilience.consensus import IPC, IVC, KMCF
from consilience.ensemble import canonical_labels, start_from_member
from consilience.incidence import Incidence, label_digest, label_sizes, n_different, relabelled
from consilience.incidence._collect import RowValues, narrowed

pytestmark = pytest.mark.usefixtures("client", "small_stripes", "quietly")


def votes(n_rows, n_clusters, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_clusters, n_rows)
    labels = np.where(
        rng.random((n_rows, 6)) < 0.8, truth[:, None], rng.integers(0, n_clusters, (n_rows, 6))
    )
    return np.where(rng.random(labels.shape) < missing, -1, labels)


@pytest.mark.parametrize(("n_clusters", "dtype"), [(4, np.uint8), (300, np.uint16)])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_label_vectors_of_verbs_are_small(n_clusters, dtype, missing):
    labels = votes(1_500, n_clusters, missing)
    away = Ensemble.from_dask(da.from_array(labels, chunks=(1_000, -1))).with_array_labels()
    here = Ensemble(labels)
    table = np.random.default_rng(1).random((here.n_base_clusters, n_clusters))
    found, expected = (ensemble.incidence.argmax(table) for ensemble in (away, here))
    assert found.labels.dtype == dtype
    assert expected.labels.dtype == np.int32
    np.testing.assert_array_equal(found.labels, expected.labels)
    again = away.incidence.argmax(table[:, ::-1], found)
    expected = here.incidence.argmax(table[:, ::-1], expected)
    np.testing.assert_array_equal(again.labels, expected.labels)
    np.testing.assert_array_equal(again.counts, expected.counts)
    start = start_from_member(away, 2, n_clusters - 1)
    assert start.dtype == dtype
    np.testing.assert_array_equal(start, start_from_member(here, 2, n_clusters - 1))
    members = away.incidence.member_labels(1)
    assert members.dtype.itemsize < 4
    np.testing.assert_array_equal(members, here.incidence.member_labels(1))
    known = away.incidence.known()
    assert known.dtype == bool
    np.testing.assert_array_equal(known, here.incidence.observed() > 0)


def test_what_leaves_a_fit_is_int32():
    labels = votes(1_500, 4)
    away = Ensemble.from_dask(da.from_array(labels, chunks=(1_000, -1)))
    few = {"n_init": 2, "max_iter": 2, "random_state": 0}
    for function in (IPC(4, **few), KMCF(4, **few)):
        expected = function.fit(labels)
        expected = expected.labels_, expected.solutions_
        fitted = function.fit(away)
        assert fitted.labels_.dtype == np.int32
        assert (fitted.labels_ - 5).compute().min() == -5
        np.testing.assert_array_equal(fitted.labels_.compute(), expected[0])
        for mine, theirs in zip(fitted.solutions_, expected[1], strict=True):
            assert mine.labels.dtype == np.int32
            np.testing.assert_array_equal(np.asarray(mine.labels), theirs.labels)


def test_larger_labels_in_later_rows():
    parts = RowValues(0, 6, narrow=True)
    for rows, part in (((0, 2), [0, 1]), ((2, 4), [256, 3]), ((4, 6), [-1, 70_000])):
        parts.add(rows, np.array(part, dtype=np.int32))
    np.testing.assert_array_equal(parts.result(), [0, 1, 256, 3, -1, 70_000])


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        ([0, 255], np.uint8),
        ([0, 256], np.uint16),
        ([0, 70_000], np.int32),
        ([-1, 127], np.int8),
        ([-1, 128], np.int16),
        ([-1, 40_000], np.int32),
        ([], np.uint8),
    ],
)
def test_the_smallest_type_that_fits(labels, dtype):
    assert narrowed(np.array(labels, dtype=np.int32)).dtype == dtype


def test_functions_of_label_vectors_take_small_ones():
    labels = np.random.default_rng(0).integers(0, 200, 5_000).astype(np.int32)
    small = narrowed(labels)
    assert small.dtype == np.uint8
    np.testing.assert_array_equal(label_sizes(small, 300), label_sizes(labels, 300))
    assert label_digest(small) == label_digest(labels)
    assert n_different(small, labels) == 0
    new = np.arange(200)[::-1] * 3
    np.testing.assert_array_equal(relabelled(small, new), relabelled(labels, new))
    assert relabelled(small, new).dtype == np.uint16
    assert relabelled(small, np.arange(200)) is small
    for mine, theirs in zip(canonical_labels(small), canonical_labels(labels), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_rows_are_hashed_once_for_all_fits(monkeypatch):
    away = Ensemble.from_dask(da.from_array(votes(1_500, 4), chunks=(1_000, -1)))
    calls = []
    counted = Incidence.distinct_hashes
    monkeypatch.setattr(
        Incidence, "distinct_hashes", lambda *given: calls.append(1) or counted(*given)
    )
    monkeypatch.setattr("consilience.consensus._problem._MERGE_BELOW", 0.0)
    for _ in range(2):
        IVC(4, n_init=1, max_iter=1, random_state=0).fit(away)
    assert len(calls) == 1
