"""The verbs of H against the dense matrix, for both engines."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble, get_config, set_config
from consilience.exceptions import MemoryLimitError
from consilience.incidence import (
    ArraySource,
    HardBlocks,
    Incidence,
    Layout,
    NearestCentres,
    StepResult,
    _grid,
    argmax_step,
    own_score_step,
    responsibilities_step,
)
from oracles.strategies import any_matrices

KINDS = ["hard", "soft"]


def dense(ensemble):
    """H written down."""
    if ensemble.is_soft:
        return ensemble.memberships.astype(float)
    columns = []
    for j, n_clusters in enumerate(ensemble.n_clusters):
        columns += [ensemble.labels[:, j] == c for c in range(n_clusters)]
    return np.column_stack(columns).astype(float)


def make(kind, n_rows=60, seed=0, weight=None):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, 4, (n_rows, 5))
    labels[:4] = np.arange(4)[:, None]
    if kind == "hard":
        return Ensemble(labels).with_sample_weight(weight)
    soft = []
    for column in labels.T:
        shares = rng.dirichlet(np.ones(4), n_rows)
        shares[column < 0] = 0
        soft.append(shares)
    return Ensemble.from_memberships(soft).with_sample_weight(weight)


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(params=["plain", "whole", "real"])
def weight(request):
    rng = np.random.default_rng(1)
    return {"plain": None, "whole": rng.integers(0, 4, 60), "real": rng.random(60)}[request.param]


def test_gather_is_a_product(kind):
    ensemble = make(kind)
    table = np.random.default_rng(2).normal(size=(ensemble.n_base_clusters, 6))
    np.testing.assert_allclose(ensemble.incidence @ table, dense(ensemble) @ table, atol=1e-12)
    np.testing.assert_allclose(
        ensemble.incidence @ table[:, 0], dense(ensemble) @ table[:, 0], atol=1e-12
    )


def test_scatter_is_a_product_with_the_transpose(kind, weight):
    ensemble = make(kind, weight=weight)
    values = np.random.default_rng(3).normal(size=(60, 3))
    weights = np.ones(60) if weight is None else weight
    expected = dense(ensemble).T @ (weights[:, None] * values)
    np.testing.assert_allclose(ensemble.incidence.T @ values, expected, atol=1e-12)
    np.testing.assert_allclose(ensemble.incidence.T @ values[:, 0], expected[:, 0], atol=1e-12)


def test_counts_are_exact(kind, weight):
    ensemble = make(kind, weight=weight)
    labels = np.random.default_rng(4).integers(0, 3, 60).astype(np.int32)
    weights = np.ones(60) if weight is None else weight
    expected = dense(ensemble).T @ (weights[:, None] * np.eye(3)[labels])
    counts = ensemble.incidence.T @ labels
    np.testing.assert_allclose(counts, expected, atol=1e-9)
    whole = kind == "hard" and (weight is None or weight.dtype.kind == "i")
    assert counts.dtype == (np.int64 if whole else np.float64)


def test_gram_and_sizes(kind, weight):
    ensemble = make(kind, weight=weight)
    H = dense(ensemble)
    weights = np.ones(60) if weight is None else weight
    gram = ensemble.incidence.gram()
    np.testing.assert_allclose(gram, H.T @ (weights[:, None] * H), atol=1e-9)
    np.testing.assert_array_equal(gram, gram.T)
    extra = np.random.default_rng(5).random(60)
    np.testing.assert_allclose(
        ensemble.incidence.gram(extra), H.T @ ((weights * extra)[:, None] * H), atol=1e-9
    )
    np.testing.assert_allclose(ensemble.incidence.sizes, weights @ H, atol=1e-9)


def test_observed_squares_and_rows(kind):
    ensemble = make(kind)
    H = dense(ensemble)
    members = np.random.default_rng(6).random(5)
    known = np.column_stack([H[:, ensemble.layout.columns(j)].sum(axis=1) > 0.5 for j in range(5)])
    np.testing.assert_allclose(ensemble.incidence.observed(members), known @ members)
    np.testing.assert_allclose(ensemble.incidence.observed(), known.sum(axis=1))
    scale = np.random.default_rng(7).random(ensemble.n_base_clusters)
    np.testing.assert_allclose(ensemble.incidence.row_squares(scale), (H**2) @ scale, atol=1e-12)
    np.testing.assert_allclose(ensemble.incidence.dense_rows([3, 9]), H[[3, 9]])


def test_argmax_labels_counts_and_sizes(kind, weight):
    ensemble = make(kind, weight=weight)
    rng = np.random.default_rng(8)
    table, bias = rng.normal(size=(ensemble.n_base_clusters, 5)), rng.normal(size=5)
    assigned = ensemble.incidence.argmax(table, bias=bias, want_best=True)
    scores = dense(ensemble) @ table + bias
    np.testing.assert_array_equal(assigned.labels, scores.argmax(axis=1))
    np.testing.assert_allclose(assigned.best, scores.max(axis=1), atol=1e-12)
    np.testing.assert_array_equal(assigned.counts, ensemble.incidence.count(assigned.labels, 5))
    weights = np.ones(60) if weight is None else weight
    np.testing.assert_allclose(
        assigned.sizes, np.bincount(assigned.labels, weights=weights, minlength=5)
    )


def test_ties_go_to_the_current_label(kind):
    ensemble = make(kind)
    table = np.ones((ensemble.n_base_clusters, 3))
    current = np.random.default_rng(9).integers(0, 3, 60).astype(np.int32)
    np.testing.assert_array_equal(ensemble.incidence.argmax(table, current).labels, current)
    assert not ensemble.incidence.argmax(table).labels.any()


@pytest.mark.parametrize("moved", [0.0, 1.0])
def test_counting_rows_that_move_gives_the_same_tables(kind, weight, moved):
    H = make(kind, weight=weight).incidence
    rng = np.random.default_rng(10)
    table = rng.normal(size=(H.shape[1], 4))
    before = H.argmax(table, want_best=True)
    table[rng.random(table.shape) < 0.3] += 0.5
    after = H.argmax(table, before.labels)
    found = H.argmax(table, before._replace(moved=moved))
    np.testing.assert_array_equal(found.labels, after.labels)
    np.testing.assert_array_equal(found.counts, after.counts)
    np.testing.assert_array_equal(found.sizes, after.sizes)
    assert found.counts.dtype == after.counts.dtype
    assert 0 < found.moved == np.mean(before.labels != after.labels) < 1


def _halved(scores, current):
    labels = argmax_step(scores, current).labels
    return StepResult(labels=labels, memberships=scores / 2, sums=(scores.sum(axis=0),))


def test_sweep_adds_up_what_a_step_returns(kind, weight):
    ensemble = make(kind, weight=weight)
    rng = np.random.default_rng(10)
    table = rng.normal(size=(ensemble.n_base_clusters, 4))
    current = rng.integers(0, 4, 60).astype(np.int32)
    swept = ensemble.incidence.sweep(table, _halved, (current,), n_labels=4)
    scores = dense(ensemble) @ table
    weights = np.ones(60) if weight is None else weight
    np.testing.assert_array_equal(swept.labels, scores.argmax(axis=1))
    np.testing.assert_allclose(swept.sums[0], scores.sum(axis=0), atol=1e-9)
    np.testing.assert_allclose(
        swept.memberships, dense(ensemble).T @ (weights[:, None] * scores / 2), atol=1e-9
    )
    np.testing.assert_array_equal(swept.counts, ensemble.incidence.count(swept.labels, 4))


def test_every_row_has_the_score_of_its_own_label(kind):
    ensemble = make(kind)
    rng = np.random.default_rng(6)
    table = rng.normal(size=(ensemble.n_base_clusters, 3))
    labels = rng.integers(0, 3, 60).astype(np.int32)
    own = ensemble.incidence.sweep(table, own_score_step, (labels,)).per_row()
    assert own.shape == (60,)
    np.testing.assert_allclose(own, (dense(ensemble) @ table)[np.arange(60), labels], atol=1e-12)


@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
def test_nearest_centres_of_blocks_are_those_of_points(unit, scaled):
    H, rng = make("hard").incidence, np.random.default_rng(3)
    table, centres = rng.random((H.shape[1], 6)), rng.random((2, 4, 6))
    vectors = rng.random(60) + 0.5 if scaled else None, rng.integers(1, 4, 60)
    for step in (
        NearestCentres(centres, unit, "sums"),
        NearestCentres(centres[:1], unit, "labels"),
    ):
        expected, swept = step(H @ table, *vectors), H.sweep(table, step, vectors)
        np.testing.assert_array_equal(swept.labels, expected.labels)
        for mine, theirs in zip(swept.sums, expected.sums, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-10)


def test_sweep_says_what_a_step_did_not_return():
    incidence = make("hard").incidence
    table = np.zeros((incidence.shape[1], 2))
    nothing = incidence.sweep(table, lambda scores: StepResult())
    with pytest.raises(TypeError, match="no labels"):
        nothing.assigned()
    with pytest.raises(TypeError, match="no memberships"):
        nothing.scattered()


def test_responsibilities_sum_to_one(kind):
    ensemble = make(kind)
    table = np.random.default_rng(11).normal(size=(ensemble.n_base_clusters, 3))
    swept = ensemble.incidence.sweep(table, responsibilities_step, (None,))
    scores = dense(ensemble) @ table
    log_likelihood, totals = swept.sums
    assert log_likelihood == pytest.approx(np.logaddexp.reduce(scores, axis=1).sum())
    assert totals.sum() == pytest.approx(60)


@given(any_matrices())
def test_hard_and_certain_soft_engines_agree(labels):
    hard, soft = Ensemble(labels), Ensemble.from_memberships(list(labels.T))
    np.testing.assert_allclose(hard.incidence.gram(), soft.incidence.gram(), atol=1e-6)
    table = np.random.default_rng(0).normal(size=(hard.n_base_clusters, 3))
    np.testing.assert_allclose(hard.incidence @ table, soft.incidence @ table, atol=1e-6)


class OddSource:
    """Rows that must be copied out of something, as from a file."""

    def __init__(self, array, *, by_stripe=False):
        self.by_stripe = by_stripe
        self.bytes = array.tobytes()
        self.shape, self.dtype = array.shape, array.dtype
        self.reads = []

    @property
    def n_rows(self):
        return self.shape[0]

    def read(self, start, stop):
        self.reads.append((start, stop))
        row = self.shape[1] * self.dtype.itemsize
        part = np.frombuffer(self.bytes, self.dtype, (stop - start) * self.shape[1], start * row)
        return part.reshape(-1, self.shape[1]).copy()


@pytest.fixture
def large():
    rng = np.random.default_rng(12)
    return Ensemble(rng.integers(-1, 6, (50_001, 4)))


STEP = NearestCentres(np.random.default_rng(15).random((2, 3, 7)), unit=True, wanted="sums")
VERBS = {
    "gather": lambda H, table, A: H @ table,
    "scatter": lambda H, table, A: H.T @ A,
    "gram": lambda H, table, A: H.gram(A[:, 0]),
    "argmax": lambda H, table, A: H.argmax(table).counts,
    "sweep": lambda H, table, A: H.sweep(table, responsibilities_step, (None,)).memberships,
    "nearest": lambda H, table, A: H.sweep(table, STEP, (None, A[:, 0])).sums[0],
    "sums": lambda H, table, A: H.sweep(table, responsibilities_step, (None,)).sums[0],
    "member": lambda H, table, A: H.member_labels(2),
    "stored rows": lambda H, table, A: H.stored_rows(A[:, 0] > 0),
    "squares": lambda H, table, A: H.row_squares(table[:, 0]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_bits_do_not_depend_on_threads_or_source(large, verb, monkeypatch):
    monkeypatch.setattr(_grid, "_STRIPE_BLOCKS", 2)  # 50,001 rows in two stripes
    rng = np.random.default_rng(13)
    table = rng.normal(size=(large.n_base_clusters, 7))
    values = rng.normal(size=(large.n_samples, 2))
    source, striped = OddSource(large.codes), OddSource(large.codes, by_stripe=True)
    blocks = large.incidence.blocks
    results = []
    previous = get_config().n_threads
    for n_threads in (1, 2, 5):
        set_config(n_threads=n_threads)
        results += [
            VERBS[verb](incidence, table, values)
            for incidence in (
                large.incidence,
                Incidence(source, blocks),
                Incidence(striped, blocks),
            )
        ]
    set_config(n_threads=previous)
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])
    assert len(set(source.reads)) > 2
    assert set(striped.reads) == {(0, 32_768), (32_768, 50_001)}


def test_blocks_grow_with_the_tables():
    n_rows = 40_000
    singletons = Ensemble(np.column_stack([np.arange(n_rows), np.arange(n_rows) % 3]))
    labels = (np.arange(n_rows) % 5).astype(np.int32)
    counts = singletons.incidence.count(labels, 5)
    assert counts.sum() == 2 * n_rows
    assert len(singletons.incidence.grid(5).blocks(0, n_rows)) == 1
    few = Ensemble(np.zeros((n_rows, 2), int)).incidence.grid(5)
    assert len(few.blocks(0, n_rows)) == 3


def test_gram_refuses_what_does_not_fit():
    many = Ensemble(np.arange(4000)[:, None])
    previous = set_config(memory_limit=10**6)
    try:
        with pytest.raises(MemoryLimitError, match=r"4000 base clusters needs 0.\d+ GiB"):
            many.incidence.gram()
    finally:
        set_config(memory_limit=previous.memory_limit)


def test_workers_may_use_the_operator_themselves(large):
    """A block function that calls a verb must not wait for the pool it runs in."""
    table = np.random.default_rng(14).normal(size=(large.n_base_clusters, 2))

    def step(scores, inner):
        return StepResult(sums=(np.array(inner.sizes.sum()),))

    swept = large.incidence.sweep(table, partial(step, inner=make("hard").incidence))
    assert swept.sums[0] > 0


def test_errors_in_a_block_reach_the_caller(large):
    def fail(scores):
        raise ZeroDivisionError("in a worker")

    table = np.zeros((large.n_base_clusters, 1))
    with pytest.raises(ZeroDivisionError, match="in a worker"):
        large.incidence.sweep(table, fail)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(sum))
def test_layout_sums_by_member(n_clusters):
    layout = Ensemble([[0]]).layout.__class__(n_clusters)
    table = np.arange(1, layout.n_columns + 1)
    parts = np.split(table, layout.starts[1:-1])
    np.testing.assert_array_equal(layout.sum_by_member(table), [part.sum() for part in parts])
    expected = [part.max(initial=0) for part in parts]
    np.testing.assert_array_equal(layout.max_by_member(table), expected)


@pytest.mark.parametrize(("n_rows", "n_different"), [(0, 0), (5, 2)])
def test_rows_that_differ_are_counted(n_rows, n_different):
    codes = np.ones((n_rows, 2), dtype=np.uint8)
    codes[:n_different, 1] = 2
    H = Incidence(ArraySource(codes), HardBlocks(Layout([2, 2])), None)
    stored = np.ones((1, 2), dtype=np.uint8)
    assert H.differing_rows(stored, np.zeros(n_rows, dtype=np.int64)) == n_different
