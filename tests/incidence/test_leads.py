"""Rows whose label cannot change are not processed, and nobody can tell from the answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import consilience
from consilience import Ensemble
from consilience._kernels._leads import _rounded_down, largest_losses
from consilience.consensus import IPC, IPVC, IVC, KMCF, Labelling
from consilience.incidence import Incidence, Layout, _leads
from consilience.incidence._block_source import ArraySource
from consilience.incidence._leads import Leads

N_ROWS = 5_000


@pytest.fixture
def _always(monkeypatch):
    monkeypatch.setattr(_leads, "_MANY_ROWS", 0)
    monkeypatch.setattr(_leads, "_LABELS_PER_CELL", 0)


@pytest.fixture
def _threads():
    previous = consilience.get_config().n_threads
    yield
    consilience.set_config(n_threads=previous)


def make(n_rows=N_ROWS, n_members=9, missing=0.1, seed=0):
    """An ensemble with structure, so that most rows have a clear winner."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n_rows)
    noise = rng.integers(0, 5, (n_rows, n_members))
    labels = np.where(rng.random(noise.shape) < 0.7, truth[:, None], noise)
    return Ensemble(np.where(rng.random(noise.shape) < missing, -1, labels))


# Tables that change a little from round to round, in ways that are hard for bounds.
CHANGES = {
    "real": lambda rng, table: table + 0.02 * rng.normal(size=table.shape),
    "whole, with many ties": lambda rng, table: (
        np.rint(4 * table) + (rng.random(table.shape) < 0.01) * rng.integers(-1, 2, table.shape)
    ),
    "far from zero": lambda rng, table: table + 1e6 + 0.02 * rng.normal(size=table.shape),
    "tiny": lambda rng, table: 1e-200 * (table + 0.02 * rng.normal(size=table.shape)),
    "nearly tied": lambda rng, table: np.rint(4 * table) / 3 + rng.choice([0, 1e-12], table.shape),
    "wide": lambda rng, table: table * 10.0 ** rng.integers(-3, 4, (len(table), 1)),
}


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("width", [1, 3, 16, 37])
@pytest.mark.parametrize("weight", [None, "whole", "real"])
@pytest.mark.usefixtures("_always")
def test_sweeps_give_the_labels_and_tables_of_all_rows(kind, width, weight, monkeypatch):
    rng = np.random.default_rng(width)
    ensemble = make()
    weights = {None: None, "whole": rng.integers(0, 4, N_ROWS), "real": rng.random(N_ROWS)}
    H = ensemble.with_sample_weight(weights[weight]).incidence
    table = rng.normal(size=(ensemble.n_base_clusters, width))
    bias = rng.normal(size=width)
    state = H.argmax(table, bias=bias)
    for _ in range(6):
        following = CHANGES[kind](rng, table)
        bias += 0.01 * rng.normal(size=width)
        few = state._replace(moved=0.0)
        with monkeypatch.context() as without:
            without.setattr(Leads, "pay", lambda *_: False)
            expected = H.argmax(following, few, bias=bias)
        assert expected.leads is None
        state = H.argmax(following, few, bias=bias)
        assert state.leads is not None
        for name in ("labels", "counts", "sizes", "moved"):
            np.testing.assert_array_equal(getattr(state, name), getattr(expected, name))


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.usefixtures("_always")
def test_codes_of_rows_that_cannot_change_are_not_read(missing):
    ensemble = make(missing=missing)
    rng = np.random.default_rng(1)
    codes = ensemble.codes.copy()
    H = Incidence(ArraySource(codes), ensemble.incidence.blocks)
    table = rng.normal(size=(ensemble.n_base_clusters, 4))
    start = H.argmax(table)
    known = H.argmax(table, start._replace(moved=0.0))
    nearly = table + 1e-4 * rng.normal(size=table.shape)
    expected = H.argmax(nearly, start)
    codes[:] = codes[::-1].copy()  # from here on, looking at a row gives the label of another
    others = H.argmax(nearly, start)
    assert np.count_nonzero(others.labels != expected.labels) > 0.3 * N_ROWS
    found = H.argmax(nearly, known)
    assert np.count_nonzero(found.labels != expected.labels) < 0.01 * N_ROWS


@pytest.mark.usefixtures("_always")
def test_what_is_known_belongs_to_its_labels_and_is_used_once():
    ensemble = make()
    H, rng = ensemble.incidence, np.random.default_rng(2)
    table = rng.normal(size=(ensemble.n_base_clusters, 4))
    other = rng.normal(size=table.shape)
    state = H.argmax(table, H.argmax(table)._replace(moved=0.0))
    renamed = state._replace(labels=3 - state.labels)
    for given_state in (renamed, state, state):  # the second time the leads are already elsewhere
        found = H.argmax(other, given_state._replace(moved=0.0))
        np.testing.assert_array_equal(found.labels, H.argmax(other, given_state.labels).labels)
    state = H.argmax(table, state._replace(moved=0.0))
    fewer = state._replace(
        moved=0.0, labels=state.labels % 3, counts=state.counts[:, :3], sizes=state.sizes[:3]
    )
    found = H.argmax(table[:, :3], fewer)
    np.testing.assert_array_equal(found.labels, H.argmax(table[:, :3], fewer.labels).labels)


@pytest.mark.usefixtures("_always")
def test_numbers_that_are_not_finite_have_no_bounds():
    ensemble = make()
    H = ensemble.incidence
    table = np.random.default_rng(3).normal(size=(ensemble.n_base_clusters, 3))
    state = H.argmax(table)._replace(moved=0.0)
    assert H.argmax(table, state, bias=np.array([0.0, -np.inf, 0.0])).leads is None
    assert H.argmax(table, state).leads is not None


def test_few_rows_and_wide_tables_do_without():
    assert Leads.pay(Layout([10] * 50), 1_000_000, 10)
    assert not Leads.pay(Layout([10] * 50), 1_000, 10)
    assert not Leads.pay(Layout([5_000] * 10), 100_000, 1_000)


@pytest.mark.parametrize(
    "function",
    [
        IPC(5, n_init=2, random_state=0),
        IPVC(5, n_init=2, random_state=0),
        IVC(5, n_init=2, random_state=0),
        KMCF(5, n_init=2, random_state=0),
        Labelling(5, n_init=2, random_state=0),
    ],
    ids=lambda function: type(function).__name__,
)
@pytest.mark.usefixtures("_always", "_threads")
def test_fits_are_equal_for_any_threads(function, monkeypatch):
    ensemble = make(n_rows=40_000, n_members=12, missing=0.0)
    rng = np.random.default_rng(4)
    centres = [rng.normal(size=(size, 2)) for size in ensemble.n_clusters]
    ensemble = ensemble.with_cluster_tables(centres=centres)  # for Labelling
    with monkeypatch.context() as without:
        without.setattr(Leads, "pay", lambda *_: False)
        expected = function.fit(ensemble)
        expected = expected.labels_, expected.n_iter_, expected.objective_
    used = []
    following = Leads.following
    monkeypatch.setattr(Leads, "following", lambda *given: used.append(1) or following(*given))
    for n_threads in (1, 2, 5):
        consilience.set_config(n_threads=n_threads)
        found = function.fit(ensemble)
        np.testing.assert_array_equal(found.labels_, expected[0])
        assert (found.n_iter_, found.objective_) == expected[1:]
    assert used


@given(st.integers(0, 2**32 - 1))
def test_no_lead_shrinks_by_more_than_the_bound(seed):
    rng = np.random.default_rng(seed)
    layout = Layout(rng.integers(0, 5, 4))
    width = int(rng.integers(2, 6))
    old, new = rng.normal(size=(2, layout.n_columns, width))
    old_bias, new_bias = rng.normal(size=(2, width))
    losses = np.empty(width)
    largest_losses(new - old, layout.starts, new_bias - old_bias, losses)
    for _ in range(20):
        own = [
            layout.starts[j] + rng.integers(size)
            for j, size in enumerate(layout.n_clusters)
            if size
        ]
        rows = np.array(own, dtype=int)[rng.random(len(own)) < 0.8]
        before, after = old[rows].sum(axis=0) + old_bias, new[rows].sum(axis=0) + new_bias
        for label in range(width):
            others = np.arange(width) != label
            shrunk = (before[label] - before[others].max()) - (after[label] - after[others].max())
            assert shrunk <= losses[label] + 1e-12


@given(st.floats(-1e300, 1e300))
def test_leads_are_rounded_down(number):
    small = _rounded_down(number)
    assert float(small) <= number
    assert float(small) >= number - 3e-7 * abs(number) - 1e-36 or abs(number) > 3e38
    whole = float(round(min(max(number, -1e6), 1e6)))
    assert float(_rounded_down(whole)) == whole
