"""Text files: anything that looks like a table, and tables of which everything is known."""

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.fuzzing.outcomes import READ, REFUSED, Rng, pick, require, several

from consilience import Ensemble
from consilience.tables import read_blocks, read_label_table, read_labels, read_table

DELIMITERS = (",", ";", "\t", "|")
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "None", "?", "<NA>", " ")
ODD = (
    "1,5",
    "1.234,56",
    "65,361.86",
    "1,234",
    "1,234,567",
    "$5",
    "€ 7,50",
    "12 %",
    "(3.50)",
    "1e400",
    "-inf",
    "1_000",
    "0x1f",
    "٣",
    "½",
    "007",
    "+7",
    "- 3",
    "1 234",
    "1'234.5",
    "true",
    "FALSE",
    "yes",
    "2024-01-31",
    "=1+1",
    "'=1",
    "@x",
    "-",
    "--",
    "'",
    '"',
    '""',
    'a"b',
    "x\ny",
    "x\ry",
    "\x00",
    "\x1b[31m",
    "\ufeff",
    "é",
    "名前",
    "\u202ex",
    "a,b",
    "a;b",
    "a\tb",
    "9" * 30,
    "1" + "0" * 400,
    "id",
    "index",
    "confidence",
    "#",
    "\\",
)
HEADERS = (
    "x",
    "y",
    "id",
    "row",
    "customer_id",
    "",
    "a b",
    "cluster",
    "label",
    "confidence",
    "x",
    "0",
    "1",
)


def odd_cell(rng: Rng) -> str:
    kind = rng.random()
    if kind < 0.35:
        return pick(rng, (str(rng.integers(-3, 9)), f"{rng.normal():.3f}", f"{rng.normal():e}"))
    if kind < 0.5:
        return pick(rng, MISSING)
    if kind < 0.8:
        return pick(rng, ODD)
    return "".join(chr(int(c)) for c in rng.choice([97, 98, 48, 32, 233, 0x4E2D, 44, 34], 3))


def odd_text(rng: Rng, folder: Path) -> str:
    """Anything that looks a little like a table."""
    delimiter = pick(rng, DELIMITERS)
    width, n_rows = int(rng.integers(1, 6)), int(rng.integers(0, 12))
    column_kind = [rng.random() < 0.6 for _ in range(width)]
    lines = []
    if rng.random() < 0.6:
        lines.append([pick(rng, HEADERS) for _ in range(width)])
    for i in range(n_rows):
        regular = [f"{rng.normal():.4g}" if rng.random() < 0.7 else f"r{i}" for _ in range(width)]
        cells = [
            r if plain else odd_cell(rng) for r, plain in zip(regular, column_kind, strict=True)
        ]
        lines.append(cells[: width - int(rng.random() < 0.02)])
    ending = pick(rng, ("\n", "\n", "\r\n", "\r"))
    if rng.random() < 0.5:
        stream = io.StringIO()
        csv.writer(stream, delimiter=delimiter, lineterminator=ending).writerows(lines)
        text = stream.getvalue()
    else:
        text = ending.join(delimiter.join(cells) for cells in lines)
    content = text.encode(errors="surrogatepass")
    if rng.random() < 0.1:
        content = b"\xef\xbb\xbf" + content
    if rng.random() < 0.05 and content:
        place = int(rng.integers(len(content)))
        content = content[:place] + rng.bytes(int(rng.integers(1, 4))) + content[place:]
    name = pick(rng, ("t.csv", "t.tsv", "t.txt", "t", "t.csv.gz"))
    (folder / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    options = {
        "header": pick(rng, (None, None, True, False)),
        "id": pick(rng, (None, None, False)),
        "delimiter": pick(rng, (None, None, None, delimiter)),
    }
    return several(
        lambda: check_table(read_table(folder / name, missing="drop", **options)),
        lambda: check_table(read_table(folder / name, max_samples=3, random_state=0, **options)),
        lambda: [len(block.rows) for block in read_blocks(folder / name, **options)],
        lambda: check_labels(read_label_table(folder / name, **options)),
        lambda: read_labels(folder / name, **options),
    )


def check_table(table: Any) -> None:
    n_rows = len(table.rows)
    require(table.values.shape == (n_rows, len(table.columns)), "shape of a table")
    require(np.isfinite(table.values).all(), "numbers that are not finite")
    require(n_rows <= table.n_rows, "more rows than the file has")
    require(table.ids is None or len(table.ids) == n_rows, "number of ids")
    require(len(set(table.columns)) == len(table.columns), "repeated columns")


def check_labels(table: Any) -> Ensemble:
    for column in table.labels.values():
        require(len(column) == table.n_rows, "number of labels")
    ensemble = Ensemble(table.to_arrow())
    require(ensemble.n_samples == table.n_rows, "rows of an ensemble")
    return ensemble


def written_table(rng: Rng, folder: Path) -> str:
    """Write a table of which everything is known; it must come back."""
    delimiter, n_rows, width = (
        pick(rng, DELIMITERS),
        int(rng.integers(2, 40)),
        int(rng.integers(1, 6)),
    )
    values = rng.normal(0, 10.0 ** rng.integers(-2, 6), (n_rows, width)).round(3)
    values[rng.random(values.shape) < 0.02] = np.nan
    ids = [f"k{i}" for i in rng.permutation(n_rows)] if rng.random() < 0.5 else None
    named = rng.random() < 0.7
    names = (
        [f"v{j}" for j in range(width)]
        if rng.random() < 0.7
        else [str(2001 + j) for j in range(width)]
    )
    named = named or ids is not None
    as_text = pick(rng, (repr, lambda v: f"{v:,.3f}", lambda v: f"${v:,.3f}".replace("$-", "-$")))
    if as_text is not repr and delimiter != ",":
        as_text = repr if rng.random() < 0.5 else (lambda v: f"{v:.3f}".replace(".", ","))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=pick(rng, ("\n", "\r\n")))
    if named:
        writer.writerow([*(["key_id"] if ids else []), *names])
    for i, row in enumerate(values.tolist()):
        cells = [pick(rng, MISSING[:6]) if np.isnan(v) else as_text(v) for v in row]
        writer.writerow([*([ids[i]] if ids else []), *cells])
    (folder / "w.csv").write_bytes(stream.getvalue().encode())
    if width == 1 and ids is None:
        return REFUSED  # a blank line is no row, and a single column has no delimiter
    known = ~np.isnan(values).any(axis=1)
    outcome = several(
        lambda: table_is(read_table(folder / "w.csv", missing="drop", header=named), values[known]),
        lambda: (
            table_is(read_table(folder / "w.csv", missing="drop"), values[known])
            if named and (ids or names[0] == "v0")
            else None
        ),
    )
    require(outcome == READ or not known.any(), "a plain table was refused")
    return outcome


def table_is(table: Any, values: Any) -> None:
    check_table(table)
    require(table.values.shape == values.shape, f"shape {table.values.shape}, not {values.shape}")
    require(
        np.allclose(table.values, values, rtol=1e-9, atol=1e-9), "other numbers than were written"
    )
