"""Data in chunks: members are made on a sample, all rows are labelled where they are."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering
from consilience.consensus import HBGF, WBPA, Labelling
from consilience.exceptions import InvalidParameterError
from consilience.generate import KMeansRestarts, LACSweep, RandomProjection, Subsample, _chunked
from consilience.metrics import ari

pytestmark = pytest.mark.usefixtures("client", "small_stripes", "quietly")

N = 1_300
CENTRES = 12 * np.eye(4, 6)
X, TRUTH = make_blobs(N, centers=CENTRES, random_state=0)
GENERATORS = [
    KMeansRestarts(n_members=4, n_clusters=5, scaling="standard", random_state=0),
    RandomProjection(n_members=4, random_state=0),
    Subsample(n_members=3, random_state=0),
    LACSweep(inverse_h=(0, 1), max_iter=1000, random_state=0),
]


def _array(chunks):
    return da.from_array(X, chunks=chunks)


def _frame():
    whole = pd.DataFrame(X, columns=list("abcdef"))
    parts = [whole.iloc[:700], whole.iloc[:0], whole.iloc[700:]]
    return dd.concat([dd.from_pandas(part, npartitions=1) for part in parts])


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda g: type(g).__name__)
def test_chunks_do_not_matter(generator):
    """Few rows are their own sample, so that labels are those of rows in memory."""
    fitted = [clone(generator), clone(generator)]
    labels = fitted[0].fit_transform(_array((500, 4)))
    assert isinstance(labels, da.Array)
    assert labels.chunks == ((500, 500, 300), (len(fitted[0].members_),))
    assert np.array_equal(fitted[1].fit_transform(_array(-1)).compute(), labels.compute())
    first, second = (model.ensemble_ for model in fitted)
    assert first.is_chunked
    assert first.fingerprint == second.fingerprint
    assert first.names == second.names == tuple(fitted[0].get_feature_names_out())
    here = clone(generator).fit(X)
    assert np.array_equal(fitted[0].transform(_array((900, 6))).compute(), here.transform(X))
    assert np.array_equal(fitted[0].transform(_frame()).compute(), here.transform(X))


def test_members_are_made_on_a_sample(monkeypatch):
    """The sample depends on the seed, not on the chunks."""
    monkeypatch.setattr(_chunked, "SAMPLE_ROWS", 400)
    models = [clone(GENERATORS[0]).fit(_array(chunks)) for chunks in ((500, 4), (1_000, 6))]
    assert models[0].members_[0].labels.shape == (400,)
    assert models[0].ensemble_.n_samples == N
    assert models[0].ensemble_.fingerprint == models[1].ensemble_.fingerprint
    other = clone(GENERATORS[0]).set_params(random_state=1).fit(_array((500, 4)))
    assert other.ensemble_.fingerprint != models[0].ensemble_.fingerprint


def test_cluster_tables_follow():
    """Centres and feature weights belong to the clusters of all rows, not those of the sample."""
    generator = clone(GENERATORS[0]).set_params(scaling=None).fit(_array((500, 6)))
    away = generator.ensemble_
    for member, (centres, value) in enumerate(
        zip(away.cluster_tables["centres"], away.values, strict=True)
    ):
        given = generator.transform(X)[:, member]
        means = [X[given == label].mean(axis=0) for label in value]
        np.testing.assert_allclose(centres, means, atol=0.5)
    labels = Labelling(4, n_init=1, random_state=0).fit(away).labels_
    assert labels.shape == (N,)
    weighted = clone(GENERATORS[3]).fit(_array((500, 6))).ensemble_
    fitted = WBPA(4, random_state=0).fit(weighted)
    assert fitted.feature_weights_.shape == (4, 6)
    np.testing.assert_allclose(fitted.feature_weights_.sum(axis=1), 1.0)


DATA = {
    "chunks": lambda: _array((500, 4)),
    "other chunks": lambda: _array((900, 6)),
    "frame": _frame,
}


# How rows are cut does not depend on their scaling.
@pytest.mark.parametrize(
    ("scaling", "kinds"), [("standard", tuple(DATA)), (None, ("chunks",))], ids=["standard", "None"]
)
def test_consensus_clustering(scaling, kinds):
    model = ConsensusClustering(
        4, n_members=6, scaling=scaling, random_state=0, verbose=0, consensus=HBGF(random_state=0)
    )
    here = clone(model).fit(X)
    found = {name: clone(model).fit(DATA[name]()) for name in kinds}
    for fitted in found.values():
        assert isinstance(fitted.labels_, da.Array)
        assert isinstance(fitted.confidence_, da.Array)
        assert fitted.labels_.chunks == fitted.confidence_.chunks
        labels = fitted.labels_.compute()
        assert np.array_equal(labels, found["chunks"].labels_.compute())
        assert ari(labels, here.labels_) == 1.0
        assert ari(labels, TRUTH) == 1.0
        assert fitted.n_clusters_ == 4
        assert fitted.verdict_ == found["chunks"].verdict_
        assert fitted.confidence_.compute().min() > 0.5
    assert found["chunks"].labels_.chunks == ((500, 500, 300),)
    if "frame" in found:
        assert found["frame"].labels_.chunks == ((700, 0, 600),)


def test_new_rows():
    model = ConsensusClustering(4, n_members=6, random_state=0, verbose=0)
    model.set_params(consensus=HBGF(random_state=0)).fit(_array((500, 6)))
    for data in (_array((300, 3)), _frame()):
        shares = model.predict_proba(data)
        assert isinstance(shares, da.Array)
        assert shares.shape == (N, 4)
        assert np.array_equal(shares.compute(), model.predict_proba(X))
        assert np.array_equal(model.predict(data).compute(), model.predict(X))
    assert ari(model.predict(X), TRUTH) == 1.0


def test_number_of_clusters_is_chosen_on_the_sample():
    settings = {"n_members": 6, "random_state": 0, "verbose": 0}
    model = ConsensusClustering((2, 5), consensus="KMCF", **settings).fit(_array((500, 6)))
    assert model.n_clusters_ == 4
    assert len(model.k_table_) == 4
    one = ConsensusClustering(1, **settings).fit(_array((500, 6)))
    assert np.array_equal(one.labels_.compute(), np.zeros(N))
    assert np.array_equal(one.predict(_array((700, 6))).compute(), np.zeros(N))
    with pytest.raises(InvalidParameterError, match="n_clusters=1301 is more than"):
        ConsensusClustering(N + 1, **settings).fit(_array((500, 6)))
