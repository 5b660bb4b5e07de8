"""The command on folders of Parquet parts, by the workers of a cluster."""

import json

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import make_blobs

from consilience.consensus import KMCF
from consilience.datasets import make_planted_ensemble
from consilience.incidence import _dask, current_client
from consilience.metrics import ari
from consilience.tables import _write

pytestmark = pytest.mark.usefixtures("small_stripes")

N = 1_300
HERE = make_planted_ensemble(N, 6, 3, n_base_clusters=5, noise=0.3, random_state=4).ensemble
IDS = [f"p{i}" for i in range(N)]
X, TRUTH = make_blobs(N, centers=12 * np.eye(3, 4), random_state=0)
KMCF_3 = ("--method", "kmcf", "-k", 3, "--param", "n_init=1")


@pytest.fixture
def at(session_client):
    """The option that names the cluster."""
    return "--dask", session_client.scheduler.address


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Parts of an ensemble and of data; the current folder for the test."""
    monkeypatch.chdir(tmp_path)
    members = {f"m{j}": HERE.labels[:, j] for j in range(6)}
    numbers = {f"x{j}": X[:, j] for j in range(4)}
    for name, columns in (("members", members), ("data", numbers)):
        frame = pl.DataFrame({"person_id": IDS, **columns})
        (tmp_path / name).mkdir()
        for start in range(0, N, 500):
            frame[start : start + 500].write_parquet(tmp_path / name / f"{start:04d}.parquet")
    return tmp_path


def _read(folder):
    return pl.concat(pl.read_parquet(file) for file in sorted(folder.glob("*.parquet")))


def test_consensus(call, folder, at, monkeypatch):
    monkeypatch.setattr(_write, "PART_ROWS", 600)
    done = call("combine", "members", *KMCF_3, *at, "--out", "labels")
    assert done.code == 0, done.err
    assert "column 'person_id' names the objects" in done.err
    assert "Dask: 2 workers, 2 threads." in done.err
    assert "(a folder of Parquet parts)" in done.out
    assert current_client() is None
    expected = KMCF(3, n_init=1, random_state=0).fit(HERE)
    found = _read(folder / "labels")
    assert len(list((folder / "labels").iterdir())) == 3
    assert found["person_id"].to_list() == IDS
    assert np.array_equal(found["cluster"].to_numpy(), expected.labels_)
    assert np.allclose(found["confidence"].to_numpy(), expected.own_shares(HERE), atol=1e-6)
    written = pq.read_schema(folder / "labels/part-00000.parquet").metadata
    provenance = json.loads(written[b"consilience-labels"])
    assert provenance["ensemble"] == HERE.fingerprint


def test_nothing_is_replaced_without_force(call, folder, at):
    arguments = ("combine", "members", *KMCF_3, *at, "--out", "labels", "--json")
    (folder / "labels").mkdir()
    (folder / "labels/old.parquet").touch()
    refused = call(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert "labels exists already; choose another name, or replace it with --force" in refused.err
    assert (folder / "labels/old.parquet").exists()
    done = call(*arguments, "--force", "-q")
    facts = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert facts["n_clusters"] == 3
    assert sum(facts["sizes"]) == N
    assert [file.name for file in (folder / "labels").iterdir()] == ["part-00000.parquet"]


BAD = {
    "report": (("--report", "r.html"), "--report needs objects and members"),
    "foreign folder": (("--out", "."), "exists and is not a folder of Parquet parts"),
    "a file of another kind": (("--out", "labels.csv"), "ends in .parts or .parquet"),
    "no folder": (("--out", "none/labels"), "The folder none of labels does not exist"),
    "no column": (("--id", "who"), "members has no column 'who'; its columns are person_id, m0"),
    "no column to drop": (("--drop", "m9"), "members has no column 'm9'"),
    "quadratic": (("--method", "fc"), "FC compares all pairs of objects"),
}


@pytest.mark.parametrize(("options", "sentence"), BAD.values(), ids=BAD.keys())
def test_errors_are_one_sentence(options, sentence, call, folder, at):
    before = sorted(folder.iterdir())
    done = call("combine", "members", *at, "-q", "-k", 3, *options)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_nobody_at_the_address(call, folder, monkeypatch):
    monkeypatch.setattr(_dask, "_CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://here"):
        done = call("combine", "members", *KMCF_3, "--dask", address)
        assert (done.code, done.out) == (2, "")
        assert f"There is no Dask scheduler at '{address}'" in done.err
        assert done.err.count("\n") == 1


def test_without_a_cluster(call, folder):
    """A folder of parts is read in pieces in any case."""
    done = call("combine", "members", *KMCF_3, "--no-id", "--drop", "person_id", "--out", "l", "-q")
    assert done.code == 0, done.err
    found = _read(folder / "l")
    assert found["row"].to_list() == list(range(1, N + 1))
    expected = KMCF(3, n_init=1, random_state=0).fit(HERE)
    assert np.array_equal(found["cluster"].to_numpy(), expected.labels_)
    assert found["confidence"].to_list() == expected.own_shares(HERE).round(6).tolist()


def test_a_saved_ensemble(call, folder, at):
    """Members have weights there."""
    weighted = HERE.with_ids(IDS).with_weights([1, 2, 1, 0, 1, 1])
    weighted.to_parquet(folder / "e.parquet")
    done = call("combine", "e.parquet", *KMCF_3, *at, "--out", "labels", "-q")
    assert done.code == 0, done.err
    expected = KMCF(3, n_init=1, random_state=0).fit(weighted)
    assert np.array_equal(_read(folder / "labels")["cluster"].to_numpy(), expected.labels_)


def test_cluster(call, folder, at):
    few = ("--members", 6, "--method", "hbgf", "-k", 3)
    done = call("cluster", "data", *few, *at, "--out", "labels", "--json", "-q")
    assert done.code == 0, done.err
    facts = json.loads(done.out)
    assert facts["n_clusters"] == 3
    found = _read(folder / "labels")
    assert found["person_id"].to_list() == IDS
    assert ari(found["cluster"].to_numpy(), TRUTH) == 1.0
    refused = call("cluster", "members", *few, *at, "--id", "m0", "-q")
    assert refused.code == 2
    assert "holds something that is not a number" in refused.err


def test_a_local_cluster(call, folder):
    done = call("combine", "members", *KMCF_3, "--dask", "local", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["n_clusters"] == 3
    assert current_client() is None
