"""The kernel of balanced parts against a literal search; also run with the compiler switched off."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from consilience._kernels._swap import TRIES, add_up, fill_parts, swap_pass

N, K = 14, 3


def value(rows, weight, floor, labels):
    """The objective by its definition."""
    table = rows.T @ (labels[:, None] == np.arange(K))
    if len(floor):
        return float(weight @ np.maximum(table.max(axis=1), floor))
    return float(weight @ np.square(table).sum(axis=1))


def literal_pass(rows, weight, floor, labels, masses, limits, margin):
    """The same search, with every gain as a difference of the objective."""
    labels, done = labels.copy(), 0
    smallest, largest = limits

    def gain(changes):
        after = labels.copy()
        for x, target in changes.items():
            after[x] = target
        return value(rows, weight, floor, after) - value(rows, weight, floor, labels)

    def loads():
        return np.bincount(labels, weights=masses, minlength=K)

    def walk(candidates, keys, source, target):
        made = 0
        for x in candidates:
            load = loads()
            needed = load[source] > largest or load[target] < smallest
            if keys[x] <= margin and not needed:
                break
            fits = load[source] - masses[x] >= smallest and load[target] + masses[x] <= largest
            if fits and (needed or gain({x: target}) > margin):
                labels[x] = target
                made += 1
        return made

    for a in range(K):
        for b in range(a + 1, K):
            of_a, of_b = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
            keys = {x: gain({x: b}) for x in of_a} | {y: gain({y: a}) for y in of_b}
            xs, ys = (sorted(part, key=lambda x, keys=keys: -keys[x]) for part in (of_a, of_b))
            done += walk(xs, keys, a, b)
            done += walk(ys, keys, b, a)
            for x in (x for x in xs if labels[x] == a):
                tries = 0
                for y in [y for y in ys if labels[y] == b]:
                    if tries == TRIES or keys[x] + keys[y] <= margin:
                        break
                    load, change = loads(), masses[x] - masses[y]
                    if load[b] + change > largest or load[a] - change > largest:
                        continue
                    tries += 1
                    if gain({x: b, y: a}) > margin:
                        labels[x], labels[y] = b, a
                        ys.remove(y)
                        done += 1
                        break
    return done, labels


def both(rows, weight, floor, labels, masses, limits, margin):
    """Compare the kernel with the literal search; return what it did."""
    sparse = csr_array(rows)
    sparse = (sparse.indptr, sparse.indices, sparse.data)
    table = np.zeros((rows.shape[1], K))
    add_up(sparse, labels, table)
    np.testing.assert_array_equal(table, rows.T @ (labels[:, None] == np.arange(K)))
    expected = literal_pass(rows, weight, floor, labels, masses, limits, margin)
    loads = np.bincount(labels, weights=masses, minlength=K)
    settled = np.zeros((K, K), dtype=bool)
    state = (labels, masses, loads, limits, margin, settled)
    done = swap_pass(sparse, weight, table, floor, *state)
    assert (done, labels.tolist()) == (expected[0], expected[1].tolist())
    np.testing.assert_array_equal(loads, np.bincount(labels, weights=masses, minlength=K))
    np.testing.assert_array_equal(table, rows.T @ (labels[:, None] == np.arange(K)))
    if not done:
        before = labels.copy()
        assert settled[np.triu_indices(K, 1)].all() or len(floor)
        assert swap_pass(sparse, weight, table, floor, *state) == 0
        np.testing.assert_array_equal(labels, before)
    return done


@pytest.mark.parametrize("objective", ["squares", "largest", "whole"])
@pytest.mark.parametrize("limits", [(4.0, 5.0), (3.0, 6.0), (1.0, 14.0), (5.0, 5.0)])
@pytest.mark.parametrize("margin", [0.0, 4.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_pass(objective, seed, margin, limits):
    rng = np.random.default_rng(seed)
    members = [np.eye(4)[rng.integers(0, 4, N)] * (rng.random((N, 1)) < 0.9) for _ in range(3)]
    rows = np.hstack(members) if seed % 2 else rng.integers(0, 4, (N, 5)) / 2
    sizes = rows.sum(axis=0)
    floor = {"squares": np.empty(0), "largest": np.zeros(len(sizes)), "whole": sizes - 1}[objective]
    weight = rng.integers(0, 4, len(sizes)).astype(float)
    labels = rng.permutation(np.arange(N) % K).astype(np.int32)
    both(rows, weight, floor, labels, np.ones(N), limits, margin)


@pytest.mark.parametrize("largest", [10.0, 13.0, 99.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_pass_with_masses(seed, largest):
    rng = np.random.default_rng(seed)
    rows = np.linalg.cholesky(np.eye(N) * 16).round() + np.tril(rng.integers(0, 3, (N, N)), -1)
    masses = rng.integers(1, 4, N).astype(float)
    labels = rng.integers(0, K, N).astype(np.int32)  # may not keep to the limits
    both(rows, np.ones(N), np.empty(0), labels, masses, (0.5, largest), 0.0)


@pytest.mark.parametrize(("n_twins", "done"), [(TRIES - 1, 1), (TRIES, 0)])
def test_a_scan_ends_after_a_number_of_partners(n_twins, done):
    """Swaps with twins of the first object change nothing; after them, one would pay."""
    # The object and its twins are in one base cluster, two others in a second one, the last in none.
    rows = np.array([[1.0, 0]] + [[1.0, 0]] * n_twins + [[0.0, 1], [0.0, 1], [0, 0]])
    labels = np.array([0] + [1] * (n_twins + 2) + [2], dtype=np.int32)
    weight, limits = np.array([1.0, n_twins - 1]), (1.0, 99.0)
    assert both(rows, weight, np.empty(0), labels, np.ones(len(labels)), limits, 0.0) == done
    assert labels.tolist() == [done] + [1] * n_twins + [1 - done, 1, 2]


def test_parts_are_filled_with_the_most_similar_objects():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (N, 5)) / 2
    weight, order, room = rng.random(5), rng.permutation(N), 5
    sparse = csr_array(rows)
    table, loads = np.zeros((5, K)), np.zeros(K)
    parts = (sparse.indptr, sparse.indices, sparse.data)
    labels = fill_parts(parts, weight, order, loads, table, room)
    members = [[] for _ in range(K)]
    for x in order:
        empty = [k for k in range(K) if not members[k]]
        with_room = [k for k in range(K) if len(members[k]) < room]
        mean = [sum(weight @ (rows[x] * rows[y]) for y in m) / max(1, len(m)) for m in members]
        best = empty[0] if empty else max(with_room, key=lambda k, mean=mean: mean[k])
        assert labels[x] == best
        members[best].append(x)
    np.testing.assert_array_equal(loads, np.bincount(labels, minlength=K))
    np.testing.assert_allclose(table, rows.T @ (labels[:, None] == np.arange(K)))
