"""Without a cluster, dask collections are worked on by the threads of this process."""

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone

import consilience
from consilience import Ensemble
from consilience.consensus import HBGF, IPC, IVC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.incidence import ArraySource, current_client
from consilience.incidence._dask import DaskSource, map_rows
from consilience.metrics import ari
from consilience.partition import Spectral

pytestmark = pytest.mark.usefixtures("small_stripes", "quietly")

FEW = {"n_init": 1, "max_iter": 4, "random_state": 0}
FUNCTIONS = [
    IVC(3, **FEW),
    IPC(3, **FEW),
    IPC(3, refine=True, **FEW),
    KMCF(3, **FEW),
    HBGF(3, partitioner=Spectral(n_init=2), random_state=0),
]
HERE = make_planted_ensemble(
    2_500, 6, 3, n_base_clusters=5, noise=0.3, missing=0.1, random_state=2
).ensemble


def _away():
    assert current_client() is None
    return Ensemble.from_dask(da.from_array(HERE.labels, chunks=(900, 4)))


def test_kept_in_memory():
    assert isinstance(_away()._source, ArraySource)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_made_anew_for_every_verb(memory_limit, n_threads):
    before = consilience.set_config(n_threads=n_threads)
    memory_limit(20_000)
    away = _away()
    assert isinstance(away._source, DaskSource)
    memory_limit(None)
    for function in FUNCTIONS:
        expected = clone(function).fit(HERE)
        fitted = clone(function).fit(away)
        assert np.array_equal(fitted.labels_.compute(), expected.labels_)
        assert np.array_equal(fitted.own_shares(away), expected.own_shares(HERE))
    consilience.set_config(n_threads=before.n_threads)


def test_rows_are_not_merged_where_there_is_no_memory(memory_limit):
    """Few distinct rows, but the place of every object would not fit: the fit goes on without."""
    labels = make_planted_ensemble(40_000, 6, 3, noise=0.05, random_state=0).ensemble.labels
    expected = IPC(3, n_init=1, random_state=0).fit(labels).labels_
    data = da.from_array(labels, chunks=(10_000, 6))
    memory_limit(600_000)
    found = IPC(3, n_init=1, random_state=0).fit(data).labels_.compute()
    assert ari(found, expected) == 1.0


def test_functions_of_chunks_return_vectors_or_tables():
    data = da.from_array(np.arange(12.0).reshape(6, 2), chunks=(4, 2))
    sums = map_rows(lambda rows: rows.sum(axis=1), data, width=None, dtype=float)
    assert sums.shape == (6,)
    assert sums.compute().tolist() == [1, 5, 9, 13, 17, 21]
    first = map_rows(lambda rows: rows[:, :1], data, width=1, dtype=float)
    assert first.compute().tolist() == [[0], [2], [4], [6], [8], [10]]
