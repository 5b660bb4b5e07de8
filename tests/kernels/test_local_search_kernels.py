"""Kernels of local search against literal searches; run once more with the compiler switched off.

Every search is compared for the same seeds, with a margin for every second one.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience._kernels._bisect import bisect_pass, list_pins, move_gain
from consilience._kernels._local_search import (
    TRIES,
    exchange_pass,
    half_move_gain,
    half_swap_gain,
    level_sizes,
    relocate_rows,
    row_move_gain,
    row_swap_gain,
    swap_dense_pass,
    swap_pass,
    swap_rows_pass,
)
from consilience._kernels._scatter import count_labels
from oracles import kernels as oracle

SEEDS = range(12)


class Case:
    """Random codes with missing labels, whole weights of base clusters, and labels."""

    def __init__(self, seed, n_rows=14, n_members=4, n_parts=3):
        self.rng = np.random.default_rng(seed)
        n_clusters = self.rng.integers(2, 5, n_members)
        self.offsets = oracle.offsets_of(n_clusters).astype(np.int64)
        self.codes = self.rng.integers(0, n_clusters + 1, (n_rows, n_members)).astype(np.uint8)
        self.scale = self.rng.integers(0, 4, int(n_clusters.sum()) + n_members).astype(float)
        self.scale[self.offsets] = 0
        self.rows = np.zeros((n_rows, len(self.scale)))
        for i, codes in enumerate(self.codes):
            self.rows[i, self.offsets + codes] = 1
        self.labels = self.rng.permutation(np.arange(n_rows) % n_parts).astype(np.int32)
        self.sizes = np.bincount(self.labels, minlength=n_parts)

    def counts(self):
        table = self.rows.T @ (self.labels[:, None] == np.arange(len(self.sizes)))
        return table.astype(np.int64)


# --- fixed scores ---------------------------------------------------------------------------------


def _levelled(scores, labels, level):
    """Make the cheapest move out of a part that is too large, until none is left."""
    labels, n_parts = labels.copy(), scores.shape[1]
    while True:
        sizes = np.bincount(labels, minlength=n_parts)
        moves = [
            (scores[x, labels[x]] - scores[x, taker], taker, x)
            for x in np.flatnonzero(sizes[labels] > level)
            for taker in np.flatnonzero(sizes < level)
        ]
        if not moves:
            return labels
        _, taker, x = min(moves)
        labels[x] = taker


@pytest.mark.parametrize("level", [2, 3, 5])
def test_the_cheapest_moves_level_the_sizes(level):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        scores = rng.integers(-3, 4, (12, 4)).astype(float)
        labels = rng.choice(4, 12, p=[0.6, 0.2, 0.2, 0]).astype(np.int32)
        sizes = np.bincount(labels, minlength=4)
        expected = _levelled(scores, labels, level)
        level_sizes(scores, labels, sizes, level)
        assert labels.tolist() == expected.tolist()
        assert sizes.tolist() == np.bincount(labels, minlength=4).tolist()


def _exchanged(scores, labels, smallest, largest, margin):
    """Exchange the first of two lists of candidates, which are ordered by their gain, while it pays."""
    labels, n_parts = labels.copy(), scores.shape[1]
    done = 0
    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            waiting = {}
            for source, target in ((a, b), (b, a)):
                gains = scores[:, target] - scores[:, source]
                members = np.flatnonzero(labels == source)
                waiting[source] = [(gains[x], x) for x in sorted(members, key=lambda x: -gains[x])]
            while True:
                x_gain, x = waiting[a][0] if waiting[a] else (-np.inf, -1)
                y_gain, y = waiting[b][0] if waiting[b] else (-np.inf, -1)
                in_a, in_b = np.sum(labels == a), np.sum(labels == b)
                both = x_gain + y_gain > margin
                only_x = x_gain > margin and in_a > smallest and in_b < largest
                only_y = y_gain > margin and in_b > smallest and in_a < largest
                if not (both or only_x or only_y):
                    break
                done += 1
                if both or only_x:
                    labels[x] = b
                    waiting[a].pop(0)
                if both or not only_x:
                    labels[y] = a
                    waiting[b].pop(0)
    return done, labels


@pytest.mark.parametrize("bounds", [(4, 4), (3, 5), (1, 12), (4, 12), (1, 4)])
def test_exchanges_of_fixed_scores(bounds):
    for seed in SEEDS:
        margin = 1.0 * (seed % 2)
        rng = np.random.default_rng(seed)
        scores = rng.integers(-2, 3, (12, 3)).astype(float)
        labels = rng.permutation(np.arange(12) % 3).astype(np.int32)
        sizes = np.bincount(labels, minlength=3)
        expected = _exchanged(scores, labels, *bounds, margin)
        done = exchange_pass(scores, labels, sizes, *bounds, margin)
        assert (done, labels.tolist()) == (expected[0], expected[1].tolist())
        assert sizes.tolist() == np.bincount(labels, minlength=3).tolist()


def test_all_objects_of_a_part_may_leave_it():
    scores = np.array([[0.0, 1], [0, 2], [0, 3]])
    labels, sizes = np.zeros(3, np.int32), np.array([3, 0])
    assert exchange_pass(scores, labels, sizes, 0, 3, 0.0) == 3
    assert labels.tolist() == [1, 1, 1]
    assert sizes.tolist() == [0, 3]


# --- two sides of a hypergraph --------------------------------------------------------------------


def test_pins_of_every_hyperedge():
    case = Case(0)
    starts, pins = list_pins(case.codes, case.offsets, len(case.scale))
    found = [pins[starts[c] : starts[c + 1]].tolist() for c in range(len(case.scale))]
    expected = [np.flatnonzero(case.rows[:, c]).tolist() for c in range(len(case.scale))]
    for offset in case.offsets:
        expected[offset] = []  # missing labels
    assert found == expected


def _cut(case, side):
    """Weight of the hyperedges with rows on both sides."""
    left, right = case.rows[side == 0].sum(axis=0), case.rows[side == 1].sum(axis=0)
    return float(case.scale[(left > 0) & (right > 0)].sum())


def _bisected(case, side, largest):
    """Flip the free row with the largest gain again and again; keep the best state that fits."""
    side, free = side.copy(), set(range(len(side)))
    first = best = _cut(case, side)
    kept = side.copy()
    while True:
        sizes = np.bincount(side, minlength=2)
        gains = []
        for x in free:
            if sizes[1 - side[x]] <= largest[1 - side[x]]:
                side[x] = 1 - side[x]
                gains.append((_cut(case, side), x))
                side[x] = 1 - side[x]
        if not gains:
            return first - best, kept
        cut, x = min(gains)
        side[x] = 1 - side[x]
        free.remove(x)
        if cut < best and (np.bincount(side, minlength=2) <= largest).all():
            best, kept = cut, side.copy()


@pytest.mark.parametrize("largest", [(6, 6), (7, 6), (6, 7), (8, 8), (12, 12)])
def test_bisection_follows_the_cut(largest):
    for seed in SEEDS:
        case = Case(seed, n_rows=12)
        side = case.rng.permutation(np.arange(12) % 2).astype(np.int8)
        starts, pins = list_pins(case.codes, case.offsets, len(case.scale))
        expected = _bisected(case, side, largest)
        gained = bisect_pass(
            case.codes, case.offsets, case.scale, starts, pins, side, np.array(largest)
        )
        assert (gained, side.tolist()) == (expected[0], expected[1].tolist())


def test_gain_of_a_move_between_sides_is_a_difference_of_cuts():
    for seed in SEEDS:
        case = Case(seed, n_rows=12)
        side = case.rng.permutation(np.arange(12) % 2).astype(np.int8)
        counts = (case.rows.T @ (side[:, None] == np.arange(2))).astype(np.int64)
        for x in range(12):
            after = side.copy()
            after[x] = 1 - side[x]
            gain = move_gain(case.codes, case.offsets, case.scale, counts, x, side[x])
            assert gain == _cut(case, side) - _cut(case, after)


# --- parts of a low-rank graph --------------------------------------------------------------------


def _value(rows, scale, labels, n_parts):
    """Half of the summed squares of all parts."""
    sums = rows.T @ (labels[:, None] == np.arange(n_parts))
    return float(scale @ np.square(sums).sum(axis=1)) / 2


def _gain(rows, scale, labels, n_parts, changes):
    after = labels.copy()
    for x, target in changes.items():
        after[x] = target
    return _value(rows, scale, after, n_parts) - _value(rows, scale, labels, n_parts)


def _swapped(rows, scale, labels, n_parts, smallest, largest, margin):
    """The same search, with every gain as a difference of the objective."""
    labels, done = labels.copy(), 0

    def gain(changes):
        return _gain(rows, scale, labels, n_parts, changes)

    def walk(candidates, keys, source, target):
        made = 0
        for x in candidates:
            sizes = np.bincount(labels, minlength=n_parts)
            room = sizes[source] > smallest and sizes[target] < largest
            if 2 * keys[x] <= margin or not room:
                break
            if 2 * gain({x: target}) > margin:
                labels[x] = target
                made += 1
        return made

    for a in range(n_parts):
        for b in range(a + 1, n_parts):
            of_a, of_b = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
            keys = {x: gain({x: b}) for x in of_a} | {y: gain({y: a}) for y in of_b}
            xs, ys = (sorted(part, key=lambda x, keys=keys: -keys[x]) for part in (of_a, of_b))
            done += walk(xs, keys, a, b)
            done += walk(ys, keys, b, a)
            for x in (x for x in xs if labels[x] == a):
                partners = [y for y in ys if labels[y] == b and 2 * (keys[x] + keys[y]) > margin]
                for y in partners[:TRIES]:
                    if 2 * gain({x: b, y: a}) > margin:
                        labels[x], labels[y] = b, a
                        ys.remove(y)
                        done += 1
                        break
    return done, labels


BOUNDS = [(4, 5), (3, 6), (1, 14), (5, 5)]


@pytest.mark.parametrize("bounds", BOUNDS)
def test_swaps_of_codes(bounds):
    for seed in SEEDS:
        margin = 8.0 * (seed % 2)
        case = Case(seed)
        counts, labels, sizes = case.counts(), case.labels.copy(), case.sizes.copy()
        expected = _swapped(case.rows, case.scale, labels, 3, *bounds, margin)
        done = swap_pass(
            case.codes, case.offsets, case.scale, labels, counts, sizes, *bounds, margin
        )  # fmt: skip
        assert (done, labels.tolist()) == (expected[0], expected[1].tolist())
        assert sizes.tolist() == np.bincount(labels, minlength=3).tolist()
        np.testing.assert_array_equal(counts, case.rows.T @ (labels[:, None] == np.arange(3)))


@pytest.mark.parametrize("bounds", BOUNDS)
def test_swaps_of_rows_of_fractions(bounds):
    for seed in SEEDS:
        margin = 8.0 * (seed % 2)
        case = Case(seed)
        rows = case.rng.integers(0, 4, (14, 5)) / 2
        scale = case.rng.integers(0, 4, 5).astype(float)
        labels, sizes = case.labels.copy(), case.sizes.copy()
        sums = (labels == np.arange(3)[:, None]) @ rows
        expected = _swapped(rows, scale, labels, 3, *bounds, margin)
        done = swap_rows_pass(rows, scale, labels, sums, sizes, *bounds, margin)
        assert (done, labels.tolist()) == (expected[0], expected[1].tolist())
        assert sizes.tolist() == np.bincount(labels, minlength=3).tolist()
        np.testing.assert_array_equal(sums, (labels == np.arange(3)[:, None]) @ rows)


def test_gains_of_low_rank_graphs_are_differences_of_the_objective():
    for seed in SEEDS:
        case = Case(seed)
        counts, labels = case.counts(), case.labels
        table = (case.codes, case.offsets, case.scale, counts)
        dense = (case.rows, case.scale, np.ascontiguousarray(counts.T, dtype=float))
        x, y = np.flatnonzero(labels == 0)[0], np.flatnonzero(labels == 2)[0]
        move = _gain(case.rows, case.scale, labels, 3, {x: 1})
        swap = _gain(case.rows, case.scale, labels, 3, {x: 2, y: 0})
        assert half_move_gain(*table, x, 0, 1) == row_move_gain(*dense, x, 0, 1) == move
        assert half_swap_gain(*table, x, y, 0, 2) == row_swap_gain(*dense, x, y, 0, 2) == swap


@pytest.mark.parametrize(("n_twins", "done"), [(TRIES - 1, 1), (TRIES, 0)])
def test_a_scan_ends_after_a_number_of_partners(n_twins, done):
    """Swaps with twins of the first object change nothing; after them, one would pay."""
    # One member: the object and its twins in one base cluster, two others in a second one.
    codes = np.array([[1]] + [[1]] * n_twins + [[2], [2]], dtype=np.uint8)
    labels = np.array([0] + [1] * (n_twins + 2), dtype=np.int32)
    counts = np.array([[0, 0], [1, n_twins], [0, 2]])
    scale, sizes = np.array([0.0, 1, n_twins - 1]), np.array([1, n_twins + 2])
    assert swap_pass(codes, np.array([0]), scale, labels, counts, sizes, 1, 99, 0.0) == done
    assert labels.tolist() == [done] + [1] * n_twins + [1 - done, 1]
    rows = np.array([[1.0, 0]] + [[1.0, 0]] * n_twins + [[0.0, 1], [0.0, 1]])
    labels = np.array([0] + [1] * (n_twins + 2), dtype=np.int32)
    sums = np.array([[1.0, 0], [n_twins, 2]])
    assert swap_rows_pass(rows, scale[1:], labels, sums, sizes, 1, 99, 0.0) == done
    assert labels.tolist() == [done] + [1] * n_twins + [1 - done, 1]


# --- parts of a small matrix ----------------------------------------------------------------------


def _swapped_dense(affinity, weight, labels, n_parts, limit, margin):
    """Make the best move or swap of every vertex; moves come first among equals."""
    labels, done = labels.copy(), 0

    def cut():
        return affinity[labels[:, None] != labels].sum() / 2

    for x in range(len(labels)):
        own, before, best, chosen = labels[x], cut(), margin, None
        changes = [{x: part} for part in range(n_parts) if part != own]
        changes += [{x: labels[y], y: own} for y in range(len(labels)) if labels[y] != own]
        for change in changes:
            kept = labels.copy()
            for vertex, part in change.items():
                labels[vertex] = part
            loads = np.bincount(labels, weights=weight, minlength=n_parts)
            target = labels[x]
            fits = loads[target] <= limit and (len(change) == 1 or loads[own] <= limit)
            if fits and own in labels and before - cut() > best:
                best, chosen = before - cut(), labels.copy()
            labels[:] = kept
        if chosen is not None:
            labels[:] = chosen
            done += 1
    return done, labels


@pytest.mark.parametrize("limit", [6.0, 8.0, 99.0])
def test_swaps_of_a_matrix(limit):
    for seed in SEEDS:
        margin = 1.0 * (seed % 2)
        rng = np.random.default_rng(seed)
        affinity = np.triu(rng.integers(0, 4, (8, 8)), 1).astype(float)
        affinity += affinity.T
        weight = rng.integers(1, 4, 8).astype(float)
        labels = rng.permutation(np.arange(8) % 3).astype(np.int32)
        loads, sizes = np.bincount(labels, weights=weight), np.bincount(labels)
        sums = affinity @ (labels[:, None] == np.arange(3)).astype(float)
        expected = _swapped_dense(affinity, weight, labels, 3, limit, margin)
        done = swap_dense_pass(affinity, weight, labels, sums, loads, sizes, limit, margin)
        assert (done, labels.tolist()) == (expected[0], expected[1].tolist())
        assert sizes.tolist() == np.bincount(labels, minlength=3).tolist()
        assert loads.tolist() == np.bincount(labels, weights=weight, minlength=3).tolist()
        np.testing.assert_array_equal(
            sums, affinity @ (labels[:, None] == np.arange(3)).astype(float)
        )


# --- clusters of least cost -----------------------------------------------------------------------


def _disagreement(codes, labels, member_cost, weight):
    """Pairs that a member and the labels treat differently, at the price of that member."""
    together = labels[:, None] == labels[None, :]
    pairs = weight[:, None] * weight[None, :]
    total = 0.0
    for j, price in enumerate(member_cost):
        known = codes[:, j] > 0
        member = codes[:, j][:, None] == codes[:, j][None, :]
        counted = pairs * known[:, None] * known[None, :]
        total += price * np.sum(counted * (member != together)) / 2
    return total


@given(st.integers(0, 2**32 - 1))
def test_relocation_follows_the_cost_it_claims(seed):
    case = Case(seed, n_rows=9, n_members=5)
    labels = case.rng.integers(0, 3, 9).astype(np.int32)
    labels[:3] = [0, 1, 2]
    weight = case.rng.integers(1, 3, 9)
    cost = case.rng.random(5)
    counts = np.zeros((len(case.scale), 3), dtype=np.int64)
    count_labels(case.codes, case.offsets, labels, weight, counts.T)
    totals = np.array(
        [
            [(weight * (labels == k) * (case.codes[:, j] > 0)).sum() for k in range(3)]
            for j in range(5)
        ]
    )
    used = np.bincount(labels, minlength=3)
    before = _disagreement(case.codes, labels, cost, weight)
    moved = relocate_rows(case.codes, case.offsets, weight, labels, cost, counts, totals, used)
    after = _disagreement(case.codes, labels, cost, weight)
    assert after < before if moved else after == before
    np.testing.assert_array_equal(used, np.bincount(labels, minlength=3))
    recounted = np.zeros_like(counts)
    count_labels(case.codes, case.offsets, labels, weight, recounted.T)
    np.testing.assert_array_equal(
        np.delete(counts, case.offsets, 0), np.delete(recounted, case.offsets, 0)
    )
