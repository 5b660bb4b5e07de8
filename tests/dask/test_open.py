"""Files of labels, held in memory or read for every step: the answer is that of the labels in memory."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from consilience import Ensemble
from consilience.consensus import HBGF, IPC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.ensemble._open import EncodedRows, FileRows
from consilience.exceptions import InvalidInputError, MemoryLimitError, UnsupportedInputError
from consilience.incidence import ArraySource
from consilience.incidence._dask import DaskSource
from consilience.partition import Spectral

pytestmark = pytest.mark.usefixtures("small_stripes", "quietly")

FEW = {"n_init": 1, "max_iter": 3, "random_state": 0}
FUNCTIONS = [IPC(3, **FEW), KMCF(3, **FEW), HBGF(3, partitioner=Spectral(n_init=2), random_state=0)]
HERE = make_planted_ensemble(
    2_500, 6, 3, n_base_clusters=5, noise=0.3, missing=0.1, random_state=3
).ensemble
LABELS = HERE.labels.astype(np.int64)
NAMES = [f"m{j}" for j in range(6)]
# Enough for a stripe, not for all codes.
SMALL = 40_000


def _columns(labels):
    return {name: labels[:, j] for j, name in enumerate(NAMES)}


def _text(labels):
    names = np.array([f"c{code}" for code in range(6)] + [None], dtype=object)
    return {name: names[column].tolist() for name, column in _columns(labels).items()}


def _npy(labels, name="labels.npy"):
    def write(folder):
        np.save(folder / name, labels)
        return folder / name

    return write


def _by_pandas(folder):
    frame = pd.DataFrame(_columns(np.where(LABELS < 0, np.nan, LABELS)))
    frame.to_parquet(folder / "labels.parquet", row_group_size=700)
    return folder / "labels.parquet"


def _by_polars(folder):
    pl.DataFrame(_text(LABELS)).write_parquet(folder / "labels.pq", row_group_size=900)
    return folder / "labels.pq"


def _by_us(folder):
    HERE.to_parquet(folder / "e.parquet")
    return folder / "e.parquet"


def _parts(folder):
    (folder / "parts").mkdir()
    for number, rows in enumerate((slice(0, 1), slice(1, 1_900), slice(1_900, None))):
        frame = pl.DataFrame(_columns(LABELS[rows]))
        frame.write_parquet(folder / f"parts/{number}.parquet")
    (folder / "parts/_SUCCESS").touch()
    return folder / "parts"


FILES = {
    "int8": _npy(LABELS.astype(np.int8)),
    "int64": _npy(LABELS),
    "float": _npy(np.where(LABELS < 0, np.nan, LABELS)),
    "Fortran order": _npy(np.asfortranarray(LABELS.astype(np.int16))),
    "pandas": _by_pandas,
    "polars, text": _by_polars,
    "saved": _by_us,
    "parts": _parts,
}


@pytest.mark.parametrize("write", FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("limit", [None, SMALL], ids=["in memory", "from the file"])
def test_answers_are_those_in_memory(write, limit, tmp_path, memory_limit):
    path = write(tmp_path)
    memory_limit(limit)
    away = Ensemble.from_large_file(path)
    memory_limit(None)
    slow = FileRows if path.suffix != ".npy" else EncodedRows
    assert isinstance(away._source, ArraySource if limit is None else slow)
    assert away.fingerprint == HERE.fingerprint
    assert away.n_profiles == HERE.n_profiles
    assert np.array_equal(away.n_observed, HERE.n_observed)
    for function in FUNCTIONS:
        expected = clone(function).fit(HERE)
        fitted = clone(function).fit(away)
        assert isinstance(fitted.labels_, np.ndarray)
        assert np.array_equal(fitted.labels_, expected.labels_)
    assert away.select([3, 0]).fingerprint == HERE.select([3, 0]).fingerprint
    rows = np.arange(0, 2_500, 3)
    assert away.take(rows).fingerprint == HERE.take(rows).fingerprint


def test_workers_read_the_file(session_client, tmp_path):
    expected = clone(FUNCTIONS[1]).fit(HERE)
    with session_client.as_current():
        for write in (_by_polars, FILES["int8"], _parts):
            away = Ensemble.from_large_file(write(tmp_path))
            assert isinstance(away._source, DaskSource)
            assert away.fingerprint == HERE.fingerprint
        assert np.array_equal(clone(FUNCTIONS[1]).fit(away).labels_, expected.labels_)


def test_a_file_with_everything(tmp_path, memory_limit):
    """Weights of members and objects are read; ids are a column apart."""
    path = tmp_path / "e.parquet"
    ids = [f"p{i}" for i in range(2_500)]
    weights = [1, 2, 0, 1, 0.5, 3]
    given = HERE.with_ids(ids).with_weights(weights).with_sample_weight(np.arange(2_500) % 3)
    given.with_provenance({"made": "here"}).to_parquet(path)
    for limit in (None, SMALL):
        memory_limit(limit)
        away = Ensemble.from_large_file(path)
        memory_limit(None)
        assert away.names == HERE.names
        assert away.given_weights.tolist() == weights
        assert np.array_equal(away.sample_weight, given.sample_weight)
        assert away.provenance["made"] == "here"
        assert away.fingerprint == given.fingerprint
        expected = clone(FUNCTIONS[0]).fit(given)
        assert np.array_equal(clone(FUNCTIONS[0]).fit(away).labels_, expected.labels_)
    assert Ensemble.from_large_file(path, weights=np.ones(6)).fingerprint == HERE.fingerprint
    one = _npy(LABELS[:, 0], "one.npy")(tmp_path)
    assert Ensemble.from_large_file(one).fingerprint == HERE.select([0]).fingerprint


def test_take_and_select_while_reading(tmp_path, memory_limit):
    rows = np.flatnonzero(np.arange(2_500) % 5)
    path = FILES["int8"](tmp_path)
    memory_limit(SMALL)
    away = Ensemble.from_large_file(path)
    memory_limit(10_000)
    taken = away.take(rows).select([0, 2])
    memory_limit(None)
    assert taken.is_chunked
    expected = HERE.take(rows).select([0, 2])
    assert np.array_equal(taken.n_observed, expected.n_observed)
    assert taken.take(np.arange(len(rows))).fingerprint == expected.fingerprint


def test_the_copy_goes_when_nobody_uses_it(tmp_path, monkeypatch, memory_limit):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = _by_polars(tmp_path)
    memory_limit(SMALL)
    away = Ensemble.from_large_file(path)
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    selected = away.select([0, 1])
    del away
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    del selected
    assert list((tmp_path / "temporary").iterdir()) == []


# --- what cannot be opened ---------------------------------------------------------------------------


def _folder(folder, **texts):
    (folder / "given").mkdir()
    for name, text in texts.items():
        (folder / "given" / f"{name}.csv").write_text(text)
    return folder / "given"


def _differing_parts(folder):
    path = _parts(folder)
    pl.DataFrame({"m0": [1], "other": [2]}).write_parquet(path / "9.parquet")
    return path


def _file(folder, name, content):
    (folder / name).write_bytes(content)
    return folder / name


def _no_rows(folder):
    pl.DataFrame({"m0": pl.Series([], dtype=pl.Int64)}).write_parquet(folder / "no.parquet")
    return folder / "no.parquet"


def _soft(folder):
    members = Ensemble.from_memberships([np.full((4, 2), 0.5)])
    members.to_parquet(folder / "soft.parquet")
    return folder / "soft.parquet"


BAD = {
    "missing": (lambda folder: folder / "none.parquet", "There is no file .*none.parquet"),
    "empty folder": (_folder, "is a folder without Parquet files"),
    "no parquet": (lambda folder: _folder(folder, a="a,b"), "is a folder without Parquet files"),
    "differing columns": (
        _differing_parts,
        "9.parquet has the columns m0, other; 0.parquet .* m0, m1",
    ),
    "damaged": (
        lambda folder: _file(folder, "b.parquet", b"PAR1 and"),
        "cannot be read as Parquet",
    ),
    "no rows": (_no_rows, "has no rows, or no columns of labels"),
    "csv": (lambda folder: _file(folder, "l.csv", b"a,b\n1,2\n"), "save it as Parquet or NPY"),
}


@pytest.mark.parametrize(("write", "message"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_opened_gets_one_sentence(write, message, tmp_path):
    with pytest.raises(InvalidInputError, match=message):
        Ensemble.from_large_file(write(tmp_path))


def test_what_is_not_there_or_too_large(tmp_path, memory_limit):
    with pytest.raises(UnsupportedInputError, match=r"soft members.*use Ensemble\.from_parquet"):
        Ensemble.from_large_file(_soft(tmp_path))
    path = _by_polars(tmp_path)
    with pytest.raises(InvalidInputError, match="has no column 'who'; its columns are m0, m1"):
        Ensemble.from_large_file(path, id="who")
    memory_limit(1_000)
    with pytest.raises(MemoryLimitError, match=r"labels\.pq a stripe at a time needs"):
        Ensemble.from_large_file(path)


# --- memory ------------------------------------------------------------------------------------------

_LARGE = """
import sys
from pathlib import Path
import numpy as np
import consilience
from consilience import Ensemble
from consilience.consensus import IPC

def peak():
    return 1024 * int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])

# All that is loaded and compiled once is there before the measurement.
IPC(3, n_init=1, random_state=0).fit(np.tile([[0, 0, 1], [1, 1, 2], [2, 2, 0]], (50, 1)))
np.save(sys.argv[2], np.tile(np.arange(4, dtype=np.uint8)[:, None], (900, 3)))
consilience.set_config(memory_limit=200_000_000, n_threads=2)
Ensemble.from_large_file(sys.argv[2])
before = peak()
away = Ensemble.from_large_file(sys.argv[1])
fitted = IPC(4, n_init=1, max_iter=1, random_state=0).fit(away)
print(type(away._source).__name__, peak() - before, fitted.n_clusters_)
"""


def test_a_file_larger_than_the_limit(tmp_path):
    n, r = 800_000, 300
    path = tmp_path / "large.npy"
    file = np.lib.format.open_memmap(path, "w+", dtype=np.uint8, shape=(n, r))
    # Four clusters, and every member sees its share of the rows in the next one.
    moved = np.random.default_rng(0).integers(0, 8, (50_000, r), dtype=np.uint8) == 0
    piece = np.arange(50_000).astype(np.uint8)[:, None] + moved
    for start in range(0, n, len(piece)):
        piece[:, start // len(piece)] += 1
        file[start : start + len(piece)] = piece & 3
    del file
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-W", "ignore", "-c", _LARGE, path, tmp_path / "small.npy"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind, growth, n_clusters = done.stdout.split()
    assert (kind, n_clusters) == ("EncodedRows", "4")
    assert int(growth) < 200_000_000
    Path(path).unlink()
