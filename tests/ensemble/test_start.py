"""Starts of iterative methods, against the rule written out plainly."""

from collections import Counter

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from consilience import Ensemble
from consilience.ensemble import centre_table, start_from_member
from consilience.incidence import Layout
from oracles.strategies import examples

SETTINGS = examples(100)


def label_matrices(lowest=0):
    """Label matrices in which every object is known by some member, and member 0 knows some."""
    shape = st.tuples(st.integers(1, 12), st.integers(1, 4))
    cells = st.integers(lowest, 3)
    return arrays(np.int64, shape, elements=cells).filter(
        lambda labels: (labels >= 0).any(axis=1).all() and (labels[:, 0] >= 0).any()
    )


# --- plain Python, one line of the specification each ------------------------------------------------


def mode(labels):
    """Return the most frequent observed label, the smallest on ties, None if there is none."""
    counts = Counter(label for label in labels if label >= 0)
    return min(counts, key=lambda label: (-counts[label], label), default=None)


def centre(rows):
    return [mode(column) for column in zip(*rows, strict=True)]


def centres(rows, labels, n_clusters):
    return [
        centre([row for row, label in zip(rows, labels, strict=True) if label == k])
        for k in range(n_clusters)
    ]


def matches(row, middle):
    return sum(a is not None and a >= 0 and a == b for a, b in zip(row, middle, strict=True))


def distance(row, middle):
    """Share of mismatches among the members that know the object."""
    return 1 - matches(row, middle) / sum(label >= 0 for label in row)


def merge_to(rows, labels, n_wanted):
    clusters = {
        k: [r for r, lab in zip(rows, labels, strict=True) if lab == k] for k in set(labels)
    }
    home = {k: k for k in clusters}
    while len(clusters) > n_wanted:
        smallest = min(clusters, key=lambda k: (len(clusters[k]), k))
        moved = clusters.pop(smallest)
        middle = centre(moved)
        nearest = min(clusters, key=lambda k: (-matches(middle, centre(clusters[k])), k))
        clusters[nearest] += moved
        home = {k: nearest if target == smallest else target for k, target in home.items()}
    rank = {k: place for place, k in enumerate(sorted(clusters))}
    return [rank[home[label]] for label in labels]


def split_to(rows, labels, n_present, n_wanted):
    labels = list(labels)
    while n_present < n_wanted:
        middles = centres(rows, labels, n_present)
        far = [distance(row, middles[lab]) for row, lab in zip(rows, labels, strict=True)]
        if max(far) <= 1e-12:
            break
        profile = rows[far.index(max(far))]
        labels = [n_present if r == profile else lab for r, lab in zip(rows, labels, strict=True)]
        n_present += 1
    return labels


def complete(rows, labels, n_present):
    middles = centres(rows, labels, n_present)
    return [
        label if label >= 0 else max(range(n_present), key=lambda k: (matches(row, middles[k]), -k))
        for row, label in zip(rows, labels, strict=True)
    ]


def plain_start(labels, member, n_wanted):
    rows = labels.tolist()
    n_present = int(labels[:, member].max()) + 1
    start = complete(rows, [row[member] for row in rows], n_present)
    if n_present > n_wanted:
        return merge_to(rows, start, n_wanted)
    return split_to(rows, start, n_present, n_wanted)


# --- start_from_member -------------------------------------------------------------------------------


@given(label_matrices(), st.integers(1, 6))
@SETTINGS
def test_start_follows_the_specification(labels, n_clusters):
    e = Ensemble(labels)
    for member in range(e.n_members):
        start = start_from_member(e, member, n_clusters)
        assert start.tolist() == plain_start(e.labels, member, n_clusters)
        assert len(set(start.tolist())) == min(n_clusters, e.n_profiles)
        assert start.dtype == np.int32


# Here the object that the member does not know makes cluster 0 larger than cluster 1.
@example(np.array([[2, -1], [1, 0], [0, 0], [0, 0], [-1, 1]]), 2)
@given(label_matrices(lowest=-1), st.integers(1, 6))
@SETTINGS
def test_start_follows_the_specification_with_missing_labels(labels, n_clusters):
    e = Ensemble(labels)
    start = start_from_member(e, 0, n_clusters)
    assert start.tolist() == plain_start(e.labels, 0, n_clusters)


@given(label_matrices(lowest=-1), st.integers(1, 8))
@SETTINGS
def test_every_object_gets_a_label_and_identical_rows_the_same(labels, n_clusters):
    e = Ensemble(labels)
    start = start_from_member(e, 0, n_clusters)
    assert len(start) == len(labels)
    assert sorted(set(start.tolist())) == list(range(start.max() + 1))
    assert start.max() < n_clusters
    inverse = e.profiles().inverse
    assert len(set(zip(inverse.tolist(), start.tolist(), strict=True))) == inverse.max() + 1


@given(label_matrices(lowest=-1), st.integers(1, 8))
@SETTINGS
def test_start_on_profiles_is_the_start_on_rows(labels, n_clusters):
    e = Ensemble(labels)
    profiles = e.profiles()
    merged = start_from_member(profiles.ensemble, 0, n_clusters)
    assert np.array_equal(merged[profiles.inverse], start_from_member(e, 0, n_clusters))


def test_weights_decide_what_is_near():
    # Cluster 2 of the first member agrees with cluster 0 in the second, with cluster 1 in the third.
    members = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 0], [0, 0, 1, 1, 1]]
    assert start_from_member(Ensemble(members, weights=[1, 2, 1]), 0, 2).tolist() == [0, 0, 1, 1, 0]
    assert start_from_member(Ensemble(members, weights=[1, 1, 2]), 0, 2).tolist() == [0, 0, 1, 1, 1]


def test_sums_of_weights_that_differ_by_rounding_are_tied():
    # 0.1 + 0.2 is more than 0.3 by rounding alone: cluster 0 comes first.
    members = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 0]]
    e = Ensemble(members, weights=[1, 0.1, 0.2, 0.3])
    assert start_from_member(e, 0, 2).tolist() == [0, 0, 1, 1, 0]


def test_merging_many_clusters_follows_the_specification():
    rng = np.random.default_rng(0)
    e = Ensemble(rng.integers(0, 30, (200, 5)))
    for member in range(e.n_members):
        start = start_from_member(e, member, 4)
        assert start.tolist() == plain_start(e.labels, member, 4)


def test_weights_decide_what_is_far():
    # One object disagrees with the centre in the second member, another one in the third.
    members = [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    assert start_from_member(Ensemble(members, weights=[1, 2, 1]), 0, 2).tolist() == [0, 0, 0, 1, 0]
    assert start_from_member(Ensemble(members, weights=[1, 1, 2]), 0, 2).tolist() == [0, 0, 0, 0, 1]


def test_objects_unknown_to_the_member_go_to_the_nearest_centre():
    e = Ensemble([[0, 0, 1, 1, -1, -1], [0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 1, -1]])
    assert start_from_member(e, 0, 2).tolist() == [0, 0, 1, 1, 1, 0]


def test_a_member_that_knows_nothing_can_be_a_start():
    e = Ensemble([[-1, -1, -1, -1], [0, 1, 1, 2]])
    assert sorted(set(start_from_member(e, 0, 2).tolist())) == [0, 1]


def test_soft_members_start_from_their_most_likely_labels():
    first = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.0, 0.0]]
    second = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.1, 0.9]]
    e = Ensemble.from_memberships([first, second])
    assert start_from_member(e, 0, 2).tolist() == [0, 0, 1, 1]
    assert start_from_member(e, 0, 1).tolist() == [0, 0, 0, 0]
    split = start_from_member(e, 0, 3)
    assert sorted(set(split.tolist())) == list(range(split.max() + 1))


# --- centre_table ------------------------------------------------------------------------------------


@given(label_matrices(lowest=-1), st.data())
@SETTINGS
def test_centres_are_modes_per_member_and_cluster(labels, data):
    e = Ensemble(labels)
    n = len(labels)
    clusters = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    table = centre_table(e.incidence.count(clusters, 3), e.layout)
    assert table.shape == (e.n_base_clusters, 3)
    expected = np.zeros(table.shape)
    for k in range(3):
        for member in range(e.n_members):
            best = mode(e.labels[clusters == k, member].tolist())
            if best is not None:
                expected[e.layout.starts[member] + best, k] = 1
    assert np.array_equal(table, expected)


def test_ties_go_to_the_smallest_label_and_nothing_observed_has_no_mark():
    layout = Layout([2, 0, 3])
    counts = np.array([[2, 0], [2, 0], [1, 0], [4, 3], [4, 3]])
    assert centre_table(counts, layout).tolist() == [[1, 0], [0, 0], [0, 0], [1, 1], [0, 0]]
