"""The command, in this process."""

import io
import json
import warnings
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from benchmarks.fuzzing.outcomes import READ, REFUSED, Rng, pick, require
from benchmarks.fuzzing.text_files import odd_text

from consilience import Ensemble
from consilience.cli._main import _run
from consilience.tables import read_labels, write_labels


def command(line: list[Any]) -> tuple[int, str, str]:
    """Run the command in this process; return its code and what it said."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        code = _run([str(part) for part in line])
    return code, out.getvalue(), err.getvalue()


def n_written(out: Path) -> int:
    """Return the rows of a file of labels, or of a folder of Parquet parts."""
    if out.is_dir():
        return sum(pq.ParquetFile(part).metadata.num_rows for part in out.iterdir())
    return len(read_labels(out).labels)


def any_command(rng: Rng, folder: Path) -> str:
    """Give the files that other kinds wrote, and a few of its own, to a verb."""
    n = int(rng.integers(3, 25))
    labels = rng.integers(0, 3, (n, 3))
    named = rng.random() < 0.5
    rows = [f"p{i},{','.join(map(str, row))}" for i, row in enumerate(labels.tolist())]
    first = ["id,a,b,c"] if named else []
    (folder / "labels.csv").write_text("\n".join([*first, *rows]) + "\n")
    Ensemble(labels, ids=[f"p{i}" for i in range(n)]).to_parquet(
        folder / "e.parquet", overwrite=True
    )
    odd_text(rng, folder)
    files = [*("labels.csv", "e.parquet") * 5, "t.csv", "t.tsv", "t", "none.csv", "."]
    outs = [*("o.csv", "o.parquet", "o.npz") * 5, "o.docx", "no/o.csv"]
    file, out = pick(rng, files), pick(rng, outs)
    method = pick(rng, ("ivc", "mcla", "kmcf", "none"))
    lines = {
        "combine": [file, "-k", pick(rng, (1, 2, 3, 99)), "--method", method, "--out", out],
        "inspect": [file],
        "compare": [file, pick(rng, files), "--column", pick(rng, ("a", "column_2", "x"))],
        "generate": [file, "--members", 2, "--clusters", 2, "--out", "g.parquet"],
    }
    verb = pick(rng, list(lines))
    line = [
        verb,
        *lines[verb],
        *pick(rng, ([], [], [], ["--no-id"], ["--no-header"], ["--header"], ["--id", "a"])),
    ]
    line += ["--force"] if verb in ("combine", "generate") else []
    with chdir(folder):
        code, said, errors = command([*line, "--json"])
        written = [t for t in ("o.csv", "o.parquet", "o.npz", "g.parquet") if Path(t).exists()]
        require(code in (0, 2), f"{line}: code {code}")
        shown = said + errors
        require(not set(shown) & set("\x1b\x07\x00\u202e"), f"{line}: control characters {shown!r}")
        if code == 2:
            require(errors.splitlines()[-1].startswith("consilience: "), f"{line}: {errors}")
            require(not said and not written, f"{line}: output of a refused request")
            return REFUSED
        facts = json.loads(said)
        if "sizes" in facts:
            require(n_written(Path(written[0])) == sum(facts["sizes"]), f"{line}: rows written")
            if file in ("labels.csv", "e.parquet"):
                expected = n - (file == "labels.csv" and not named and "--header" in line)
                expected += file == "labels.csv" and named and "--no-header" in line
                require(sum(facts["sizes"]) == expected, f"{line}: rows read")
    return READ


def joined_files(rng: Rng, folder: Path) -> str:
    """Two tables of labels whose ids are written in different ways; the join is known."""
    spell = {
        "plain": str,
        "padded": lambda i: f"{i:04d}",
        "float": lambda i: f"{i}.0",
        "text": lambda i: f"obj{i}",
        "formula": lambda i: f"=A{i}",
    }
    n_first, n_second, shift = (int(v) for v in rng.integers((1, 1, 0), (30, 30, 25)))
    first, second = rng.permutation(n_first), rng.permutation(n_second) + shift
    kinds = pick(rng, list(spell)), pick(rng, list(spell)[: pick(rng, (3, 5))])
    for name, ids, kind in (("a.csv", first, kinds[0]), ("b.csv", second, kinds[1])):
        labels = rng.integers(0, 3, len(ids))
        write_labels(
            folder / name,
            labels,
            ids=[spell[kind](int(i)) for i in ids],
            overwrite=True,
            id_column="id",
        )
    numeric = {"plain", "padded", "float"}
    alike = kinds[0] == kinds[1] or set(kinds) <= numeric
    n_shared = len(set(first.tolist()) & set(second.tolist())) if alike else 0
    out = folder / "joined.csv"
    code, said, errors = command(
        [
            "combine",
            folder / "a.csv",
            folder / "b.csv",
            "--out",
            out,
            "--force",
            "--json",
            "-k",
            "1",
            "--method",
            "ivc",
        ]
    )
    require((code == 0) == (n_shared > 0), f"{n_shared} shared, code {code}: {errors}")
    if code:
        require("have no id in common" in errors or "objects" in errors, errors)
        return REFUSED
    n_objects = n_first + n_second - n_shared
    facts = json.loads(said)
    require(sum(facts["sizes"]) == n_objects, "objects of a join")
    require(len(read_labels(out).labels) == n_objects, "labels of a join")
    little = any(w.startswith("Only ") for w in facts["warnings"])
    require(little == (2 * n_shared < min(n_first, n_second)), "warning about little overlap")
    return READ
