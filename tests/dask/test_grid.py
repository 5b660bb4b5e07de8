"""Rows are cut without a gap, and sums do not depend on who adds up which part."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from consilience.incidence import Layout, _grid
from consilience.incidence._collect import TableSum
from consilience.incidence._grid import Grid, stripe_rows
from oracles.strategies import examples

SOURCE = Path(__file__).parents[2] / "src/consilience"

members = st.lists(st.integers(0, 300), min_size=1, max_size=40)


def _assert_tiles(pieces, start, stop):
    assert [low for low, _ in pieces] == [start, *(high for _, high in pieces[:-1])][: len(pieces)]
    assert (pieces[-1][1] if pieces else start) == stop
    assert all(low < high for low, high in pieces)


@given(members, st.integers(1, 3_000), st.integers(0, 60_000_000))
@examples(200)
def test_blocks_stripes_and_groups_tile_the_rows(n_clusters, width, n_rows):
    grid = Grid.of(Layout(n_clusters), width)
    groups = grid.groups(n_rows)
    _assert_tiles(groups, 0, n_rows)
    assert grid.stripe_rows == stripe_rows(len(n_clusters))
    for start, stop in groups[:2] + groups[-1:]:
        stripes = grid.stripes(start, stop)
        _assert_tiles(stripes, start, stop)
        assert all(low % grid.stripe_rows == 0 for low, _ in stripes)
        blocks = grid.blocks(start, stop)
        _assert_tiles(blocks, start, stop)
        assert {low for low, _ in stripes} <= {low for low, _ in blocks}
        assert max(high - low for low, high in blocks) <= grid.block_rows


@given(members, st.integers(1, 3_000))
@examples(200)
def test_shape_of_the_grid(n_clusters, width):
    """Blocks are whole multiples of the smallest one and never larger than a stripe."""
    grid = Grid.of(Layout(n_clusters), width)
    assert grid.block_rows % _grid.BLOCK_ROWS == 0
    assert grid.block_rows <= grid.stripe_rows <= grid.group_rows
    assert grid.group_rows % grid.stripe_rows == 0
    assert grid.stripe_rows * len(n_clusters) <= _grid._STRIPE_LABELS


def _sum(grid, tables, cut):
    """Add up in the pieces that a cut makes, each by a sum of its own, as workers do."""
    total = TableSum(grid)
    for rows in cut:
        part = TableSum(grid)
        for block in grid.blocks(*rows):
            part.add(block, tables[block].copy())
        total.add(rows, part.result())
    return total.result()


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 120))
@examples(150)
def test_sums_have_the_same_bits(block, blocks, stripes, n_rows):
    grid = Grid(block, block * blocks, block * blocks * stripes)
    rng = np.random.default_rng(n_rows)
    scale = 10.0 ** rng.integers(-8, 8, (n_rows + 1, 1))
    tables = {rows: rng.normal(size=3) * scale[rows[0]] for rows in grid.blocks(0, n_rows)}
    ways = (grid.blocks(0, n_rows), grid.stripes(0, n_rows), grid.groups(n_rows))
    sums = [_sum(grid, tables, cut) for cut in ways]
    if n_rows == 0:
        assert sums == [None] * 3
        return
    assert all(np.array_equal(found, sums[0]) for found in sums)
    np.testing.assert_allclose(sums[0], np.sum(list(tables.values()), axis=0), atol=1e-6)


def test_sums_take_parts_that_cannot_be_written():
    """What comes from another process is read-only."""
    grid = Grid(2, 4, 8)
    table = np.arange(3.0)
    table.setflags(write=False)
    total = TableSum(grid)
    for rows in grid.stripes(0, 10):
        total.add(rows, table)
    assert total.result().tolist() == [0.0, 3.0, 6.0]
    assert table.tolist() == [0.0, 1.0, 2.0]


# --- who knows dask ----------------------------------------------------------------------------------


def _imports(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "require",
            "import_module",
        ):
            yield from (a.value for a in node.args if isinstance(a, ast.Constant))


def test_one_file_imports_dask():
    knowing = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        for name in _imports(file)
        if name.split(".")[0] in ("dask", "distributed")
    }
    assert knowing == {"incidence/_dask.py"}


def test_dask_is_loaded_by_those_who_use_it():
    code = """
import sys, warnings
warnings.simplefilter("ignore")
from consilience.consensus import IPC
IPC(2, random_state=0).fit([[0, 0, 1], [0, 1, 1]])
from consilience.cli._main import _run
_run(["combine", "--help"])
print(sorted({"dask", "distributed"} & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
