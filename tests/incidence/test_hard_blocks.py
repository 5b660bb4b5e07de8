"""Block functions of hard labels: short cuts must not show in the answers."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience._kernels import _gram
from consilience.incidence import HardBlocks, Layout, _hard
from consilience.incidence._prepared import make_screen
from consilience.incidence._sweep import best_columns

TABLES = {
    "real": lambda rng, shape: rng.normal(size=shape),
    "whole": lambda rng, shape: rng.integers(-3, 4, shape).astype(float),
    "far from zero": lambda rng, shape: 1e12 + rng.integers(0, 4, shape),
    "tiny": lambda rng, shape: 1e-200 * rng.normal(size=shape),
    "thirds": lambda rng, shape: rng.integers(0, 4, shape) / 3 + rng.choice([0, 1e-12], shape),
    "wide": lambda rng, shape: rng.normal(size=shape) * 10.0 ** rng.integers(-6, 7, shape),
    "whole and wide": lambda rng, shape: rng.integers(-(10**6), 10**6, shape).astype(float),
    "constant": lambda rng, shape: np.full(shape, 0.1),
}


def make(rng, n_rows=40, n_members=5, most_clusters=6, dtype=np.uint8):
    """Block functions and a block of codes, some missing."""
    n_clusters = rng.integers(1, most_clusters + 1, n_members)
    codes = rng.integers(0, n_clusters + 1, (n_rows, n_members)).astype(dtype)
    return HardBlocks(Layout(n_clusters)), codes


@pytest.fixture
def always_screen(monkeypatch):
    monkeypatch.setattr(_hard, "_SCREEN_ROWS", 0)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("width", [1, 2, 16, 40])
@pytest.mark.usefixtures("always_screen")
def test_a_screen_changes_no_label(kind, width):
    rng = np.random.default_rng(width)
    blocks, block = make(rng, n_rows=200, n_members=11)
    table = TABLES[kind](rng, (blocks.layout.n_columns, width))
    bias = np.where(rng.random(width) < 0.3, -np.inf, rng.normal(size=width))
    current = rng.integers(-1, width, 200).astype(np.int32)
    for prepared in (blocks.prepare(table, None), blocks.prepare(table, bias)):
        for known in (None, current):
            labels = blocks.labels(block, prepared, known)
            expected, _ = best_columns(blocks.gather(block, prepared), known, want_best=False)
            np.testing.assert_array_equal(labels, expected)


@given(st.integers(0, 2**32 - 1))
def test_screened_sums_are_off_by_less_than_the_margin(seed):
    rng = np.random.default_rng(seed)
    blocks, block = make(rng)
    shape = (blocks.layout.n_columns, 4)
    table = TABLES[rng.choice(["real", "tiny", "thirds", "wide"])](rng, shape)
    bias = rng.normal(size=4)
    screen = make_screen(table, bias, blocks.layout)
    if screen is None:  # only where rounding in float64 is as large as the numbers
        assert np.abs(table).max() < 1e-100
        return
    exact = blocks.gather(block, blocks.prepare(table, bias))
    small = blocks.gather(block, blocks.prepare(screen.table, screen.bias))
    assert np.abs(small).max() <= 32_768 - screen.margin
    apart, small_apart = exact[:, :, None] - exact[:, None], small[:, :, None] - small[:, None]
    clear = small_apart > screen.margin
    assert (apart[clear] > 1e-9 * np.maximum(1, np.abs(exact).max())).all()


def test_whole_tables_are_exact_and_leave_no_doubt():
    layout = Layout([2, 3])
    table = np.random.default_rng(0).integers(0, 1000, (5, 3)).astype(float)
    screen = make_screen(table, np.array([5.0, -np.inf, 0.0]), layout)
    assert screen.margin == 0
    apart = screen.table[:, 0] - screen.table[:, 2]
    np.testing.assert_array_equal(apart, table[:, 0] - table[:, 2])
    assert screen.bias[1] == -32768


@pytest.mark.parametrize(
    ("table", "bias"),
    [(np.nan, 0.0), (np.inf, 0.0), (-np.inf, 0.0), (1.0, -np.inf), (1.0, np.nan), (1e308, 0.0)],
)
def test_what_is_not_finite_is_not_screened(table, bias):
    layout = Layout([2, 2])
    assert make_screen(np.full((4, 2), table) * [1, 0.5], np.full(2, bias), layout) is None


def test_too_many_members_are_not_screened():
    layout = Layout(np.ones(3000, dtype=int))
    assert make_screen(np.random.default_rng(0).random((3000, 2)), np.zeros(2), layout) is None


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.usefixtures("always_screen")
def test_prepared_tables_travel(dtype):
    rng = np.random.default_rng(1)
    blocks, block = make(rng, n_members=1, dtype=dtype)
    prepared = blocks.prepare(rng.normal(size=(blocks.layout.n_columns, 3)), None)
    here = blocks.labels(block, prepared, None)
    there, table = pickle.loads(pickle.dumps((blocks, prepared)))  # noqa: S301 - our own bytes
    np.testing.assert_array_equal(there.labels(block, table, None), here)
    np.testing.assert_array_equal(there.gather(block, table), blocks.gather(block, prepared))


@pytest.mark.usefixtures("always_screen")
def test_no_rows():
    blocks, block = make(np.random.default_rng(2), n_rows=0)
    prepared = blocks.prepare(np.ones((blocks.layout.n_columns, 3)), None)
    assert blocks.labels(block, prepared, None).shape == (0,)
    assert blocks.gather(block, prepared).shape == (0, 3)
    out = blocks.zeros(3, np.float64)
    blocks.scatter(block, np.ones((0, 3)), None, out)
    assert not out.any()


@pytest.mark.parametrize("n_rows", [32_768, 70_001])
def test_overlaps_of_rows_that_are_all_alike(n_rows):
    """The histograms of overlaps hold sixteen bits."""
    blocks = HardBlocks(Layout([2, 2, 2]))
    table = np.zeros((blocks.n_padded, blocks.n_padded), dtype=np.int64)
    blocks.gram(np.ones((n_rows, 3), dtype=np.uint8), None, table)
    expected = np.zeros((6, 6), dtype=np.int64)
    expected[np.ix_([0, 2, 4], [0, 2, 4])] = n_rows
    np.testing.assert_array_equal(blocks.trim_gram(table), expected)


@pytest.mark.parametrize("kind", ["none", "whole", "real"])
def test_few_rows_are_counted_straight_into_a_large_table(kind, monkeypatch):
    rng = np.random.default_rng(0)
    blocks, block = make(rng)
    labels = rng.integers(0, 30, len(block)).astype(np.int32)
    weight = {"none": None, "whole": rng.integers(0, 4, 40), "real": rng.random(40)}[kind]
    tables = []
    for large in (10**9, 0):
        monkeypatch.setattr(_hard, "_LARGE_TABLE", large)
        out = blocks.zeros(30, np.int64 if weight is None else weight.dtype)
        blocks.count(block, labels, weight, out)
        tables.append(out)
    assert block.size < tables[0].size
    np.testing.assert_array_equal(*tables)


@pytest.mark.parametrize("n_clusters", [[3, 4, 5], [3, 0, 5], [0, 0], [7]])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_wide_tables_are_summed_like_narrow_ones(n_clusters, dtype):
    layout = Layout(n_clusters)
    table = np.random.default_rng(0).integers(0, 9, (layout.n_columns, 200)).astype(dtype)
    for reduce in (layout.sum_by_member, layout.max_by_member):
        narrow = np.hstack([reduce(np.ascontiguousarray(part)) for part in np.hsplit(table, 20)])
        wide = reduce(table)
        assert wide.dtype == narrow.dtype
        np.testing.assert_array_equal(wide, narrow)


def test_histograms_of_overlaps_have_room_for_all_their_cells(monkeypatch):
    """The kernel writes up to an eighth as many strips as there are rows, and checks no bounds."""
    shapes = []

    def counts(columns, offsets, sizes, left, strips, cells, table):
        shapes.append((left.shape, strips.shape, cells.shape))
        assert np.shares_memory(strips, cells)

    monkeypatch.setattr(_gram, "overlap_counts", counts)
    blocks = HardBlocks(Layout([2, 2]))
    table = np.zeros((blocks.n_padded, blocks.n_padded), dtype=np.int64)
    blocks.gram(np.ones((804, 2), dtype=np.uint8), None, table)
    assert shapes == [((804,), (256 + 2 + 100, 16), (1600,))]
