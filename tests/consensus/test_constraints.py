"""Must-links, cannot-links and partial labels: closure, conflicts, counting and repair."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import GCA, GWCA, ConstraintReport, _constrained
from consilience.consensus._constrained import enforce
from consilience.consensus._constraints import Constraints
from consilience.exceptions import BrokenConstraintsWarning, InvalidInputError
from oracles import bregman as oracle
from oracles.strategies import examples, fit

PLAIN = Ensemble([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]])
NAMED = Ensemble([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]], ids=["a", "b", "c", "d", "e", "f"])


def pair_sets(constraints):
    first, second, together = constraints.pairs()
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    must = {pair for pair, joined in zip(pairs, together, strict=True) if joined}
    return must, set(pairs) - must


@given(st.data(), st.integers(3, 12))
@examples(300)
def test_closure_and_conflicts(data, n):
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    must = data.draw(st.lists(pair, max_size=8))
    cannot = data.draw(st.lists(pair, max_size=4))
    ensemble = Ensemble(np.zeros((n, 2), dtype=int))
    clashes = oracle.conflicts(n, must, cannot)
    if clashes:
        with pytest.raises(InvalidInputError, match="contradict each other"):
            Constraints.read(ensemble, must_link=must, cannot_link=cannot)
        cannot = [(p, q) for p, q in cannot if (min(p, q), max(p, q)) not in clashes]
        read = Constraints.read(
            ensemble, must_link=must, cannot_link=cannot + sorted(clashes), drop_conflicts=True
        )
        assert read.dropped == len(clashes)
    else:
        read = Constraints.read(ensemble, must_link=must, cannot_link=cannot)
    assert pair_sets(read) == oracle.closure(n, must, cannot)


@given(st.lists(st.sampled_from([-1, -1, 4, 7, 9]), min_size=4, max_size=12))
@examples(100)
def test_partial_labels_are_all_their_pairs(labels):
    known = [i for i, label in enumerate(labels) if label >= 0]
    must = {(p, q) for p, q in combinations(known, 2) if labels[p] == labels[q]}
    ensemble = Ensemble(np.zeros((len(labels), 1), dtype=int))
    read = Constraints.read(ensemble, partial_labels=labels)
    assert pair_sets(read) == (must, set(combinations(known, 2)) - must)
    report = ConstraintReport.of(np.array(labels) + 1, read)
    assert report.all_hold
    one = ConstraintReport.of(np.zeros(len(labels), dtype=int), read)
    assert (one.must_link_satisfied, one.cannot_link_satisfied) == (len(must), 0)


def test_conflict_names_the_chain():
    with pytest.raises(
        InvalidInputError, match=r"0 and 3 must be apart, but must-links join them: 0 = 1 = 3\."
    ):
        GCA(2).fit(PLAIN, must_link=[(0, 1), (1, 3), (0, 4), (4, 5)], cannot_link=[(0, 3)])
    with pytest.raises(InvalidInputError, match=r"'a' and 'c' must be apart.*: 'a' = 'b' = 'c' "):
        GCA(2).fit(
            NAMED,
            must_link=[("a", "b"), ("b", "c")],
            cannot_link=[("a", "c"), ("b", "a")],
        )
    with pytest.raises(
        InvalidInputError, match=r"label 'x' and label 'y' .*: label 'x' = 0 = 5 = label 'y'"
    ):
        GCA(2).fit(PLAIN, must_link=[(0, 5)], partial_labels=["x", None, None, None, None, "y"])


def test_conflicts_can_be_dropped():
    model = GCA(2, conflicts="drop_cannot_link")
    model.fit(PLAIN, must_link=[(0, 1)], cannot_link=[(1, 0), (0, 5)])
    assert model.constraints_.dropped == 1
    assert (model.constraints_.must_link, model.constraints_.cannot_link) == (1, 2)


@pytest.mark.parametrize(
    ("ensemble", "given_pairs", "message"),
    [
        (NAMED, {"must_link": [("a", "z")]}, "Unknown object id 'z'"),
        (PLAIN, {"must_link": [(2, 2)]}, "must_link pairs object .*2.* with itself .pair 0."),
        (PLAIN, {"cannot_link": [(0, 1), (3, 3)]}, "cannot_link pairs object .* with itself"),
        (PLAIN, {"must_link": [(0, 6)]}, "must_link names object 6; positions run from 0 to 5"),
        (PLAIN, {"cannot_link": [(-1, 2)]}, "cannot_link names object -1; positions"),
        (PLAIN, {"must_link": [("a", "b")]}, "must hold positions, .* Give the ensemble ids"),
        (PLAIN, {"must_link": [(0, 1, 2)]}, r"must be pairs of objects, shape \(m, 2\)"),
        (PLAIN, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, "contradict each other"),
        (PLAIN, {"partial_labels": [0, 1]}, "partial_labels must be one label per object, 6"),
        (PLAIN, {"partial_labels": [0.5, 1, 1, 1, 1, 1]}, "partial_labels: "),
        (
            PLAIN,
            {"partial_labels": [0, 1, 2, -1, -1, -1]},
            "3 groups of objects must all be apart from each other, but n_clusters is 2",
        ),
        (PLAIN, {"cannot_link": [(0, 1), (1, 2), (0, 2)]}, "3 groups of objects must all be apart"),
    ],
)
@pytest.mark.parametrize("function", [GCA, GWCA])
def test_bad_side_knowledge_gets_one_sentence(function, ensemble, given_pairs, message):
    with pytest.raises(InvalidInputError, match=message):
        function(2).fit(ensemble, **given_pairs)


def test_pairs_by_id_and_by_position_agree():
    broken = (
        "broke 1 of 1 must-links and 0 of 1 cannot-links, for example {}, which must be together"
    )
    with pytest.warns(BrokenConstraintsWarning, match=broken.format("'a' and 'f'")):
        by_id = GCA(2).fit(NAMED, must_link=[("a", "f")], cannot_link=[("b", "c")])
    with pytest.warns(BrokenConstraintsWarning, match=broken.format("0 and 5")):
        by_position = GCA(2).fit(PLAIN, must_link=[(0, 5)], cannot_link=[(1, 2)])
    assert by_id.objective_ == by_position.objective_
    assert by_id.labels_.tolist() == by_position.labels_.tolist()


@given(st.data(), st.integers(6, 16), st.integers(2, 4))
@examples(200)
def test_enforced_labels_satisfy_everything(data, n, K):
    """Pairs that some labelling satisfies: so the repair must find one, and exactly that many hold."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    truth = rng.integers(0, K, n)
    pairs = rng.integers(0, n, (data.draw(st.integers(1, 12)), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    model = GCA(K, enforce=True, random_state=0)
    fit(model, rng.integers(0, K, (n, 5)), must_link=pairs[same], cannot_link=pairs[~same])
    assert model.constraints_.all_hold
    for p, q in pairs[same]:
        assert model.labels_[p] == model.labels_[q]
    for p, q in pairs[~same]:
        assert model.labels_[p] != model.labels_[q]


@given(st.integers(0, 10**6), st.integers(2, 3))
@examples(100)
def test_repair_is_the_best_where_all_exclude_each_other(seed, K):
    rng = np.random.default_rng(seed)
    scores = rng.random((K, 4))
    group = np.arange(K)
    apart = np.array(list(combinations(range(K), 2)))
    repaired = enforce(np.zeros(K, dtype=int), scores, Constraints(group, apart))
    best = max(sum(scores[g, k] for g, k in enumerate(p)) for p in permutations(range(4), K))
    assert scores[group, repaired].sum() == pytest.approx(best)


def test_a_search_that_is_too_long_is_an_error(monkeypatch):
    monkeypatch.setattr(_constrained, "_SEARCH_STEPS", 2)
    group, apart = np.arange(4), np.array([(0, 1), (1, 2), (2, 3)])
    with pytest.raises(
        InvalidInputError, match="among 4 groups are too complex to decide whether 2 clusters can"
    ):
        enforce(np.zeros(4, dtype=int), np.zeros((4, 2)), Constraints(group, apart))


def test_impossible_colouring_is_an_error():
    # A wheel with five spokes has no three that all exclude each other beyond triangles, yet needs 4.
    rim = [(k, (k + 1) % 5) for k in range(5)]
    spokes = [(k, 5) for k in range(5)]
    labels = np.random.default_rng(0).integers(0, 3, (6, 4))
    with pytest.raises(
        InvalidInputError, match="No labelling with 3 clusters satisfies all cannot"
    ):
        fit(GCA(3, enforce=True), labels, cannot_link=rim + spokes)
    assert fit(GCA(4, enforce=True), labels, cannot_link=rim + spokes).constraints_.all_hold


def test_unknown_objects_are_placed_by_their_constraints():
    labels = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [-1, -1]])
    model = GCA(2).fit(labels, must_link=[(4, 2), (4, 3)])
    assert model.labels_.tolist() == [0, 0, 1, 1, 1]
    assert not model.unlabelled_.any()


def test_copies_can_be_told_apart():
    labels = np.repeat([[0, 0], [1, 1]], 20, axis=0)
    model = fit(GCA(3, enforce=True), labels, cannot_link=[(0, 1)])
    assert model.labels_[0] != model.labels_[1]


def test_broken_cannot_links_are_shown():
    labels = np.repeat([0, 1], 10)
    members = [labels] * 4 + [np.arange(20) // 5]
    with pytest.warns(
        BrokenConstraintsWarning,
        match=r"^GCA broke 0 of 0 must-links and 1 of 1 cannot-links, for example 3 and 7, which must "
        "be apart; set enforce=True to satisfy all of them.$",
    ):
        GCA(2, random_state=0).fit(members, cannot_link=[[7, 3]])


def test_a_pair_of_one_object_is_named_plainly():
    with pytest.raises(InvalidInputError, match="pairs object 0 with itself") as caught:
        GCA(2).fit(PLAIN, cannot_link=[[0, 0]])
    assert "np." not in str(caught.value)
    with pytest.raises(InvalidInputError, match="pairs object 'a' with itself"):
        GCA(2).fit(NAMED, cannot_link=[["a", "a"]])
    with pytest.raises(InvalidInputError, match="'b' and 'c' must be apart"):
        GCA(2).fit(NAMED, cannot_link=[["b", "c"]], must_link=[["b", "c"]])


@given(st.integers(0, 10**6), st.integers(2, 4))
@examples(100)
def test_no_group_has_a_better_cluster_that_its_neighbours_leave_free(seed, K):
    """The search for a colouring tries clusters by score, so that a local search can find nothing."""
    rng = np.random.default_rng(seed)
    n = 7
    # Ties too, and pairs that some labelling satisfies.
    scores, truth = rng.integers(0, 4, (n, K)).astype(float), rng.integers(0, K, n)
    pairs = np.array(list(combinations(range(n), 2)))
    possible = pairs[truth[pairs[:, 0]] != truth[pairs[:, 1]]]
    apart = possible[rng.random(len(possible)) < 0.6]
    repaired = enforce(np.zeros(n, dtype=int), scores, Constraints(np.arange(n), apart))
    bound = Constraints(np.arange(n), apart).bound
    assert np.all(repaired[apart[:, 0]] != repaired[apart[:, 1]])
    for group in np.flatnonzero(bound):
        beside = [*apart[apart[:, 0] == group, 1], *apart[apart[:, 1] == group, 0]]
        free = np.setdiff1d(np.arange(K), repaired[beside])
        assert scores[group, repaired[group]] == scores[group, free].max()
