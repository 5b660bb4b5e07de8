"""NumPy and Parquet files, whole and damaged."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.fuzzing.outcomes import Rng, pick, require, several, size
from benchmarks.fuzzing.text_files import check_labels, check_table
from scipy import sparse

from consilience import Ensemble
from consilience.tables import read_label_table, read_table


def array_file(rng: Rng, folder: Path) -> str:
    n, d = size(rng, 20), size(rng, 4)
    values = rng.normal(size=(n, d)).round(2)
    kind = int(rng.integers(6))
    name = "a.npy" if kind == 0 else "a.npz"
    file = folder / name
    if kind == 0:
        dtype = pick(rng, ("f8", "f4", "i4", "u8", "?", "U4", "S2", "c8", "M8[D]"))
        np.save(file, values.astype(dtype))
    elif kind == 1:
        matrix = sparse.random(n + 1, d + 1, density=0.3, random_state=rng)
        sparse.save_npz(file, matrix.asformat(pick(rng, ("csr", "csc", "coo", "bsr"))))
    elif kind == 2:
        matrix = sparse.random(n + 1, d + 1, density=0.5, random_state=rng, format="csr")
        parts = {"indices": matrix.indices, "indptr": matrix.indptr, "data": matrix.data}
        parts |= {"shape": np.array(matrix.shape), "format": np.array(b"csr")}
        key = pick(rng, list(parts))
        parts[key] = rng.permutation(np.resize(parts[key], max(1, parts[key].size)))
        if parts[key].dtype.kind in "iu":
            parts[key] = parts[key] + rng.integers(-2, 10**6)
        if rng.random() < 0.3:
            del parts[key]
        np.savez(file, **parts)
    else:
        keys = rng.choice(
            ["X", "x", "data", "values", "labels", "ids", "columns", "arr_0", "arr_1"],
            3,
            replace=False,
        )
        np.savez(
            file,
            **{
                str(k): pick(rng, (values, values[:, :1], np.arange(n), np.arange(d))) for k in keys
            },
        )
    if rng.random() < 0.2:
        damage(rng, file)
    return several(
        lambda: check_array(read_table(file, missing="drop")),
        lambda: check_labels(read_label_table(file)),
        lambda: Ensemble.from_large_file(file),
    )


def check_array(table: Any) -> None:
    require(table.values.shape == (len(table.rows), len(table.columns)), "shape of a table")


def damage(rng: Rng, file: Path) -> None:
    content = file.read_bytes()
    place = int(rng.integers(len(content)))
    how = pick(rng, ("cut", "replace", "insert"))
    end = {"cut": len(content), "replace": place + 3, "insert": place}[how]
    file.write_bytes(content[:place] + rng.bytes(3) + content[end:])


def parquet_file(rng: Rng, folder: Path) -> str:
    n, r = size(rng, 15), size(rng, 5)
    makers = (
        lambda: pa.array(rng.integers(-1, 4, n)),
        lambda: pa.array(rng.integers(0, 4, n).astype("u1")),
        lambda: pa.array(
            [pick(rng, ("a", "b", None, "=x", "\x1b")) for _ in range(n)], pa.string()
        ),
        lambda: pa.array([f"o{i}" for i in range(n)], pa.large_string()),
        lambda: pa.array([f"o{i % 3}" for i in range(n)], pa.string()).dictionary_encode(),
        lambda: pa.array(rng.normal(size=n)),
        lambda: pa.array(rng.integers(0, 3, n).astype(float)),
        lambda: pa.array([bool(i % 2) for i in range(n)], pa.bool_()),
        lambda: pa.array([[1.0, 0.0]] * n, pa.list_(pa.float64())),
        lambda: pa.array([None] * n, pa.null()),
        lambda: pa.array(list(range(n)), pa.timestamp("s")),
        lambda: pa.array([b"\xff"] * n, pa.binary()),
        lambda: pa.array([{"q": 1}] * n, pa.struct([("q", pa.int64())])),
    )
    possible = ["id", "a", "b", "c", "key_id", "", "sample_weight", "a\nb", "confidence", "d", "e"]
    names = [str(name) for name in rng.choice(possible, r, replace=rng.random() < 0.1)]
    usual = makers[: pick(rng, (2, 2, 4, len(makers)))]
    table = pa.Table.from_arrays([pick(rng, usual)() for _ in range(r)], names=names)
    pandas = json.dumps({"index_columns": [pick(rng, [*names, "none", 3])]}).encode()
    metadata = {}
    if rng.random() < 0.4:
        metadata[b"consilience"] = odd_metadata(rng, names)
    if rng.random() < 0.3:
        metadata[b"pandas"] = pick(rng, (pandas, b"{", b"[]", b'{"index_columns": 3}'))
    file = folder / "t.parquet"
    pq.write_table(table.replace_schema_metadata(metadata), file)
    if rng.random() < 0.1:
        damage(rng, file)

    def load() -> None:
        ensemble = Ensemble.from_parquet(file, id=pick(rng, (None, None, False)))
        require(ensemble.n_samples == n and ensemble.n_members <= r, "shape of a loaded ensemble")
        ensemble.to_parquet(folder / "again.parquet", overwrite=True)
        require(
            Ensemble.from_parquet(folder / "again.parquet").fingerprint == ensemble.fingerprint,
            "saved again",
        )

    return several(
        load,
        lambda: Ensemble.from_large_file(file).n_samples,
        lambda: check_table(read_table(file, missing="drop")),
        lambda: check_labels(read_label_table(file)),
    )


def odd_metadata(rng: Rng, names: list[str]) -> bytes:
    values = (
        None,
        1,
        -1,
        1.5,
        True,
        "id",
        "a",
        [],
        [1.0],
        [2, 2],
        {},
        {"c": [None]},
        {"c": ["!!"]},
        "x" * 50,
    )
    keys = (
        "format",
        "id",
        "sample_weight",
        "soft",
        "weights",
        "n_clusters",
        "provenance",
        "cluster_tables",
    )
    entries = {str(key): pick(rng, values) for key in rng.choice(keys, 3, replace=False)}
    if rng.random() < 0.3:
        entries = {
            "format": 1,
            "id": pick(rng, names) if names else None,
            "weights": [1.0] * len(names),
        }
    text = json.dumps(entries).encode()
    return text if rng.random() < 0.9 else text[: int(rng.integers(len(text)))]
